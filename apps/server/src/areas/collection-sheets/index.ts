/** What other areas may ask of collection sheets. */
export { collectionSheetsArea } from './collection-sheets.area.ts'
