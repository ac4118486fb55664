/** What other areas may ask of sync. */
export { syncArea } from './sync.area.ts'
