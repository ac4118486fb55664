export { mailArea } from './mail.area.ts'
