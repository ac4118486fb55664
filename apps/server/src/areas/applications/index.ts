/** What other areas may ask of applications. */
export { applicationTiles } from './application.tiles.ts'
export { application } from './application.resource.ts'
export { applicationsArea } from './applications.area.ts'
