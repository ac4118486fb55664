import { sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { may } from '../../kernel/area.ts'
import type { Ctx } from '../../kernel/types.ts'
import type { MoveDefinition, State, WorkflowDefinition } from '../../kernel/workflow/types.ts'
import { overAuthority } from '../loans/index.ts'
import { approved, noClient, openLoan } from './application.handover.ts'
import { decided, submitted } from './application.follow.ts'
import { notReady } from './application.ready.ts'

export const applicationStates = {
  Draft: { meaning: 'open', colour: 'default' },
  Submitted: { meaning: 'open', colour: 'blue' },
  'In review': { meaning: 'started', colour: 'gold' },
  Approved: { meaning: 'done', colour: 'green' },
  Disbursing: { meaning: 'done', colour: 'cyan' },
  Declined: { meaning: 'missed', colour: 'red' },
  Withdrawn: { meaning: 'cancelled', colour: 'default' },
  Expired: { meaning: 'cancelled', colour: 'volcano' },
} as const satisfies Record<string, State>

/** Rows of the audit (alias g) that made an application or changed what is decided on. */
const makingAudit = `g."objectType" = 'loanApplication' and (g."action" in ('loanApplication.create', 'loanApplication.guarantors', 'loanApplication.collateral', 'loanApplication.papers')
  or g."action" in ('loanApplication.update', 'loanApplication.restore') and (not coalesce(g."after", '{}') ? 'status' or g."after" ->> 'status' = 'Submitted'))`

/** The same makers of an application (alias t), as a list asks it of each row: whether the caller is one of them. */
export const ownWork = `coalesce(ctx.actor() in (t."createdByUserId", t."ownerUserId"), false)
  or exists (select from audit_log g where g."companyId" = t."companyId" and g."objectId" = t."id"::text and ${makingAudit} and ctx.actor() in (g."userId", g."realUserId"))
  or exists (select from affordability_run r where r."companyId" = t."companyId" and r."id" = t."affordabilityRunId" and ctx.actor() in (r."createdByUserId", r."realUserId"))`

/**
 * Who made an application ready for a decision, as a table of "userId" and part: made it, changed it, sent it in, holds it, assessed
 * its applicant; in person or in somebody's name. A decision is none of these.
 */
export const makersOf = (ctx: Ctx, id: string): Statement => sql`
  select part, unnest(users) as "userId" from (
    select 'hold' as part, array[t."createdByUserId", t."ownerUserId"] as users from loan_application t where t."companyId" = ${ctx.company.id}::uuid and t."id" = ${id}::uuid
    union all select 'changed or sent in', array[g."userId", g."realUserId"] from audit_log g
      where g."companyId" = ${ctx.company.id}::uuid and g."objectId" = ${id} and ${trusted(makingAudit)}
    union all select 'assessed the applicant of', array[r."createdByUserId", r."realUserId"] from affordability_run r join loan_application t on t."companyId" = r."companyId" and t."affordabilityRunId" = r."id"
      where t."companyId" = ${ctx.company.id}::uuid and t."id" = ${id}::uuid) m`

const decide = may('LOAN/DISBURSEMENTS')
const make = may('SALES/LEADS/EDIT')
const note = { kind: 'longText', label: 'Decision note', required: true, maxLength: 2_000 } as const
const reason = { kind: 'text', label: 'Reason', required: true, maxLength: 300 } as const
const open = ['Submitted', 'In review'] as const
const decision = { from: open, access: decide, fourEyes: makersOf } satisfies Partial<MoveDefinition>

/** The way of an application: made and sent in by one person, decided by another one within the limit of their roles. */
export const applicationWorkflow: WorkflowDefinition<'status' | 'statusReason' | 'decisionNote'> = {
  field: 'status',
  route: 'applications.move',
  many: 'applications.moveMany',
  states: applicationStates,
  path: ['Draft', 'Submitted', 'In review', 'Approved', 'Disbursing'],
  waits: open,
  kept: { reason: 'statusReason', decisionNote: 'decisionNote' },
  moves: [
    { name: 'submit', label: 'Submit', from: ['Draft'], to: 'Submitted', access: make, refuse: notReady, after: submitted },
    { name: 'review', label: 'Take into review', from: ['Submitted'], to: 'In review', access: decide },
    {
      ...decision,
      name: 'approve',
      label: 'Approve',
      to: 'Approved',
      ask: { decisionNote: note },
      refuse: (ctx, { before }) => overAuthority(ctx, String(before['amount'])),
      after: approved,
    },
    {
      ...decision,
      name: 'decline',
      label: 'Decline',
      to: 'Declined',
      ask: { reason, decisionNote: { ...note, required: false } },
      danger: true,
      after: decided,
    },
    { name: 'sendBack', label: 'Send back', from: open, to: 'Draft', access: decide, ask: { reason }, after: decided },
    {
      name: 'withdraw',
      label: 'Withdraw',
      from: ['Draft', 'Submitted', 'In review', 'Approved'],
      to: 'Withdrawn',
      access: may('SALES/LEADS/EDIT', 'LOAN/DISBURSEMENTS'),
      ask: { reason },
      danger: true,
    },
    { name: 'expire', from: ['Submitted', 'In review', 'Approved'], to: 'Expired', madeBy: 'program' },
    { name: 'openLoan', label: 'Open the loan', from: ['Approved'], to: 'Disbursing', access: decide, refuse: noClient, after: openLoan },
  ],
}
