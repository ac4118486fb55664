/** What other areas may ask of leads. */
export { convertLead } from './lead.convert.ts'
export { lead } from './lead.resource.ts'
export { leadsArea } from './leads.area.ts'
