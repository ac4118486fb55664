/** What other areas may call. */
export { complaintsArea } from './complaints.area.ts'
export { complaint } from './complaint.resource.ts'
