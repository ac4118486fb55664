import { callOf } from '../../../data/calls.ts'
import { tile, type HomeWidget } from '../tile.ts'

const screen = '/sales/leads'
const drawn = { source: callOf('leads.figures'), period: 'Captured in the last 30 days', needs: screen }

/** The list of the leads of a drawing over the last 30 days; the board fills in the days. */
const listedWhere = (field: string, key: string) =>
  `${screen}?dateType=created&from=:startDate&to=:endDate&filter=[{"field":"${field}","op":"eq","value":":${key}"}]`
const listedBetween = (from: string, to: string) => `${screen}?dateType=created&from=:${from}&to=:${to}`

/** Of leads: their numbers, and how they came in and went on. */
export const leadWidgets: readonly HomeWidget[] = [
  tile('leads-today', 'Leads captured today', screen),
  tile('leads-week', 'Leads captured, 7 days', screen),
  tile('leads-unassigned', 'New leads without an agent', screen),
  tile('leads-consent', 'Waiting for consent', screen),
  tile('leads-converted', 'Leads converted', screen),
  tile('leads-stale', 'Stale leads', screen),
  { ...tile('leads-decision', 'Credit decisions for me', screen), asks: 'LOAN/DISBURSEMENTS' },
  tile('my-leads', 'My leads', screen),
  {
    id: 'leads-status',
    title: 'Leads by status',
    draw: 'donut',
    ...drawn,
    value: 'byStatus',
    labelKey: 'label',
    valueKey: 'value',
    open: listedWhere('status', 'label'),
    span: 12,
  },
  {
    id: 'leads-day',
    title: 'Leads a day',
    draw: 'line',
    ...drawn,
    value: 'byDay',
    labelKey: 'label',
    valueKey: 'value',
    beforeKey: 'before',
    open: listedBetween('startDate', 'endDate'),
    openBefore: listedBetween('startBefore', 'endBefore'),
    span: 24,
  },
  {
    id: 'leads-funnel',
    title: 'From new to converted',
    draw: 'funnel',
    ...drawn,
    value: 'funnel',
    labelKey: 'stage',
    valueKey: 'reached',
    open: listedWhere('status', 'stage'),
    span: 24,
  },
  {
    id: 'leads-branch',
    title: 'Leads by branch',
    draw: 'bars',
    ...drawn,
    value: 'byBranch',
    labelKey: 'branch',
    valueKey: 'leads',
    open: listedWhere('tenantId', 'tenantId'),
    span: 12,
  },
  {
    id: 'leads-officer',
    title: 'Leads by officer',
    draw: 'bars',
    ...drawn,
    value: 'byOfficer',
    labelKey: 'officer',
    valueKey: 'leads',
    open: listedWhere('assignedUserId', 'assignedUserId'),
    span: 12,
  },
  {
    id: 'leads-agent',
    title: 'Leads by who captured them',
    draw: 'bars',
    ...drawn,
    value: 'byAgent',
    labelKey: 'label',
    valueKey: 'value',
    open: listedWhere('createdByUserId', 'createdByUserId'),
    span: 12,
  },
]
