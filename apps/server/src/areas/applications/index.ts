/** What other areas may ask of applications. */
export { applicationsArea } from './applications.area.ts'
