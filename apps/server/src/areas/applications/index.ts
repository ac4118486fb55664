/** What other areas may ask of applications. */
export { application } from './application.resource.ts'
export { applicationsArea } from './applications.area.ts'
