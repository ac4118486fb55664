/** What other areas may ask of leads. */
export { assignmentRule } from './assigning/assignment-rule.resource.ts'
export { lead } from './lead.resource.ts'
export { leadsArea } from './leads.area.ts'
export { giveLead } from './lead.handlers.ts'
export { isRunOf } from './credit/runs-of.ts'
export { assessmentDays } from './credit/lead.decision.ts'
export { leadsApart, leadsAsOne } from './merging/lead.merge.ts'
