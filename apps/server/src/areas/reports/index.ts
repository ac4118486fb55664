export { reportsArea } from './reports.area.ts'
