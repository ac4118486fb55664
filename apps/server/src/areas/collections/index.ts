/** What other areas may ask of collection sheets. */
export { collectionsArea } from './collections.area.ts'
