export { storageArea } from './storage.area.ts'
