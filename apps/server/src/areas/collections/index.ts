export { collectionsArea } from './collections.area.ts'
