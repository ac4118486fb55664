import type { BoardWidget, Tile } from '../../kernel/screens/widgets.ts'
import { waitingTile } from '../../kernel/workflow/waiting.ts'
import { creditPermission } from './credit/lead.decision.ts'
import { leadsBetween, leadsWhere } from './lead.addresses.ts'
import { lead } from './lead.resource.ts'

const base = { resource: lead, permissions: ['SALES/LEADS'], screen: '/sales/leads' } satisfies Partial<Tile>
const is = (field: string, value: string) => ({ field, op: 'eq' as const, value })

/** What dashboards count of leads. */
export const leadTiles: readonly Tile[] = [
  {
    ...base,
    id: 'leads-today',
    title: 'Leads captured today',
    days: { type: 'created', from: 0, to: 0 },
    period: 'Today',
    on: { home: { branch: 10, team: 10, own: 10 }, sales: { team: 50 } },
  },
  {
    ...base,
    id: 'leads-week',
    title: 'Leads captured, 7 days',
    days: { type: 'created', from: -6, to: 0 },
    period: 'Last 7 days',
    on: { home: { director: 10, admin: 50, own: 20 }, sales: { director: 10, branch: 10, admin: 10, own: 30 } },
  },
  {
    ...base,
    id: 'leads-unassigned',
    title: 'New leads without an agent',
    terms: () => [is('status', 'New'), { field: 'assignedUserId', op: 'empty' }],
    on: { home: { branch: 20, team: 20, admin: 60 }, sales: { branch: 20, team: 60, admin: 20 } },
  },
  {
    ...base,
    id: 'leads-consent',
    title: 'Waiting for consent',
    terms: () => [is('consentStatus', 'REQUESTED')],
    on: { home: { branch: 40, team: 40, own: 30 }, sales: { team: 70, own: 40 } },
  },
  {
    ...base,
    id: 'leads-converted',
    title: 'Leads converted',
    terms: () => [is('status', 'Converted')],
    days: { type: 'created', from: -29, to: 0 },
    period: 'Captured in the last 30 days',
    on: { home: { director: 20 }, sales: { director: 20 } },
  },
  {
    ...base,
    id: 'leads-stale',
    title: 'Stale leads',
    terms: () => [is('pace', 'STALE')],
    on: { home: { director: 40, branch: 30, team: 30 }, sales: { director: 40 } },
  },
  waitingTile(lead, {
    ...base,
    id: 'leads-decision',
    title: 'Credit decisions for me',
    alsoNeeds: creditPermission,
    // What waits for one's own decision comes before all that one only looks at.
    on: { home: { director: 1, branch: 1, team: 1, own: 1 }, sales: {} },
  }),
  {
    ...base,
    id: 'my-leads',
    title: 'My leads',
    terms: ({ user }) => [is('assignedUserId', user.id)],
    on: { home: { own: 40 } },
  },
]

const drawn = { source: 'leads.figures', period: 'Captured in the last 30 days', labelKey: 'label', valueKey: 'value', span: 12 } as const

/** What dashboards draw of leads: how they came in and went on. */
export const leadWidgets: readonly BoardWidget[] = [
  {
    ...drawn,
    id: 'leads-status',
    title: 'Leads by status',
    draw: 'donut',
    value: 'byStatus',
    open: leadsWhere('status', ':label'),
    on: { home: { director: 100, branch: 120, team: 120, admin: 110, own: 90 }, sales: { admin: 60, own: 80 } },
  },
  {
    ...drawn,
    id: 'leads-day',
    title: 'Leads a day',
    draw: 'line',
    value: 'byDay',
    beforeKey: 'before',
    open: leadsBetween('startDate', 'endDate'),
    openBefore: leadsBetween('startBefore', 'endBefore'),
    span: 24,
    on: {
      home: { director: 80, branch: 130, team: 130, own: 110 },
      sales: { director: 80, branch: 80, team: 130, admin: 90, own: 100 },
    },
  },
  {
    ...drawn,
    id: 'leads-funnel',
    title: 'From new to converted',
    draw: 'funnel',
    value: 'funnel',
    labelKey: 'stage',
    valueKey: 'reached',
    open: leadsWhere('status', ':stage'),
    span: 24,
    on: { home: { director: 70 }, sales: { director: 70, branch: 70, own: 70 } },
  },
  {
    ...drawn,
    id: 'leads-branch',
    title: 'Leads by branch',
    draw: 'bars',
    value: 'byBranch',
    labelKey: 'branch',
    valueKey: 'leads',
    open: leadsWhere('tenantId', ':tenantId'),
    on: { home: { director: 60, admin: 100 }, sales: { director: 60, admin: 50 } },
  },
  {
    ...drawn,
    id: 'leads-officer',
    title: 'Leads by officer',
    draw: 'bars',
    value: 'byOfficer',
    labelKey: 'officer',
    valueKey: 'leads',
    open: leadsWhere('assignedUserId', ':assignedUserId'),
    on: { home: { branch: 90, team: 90 }, sales: { branch: 60, team: 90 } },
  },
  {
    ...drawn,
    id: 'leads-agent',
    title: 'Leads by who captured them',
    draw: 'bars',
    value: 'byAgent',
    open: leadsWhere('createdByUserId', ':createdByUserId'),
    on: { home: { own: 100 }, sales: { admin: 100 } },
  },
]
