/** What other areas may ask of storage. */
export { storeFile } from './storage.handlers.ts'
export { storageArea } from './storage.area.ts'
