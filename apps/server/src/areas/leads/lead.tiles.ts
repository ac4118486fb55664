import type { Tile } from '../../kernel/screens/tiles.ts'
import { waitingTile } from '../../kernel/workflow/waiting.ts'
import { creditPermission } from './credit/lead.decision.ts'
import { lead } from './lead.resource.ts'

const base = { resource: lead, permissions: ['SALES/LEADS'], screen: '/sales/leads' } satisfies Partial<Tile>
const is = (field: string, value: string) => ({ field, op: 'eq' as const, value })

/** What dashboards count of leads. */
export const leadTiles: readonly Tile[] = [
  { ...base, id: 'leads-today', days: { type: 'created', from: 0, to: 0 }, period: 'Today' },
  { ...base, id: 'leads-week', days: { type: 'created', from: -6, to: 0 }, period: 'Last 7 days' },
  { ...base, id: 'leads-unassigned', terms: () => [is('status', 'New'), { field: 'assignedUserId', op: 'empty' }] },
  { ...base, id: 'leads-consent', terms: () => [is('consentStatus', 'REQUESTED')] },
  {
    ...base,
    id: 'leads-converted',
    terms: () => [is('status', 'Converted')],
    days: { type: 'created', from: -29, to: 0 },
    period: 'Captured in the last 30 days',
  },
  { ...base, id: 'leads-stale', terms: () => [is('pace', 'STALE')] },
  waitingTile(lead, { ...base, id: 'leads-decision', alsoNeeds: creditPermission }),
  { ...base, id: 'my-leads', terms: ({ user }) => [is('assignedUserId', user.id)] },
]
