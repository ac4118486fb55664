/** What other areas may call. */
export { locationsArea } from './locations.area.ts'
