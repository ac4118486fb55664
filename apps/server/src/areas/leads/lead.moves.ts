import type { Condition } from '@outpost/contract/fields'
import { leadFunnel } from '@outpost/rules/leads/lead-stage'
import {
  isCreditDecision,
  leadStatuses,
  leadStatusNames,
  needsAssessment,
  needsConsent,
  needsReason,
  nextLeadStatuses,
  passedOutcomes,
  type LeadStatus,
} from '@outpost/rules/leads/lead-status'
import { may } from '../../kernel/area.ts'
import { audit } from '../../kernel/audit.ts'
import type { MoveDefinition, WorkflowDefinition } from '../../kernel/workflow/types.ts'
import { clientOf, creditPermission, makersOf } from './credit/lead.decision.ts'
import { refusalOf } from './lead.rules.ts'

const meanings = { Open: 'open', Ongoing: 'started', Won: 'done', Lost: 'missed' } as const

/** The lifecycle of a lead; clients are made by "Make a client". */
export const leadWorkflow: WorkflowDefinition<'status' | 'statusReason'> = {
  field: 'status',
  label: 'Status',
  route: 'leads.setStatus',
  many: 'leads.setStatus',
  undo: 'leads.undoStatus',
  choose: 'Change status',
  kept: { reason: 'statusReason' },
  waits: ['Submitted'],
  path: leadFunnel,
  states: Object.fromEntries(
    leadStatusNames.map((name) => [name, { meaning: meanings[leadStatuses[name].type], colour: leadStatuses[name].colour }]),
  ),
  moves: [...leadStatusNames.map(moveTo).filter(({ from }) => from.length > 0), ...leadStatusNames.map(returnTo)],
}

const outcomes = { NONE: 'open', PASS: 'done', REFER: 'started', 'REFER APPROVED': 'done', FAIL: 'missed', EXPIRED: 'missed' } as const

/** What an assessment came to: the sum says it, and a second person may let one pass that was referred. */
export const referralWorkflow: WorkflowDefinition<'affordabilityOutcome'> = {
  field: 'affordabilityOutcome',
  route: 'leads.approveReferral',
  log: 'own',
  states: Object.fromEntries(Object.entries(outcomes).map(([name, meaning]) => [name, { meaning }])),
  moves: [
    // An assessment, its end, a merge and its undoing.
    ...Object.keys(outcomes).map((to): MoveDefinition => ({ name: `becomes ${to}`, from: '*', to, madeBy: 'program' })),
    {
      name: 'approveReferral',
      label: 'Approve the referral',
      route: 'leads.approveReferral',
      from: ['REFER'],
      to: 'REFER APPROVED',
      access: may(creditPermission),
      fourEyes: makersOf,
      ask: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } },
      after: async (ctx, { id, asked: { reason } }) =>
        audit(ctx, { action: 'lead.approveReferral', objectType: 'lead', objectId: id, after: { reason } }),
    },
  ],
}

/** Undoing a merge, a gift or a move: no step of the lifecycle, so nothing is asked. */
function returnTo(to: LeadStatus): MoveDefinition {
  return { name: returnName(to), from: '*', to, madeBy: 'undo' }
}
export function returnName(status: string): string {
  return `return to ${status}`
}

function moveTo(status: LeadStatus): MoveDefinition {
  const onlyIf = conditionOf(status)
  return {
    name: status,
    from: leadStatusNames.filter((from) => nextLeadStatuses(from).includes(status)),
    to: status,
    ...(onlyIf ? { onlyIf } : {}),
    ...(needsReason(status) ? { ask: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } } } : {}),
    ...(isCreditDecision(status) ? { access: may(creditPermission), fourEyes: makersOf } : {}),
    ...(status === 'Converted' ? { madeBy: 'elsewhere' as const } : {}),
    refuse: async (ctx, { id, before, given }) =>
      status === 'Converted' && !(await clientOf(ctx, id))
        ? 'A lead becomes Converted when it is made a client.'
        : refusalOf(ctx, { ...before, ...given }, status),
  }
}

function conditionOf(status: LeadStatus): Condition | undefined {
  const hasConsent: Condition = { eq: ['consentStatus', 'GRANTED'] }
  if (needsAssessment.includes(status)) return { and: [hasConsent, { in: ['affordabilityOutcome', [...passedOutcomes]] }] }
  return needsConsent.includes(status) ? hasConsent : undefined
}
