/** What other areas may call. */
export { complaintsArea } from './complaints.area.ts'
