export { geoArea } from './geo.area.ts'
