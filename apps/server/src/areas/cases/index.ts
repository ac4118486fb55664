/** What other areas may ask of cases. */
export { casesArea } from './cases.area.ts'
export { salesCase } from './case.resource.ts'
