/** What other areas may ask of leads. */
export { lead } from './lead.resource.ts'
export { leadsArea } from './leads.area.ts'
