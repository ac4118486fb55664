import { sql } from '@outpost/platform/db/sql'
import type { FieldDefinition, Ctx } from '../../kernel/types.ts'
import type { MoveDefinition, Moving, WorkflowDefinition } from '../../kernel/workflow/types.ts'
import { outcomes, rootCauses } from './complaint.options.ts'
import { storePauses } from './complaint.rules.ts'

const open = ['Open', 'In progress', 'Waiting client', 'Waiting third party', 'Reopened'] as const
const reason: FieldDefinition = { kind: 'text', label: 'Why', required: true, maxLength: 400 }
const but = (...left: string[]) => open.filter((status) => !left.includes(status))

/** The client hears of the outcome before the file is closed. */
async function refuseUntold(ctx: Ctx, { id, before }: Moving): Promise<string | null> {
  const told = await ctx.sql.maybe(sql`
    select 1 from complaint_message where "companyId" = ${ctx.company.id}::uuid and "complaintId" = ${id}::uuid and "kind" = 'reply'
      and "at" >= ${before['resolvedAt'] as Date}::timestamptz limit 1`)
  return told ? null : 'Tell the client of the outcome first: reply to the client.'
}

const moves: MoveDefinition[] = [
  { name: 'start', label: 'Start work', from: but('In progress'), to: 'In progress' },
  { name: 'waitForClient', label: 'Wait for the client', from: but('Waiting client'), to: 'Waiting client', ask: { reason } },
  { name: 'waitForOthers', label: 'Wait for others', from: but('Waiting third party'), to: 'Waiting third party', ask: { reason } },
  {
    name: 'resolve',
    label: 'Settle',
    from: open,
    to: 'Resolved',
    ask: {
      outcome: { kind: 'choice', label: 'Outcome', required: true, options: outcomes },
      rootCause: { kind: 'choice', label: 'Root cause', required: true, options: rootCauses },
      redressAmount: { kind: 'money', label: 'Redress', min: 0, max: 1_000_000_000, help: 'What the client gets; empty: nothing' },
      resolution: { kind: 'longText', label: 'What was decided', required: true, maxLength: 4_000 },
    },
  },
  { name: 'close', label: 'Close', from: ['Resolved'], to: 'Closed', refuse: refuseUntold },
  { name: 'reopen', label: 'Open again', from: ['Resolved', 'Closed'], to: 'Reopened', ask: { reason } },
]

/** How a complaint is settled. Its clock pauses while we wait for the client. */
export const complaintWorkflow = {
  field: 'status',
  route: 'complaints.move',
  states: {
    Open: { meaning: 'open', colour: 'blue' },
    'In progress': { meaning: 'started', colour: 'geekblue' },
    'Waiting client': { meaning: 'started', colour: 'gold' },
    'Waiting third party': { meaning: 'started', colour: 'orange' },
    Resolved: { meaning: 'done', colour: 'green' },
    Closed: { meaning: 'done', colour: 'default' },
    Reopened: { meaning: 'open', colour: 'volcano' },
  },
  moves: moves.map((move) => ({ ...move, after: storePauses })),
  path: ['Open', 'In progress', 'Resolved', 'Closed'],
  kept: { reason: 'statusReason', outcome: 'outcome', rootCause: 'rootCause', redressAmount: 'redressAmount', resolution: 'resolution' },
} as const satisfies WorkflowDefinition<'status' | 'statusReason' | 'outcome' | 'rootCause' | 'redressAmount' | 'resolution'>
