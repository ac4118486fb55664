import { sql } from '@outpost/platform/db/sql'
import { may } from '../../../kernel/area.ts'
import type { Ctx } from '../../../kernel/types.ts'
import type { Moving, WorkflowDefinition } from '../../../kernel/workflow/types.ts'

const why = { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } } as const
const access = may('CLIENTS/GROUPS/EDIT')

/** A group forms, works and ends. It works with as many members as it says it needs, and with somebody who chairs it. */
export const groupWorkflow: WorkflowDefinition<'status' | 'statusReason'> = {
  field: 'status',
  route: 'clientGroups.move',
  many: 'clientGroups.moveMany',
  kept: { reason: 'statusReason' },
  path: ['Forming', 'Active'],
  states: {
    Forming: { meaning: 'open', colour: 'gold' },
    Active: { meaning: 'started', colour: 'green' },
    Closed: { meaning: 'cancelled', colour: 'default' },
  },
  moves: [
    { name: 'activate', label: 'Activate', from: ['Forming'], to: 'Active', access, refuse: refuseToWork },
    { name: 'close', label: 'Close', from: ['Forming', 'Active'], to: 'Closed', access, ask: why, danger: true },
  ],
}

async function refuseToWork(ctx: Ctx, { id, before }: Moving): Promise<string | null> {
  const { members, chairs } = await ctx.sql.one<{ members: number; chairs: number }>(sql`
    select count(*)::int as members, count(*) filter (where "role" = 'Chair')::int as chairs
    from client_group_member where "companyId" = ${ctx.company.id}::uuid and "groupId" = ${id}::uuid`)
  const least = Number(before['minMembers'])
  if (members < least) return `A group needs ${least} members to work; this one has ${members}.`
  return chairs === 0 ? 'Nobody chairs this group yet.' : null
}
