import type { Condition } from '@outpost/contract/fields'
import { isCreditDecision, leadStatusNames, needsAssessment, needsConsent, needsReason, nextLeadStatuses, passedOutcomes, type LeadStatus } from '@outpost/rules/lead-status'
import { may } from '../../kernel/area.ts'
import type { MovesDefinition, MoveTarget } from '../../kernel/moves.ts'
import { creditPermission } from './lead.decision.ts'

/** Which statuses of a lead are offered after which, to whom and for which leads: prepareLead has the last word on each. Clients are made by "Make a client". */
export const leadMoves: MovesDefinition<'status' | 'statusReason'> = {
  field: 'status', route: 'leads.setStatus', undo: 'leads.undoStatus', kept: { reason: 'statusReason' },
  next: Object.fromEntries(leadStatusNames.map((name) => [name, nextLeadStatuses(name).filter((to) => to !== 'Converted')])),
  to: Object.fromEntries(leadStatusNames.map((name) => [name, targetOf(name)])),
}

function targetOf(status: LeadStatus): MoveTarget {
  const onlyIf = conditionOf(status)
  return {
    ...(isCreditDecision(status) ? { access: may(creditPermission) } : {}),
    ...(onlyIf ? { onlyIf } : {}),
    ...(needsReason(status) ? { form: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } } } : {}),
  }
}

function conditionOf(status: LeadStatus): Condition | undefined {
  const hasConsent: Condition = { eq: ['consentStatus', 'GRANTED'] }
  if (needsAssessment.includes(status)) return { and: [hasConsent, { in: ['affordabilityOutcome', [...passedOutcomes]] }] }
  return needsConsent.includes(status) ? hasConsent : undefined
}
