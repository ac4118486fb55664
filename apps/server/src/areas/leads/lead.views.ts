import { leadStatuses, leadStatusNames } from '@outpost/rules/lead-status'
import { dashboard, detailOf } from '../../kernel/screens/screen.ts'
import type { FieldDefinition, PanelDefinition } from '../../kernel/types.ts'
import { lead } from './lead.resource.ts'

const figures = { method: 'GET', path: '/api/leads/figures' } as const
/** The list of the leads a figure counts: the same days, and a field that has a value. */
const leadsWhere = (field?: string, value?: string) =>
  `/sales/leads?dateType=created&from=:startDate&to=:endDate${field ? `&filter=${JSON.stringify([value === undefined ? { field, op: 'empty' } : { field, op: 'eq', value }])}` : ''}`

const text = (label: string): FieldDefinition => ({ kind: 'text', label })
const time = (label: string): FieldDefinition => ({ kind: 'dateTime', label })
const statuses = leadStatusNames.map((value) => ({ value, label: value, colour: leadStatuses[value].colour }))
const status = (label: string): FieldDefinition => ({ kind: 'choice', label, options: statuses })
const consentColours = { REQUESTED: 'gold', GRANTED: 'green', DECLINED: 'red', EXPIRED: 'default', WITHDRAWN: 'red' }
const consentStates = Object.entries(consentColours).map(([value, colour]) => ({ value, label: value, colour }))
const mergeStates = [{ value: 'OPEN', label: 'Can be undone', colour: 'blue' }, { value: 'UNDONE', label: 'Undone' }, { value: 'FINAL', label: 'Final' }]

const panels: PanelDefinition[] = [
  {
    key: 'consent', title: 'Consent', route: 'leads.consents', value: 'consents',
    fields: {
      status: { kind: 'choice', label: 'Status', options: consentStates }, channel: text('Channel'), mobileNumber: text('Number'), requestedAt: time('Requested'), who: text('By'),
      expiresAt: time('Expires'), answeredAt: time('Answered'), ip: text('Address'), device: text('Device'), textVersion: text('Text'), textHash: text('Hash of the text'),
      withdrawnAt: time('Withdrawn'), reason: text('Reason'),
    },
    empty: { title: 'The client was not asked yet', body: 'Ask for consent before the credit check; the answer is kept here with its evidence.' },
  },
  {
    key: 'activities', title: 'Activities', route: 'leads.activities', value: 'activities', open: '/sales/activities/:id/view',
    fields: { name: text('Name'), type: text('Type'), status: text('Status'), startDate: time('Start'), endDate: time('End'), agents: text('Agents'), location: text('Place') },
    empty: { title: 'Nothing is planned with this lead' },
  },
  {
    key: 'stages', title: 'Stages', route: 'leads.statusLog', value: 'statusLog',
    fields: {
      dateCreated: time('When'), fromStatus: status('From'), toStatus: status('To'), days: { kind: 'number', label: 'Days before' }, reason: text('Reason'),
      who: text('Who'), reallyWho: text('Really'), place: text('Where'),
    },
    empty: { title: 'The lead stands where it began' },
  },
  {
    key: 'assignments', title: 'Assignments', route: 'leads.assignments', value: 'assignments',
    fields: { dateCreated: time('From'), endedAt: time('Until'), agent: text('Agent'), who: text('Assigned by'), rule: text('Rule'), explanation: text('Why') },
    empty: { title: 'Nobody holds this lead yet', body: 'Assign it, or let the assignment rules choose.' },
  },
  {
    key: 'duplicates', title: 'Duplicates', route: 'leads.duplicates', value: 'duplicates', open: '/sales/leads/merge/:a/:b',
    fields: { name: text('Name'), score: { kind: 'percent', label: 'Likeness' }, reasons: text('Because of'), phonenumber: text('Phone'), status: status('Status'), city: text('Town'), dateCreated: time('Captured') },
    empty: { title: 'No lead looks like this one' },
  },
  {
    key: 'merges', title: 'Merged', route: 'leads.merges', value: 'merges',
    fields: { name: text('Took over'), phonenumber: text('Phone'), dateCreated: time('When'), who: text('Who'), state: { kind: 'choice', label: 'State', options: mergeStates }, until: time('Until'), undoneAt: time('Undone') },
    actions: [{
      route: 'leads.undoMerge', label: 'Undo the merge', scope: 'row', idField: 'id', visibleIf: { eq: ['state', 'OPEN'] },
      confirm: { title: 'Undo this merge?', body: 'Both leads come back as they were. What was changed since the merge stays.' },
    }],
    empty: { title: 'Nothing was merged into this lead' },
  },
]

/** A lead for reading: its facts, what belongs to it, and what happened. */
export const leadDetail = detailOf(lead, {
  timeline: 'leads.timeline', panels,
  over: {
    sections: [
      { title: 'Standing', rows: [['status', 'daysInStage'], ['pace', 'statusReason'], ['assignedUserId', 'tenantId'], ['consentStatus', 'consentDate'], ['clientId']] },
      { title: 'Affordability', rows: [['affordabilityOutcome', 'affordabilityDate'], ['installmentAmount', 'totalAffordability']] },
      { title: 'Person', rows: [['firstName', 'lastName'], ['phonenumber', 'emailAddress'], ['contactNumber', 'idNumber'], ['employer', 'empNumber'], ['type', 'source']] },
      { title: 'Place', rows: [['location', 'lineone'], ['city', 'state'], ['postcode', 'country']] },
      { title: 'Notes', rows: [['notes'], ['leadCreatedBy', 'dateCreated']] },
    ],
  },
})

const number = (id: string, title: string, open: string) => ({ id, title, draw: 'number' as const, source: figures, value: id, open, span: 8 as const })
const table = (value: string, title: string, open?: string) => ({ id: value, title, draw: 'table' as const, source: figures, value, span: 12 as const, ...(open ? { open } : {}) })

/** How leads of a period fare: totals, the funnel with the days each stage takes, and who brings them. Each figure opens its records. */
export const leadDashboard = dashboard({
  title: 'Leads dashboard',
  widgets: [
    number('total', 'Captured', leadsWhere()),
    number('consented', 'With consent', leadsWhere('consentStatus', 'GRANTED')),
    number('converted', 'Converted', leadsWhere('status', 'Converted')),
    number('unassigned', 'Unassigned', leadsWhere('assignedUserId')),
    number('stale', 'Stale', leadsWhere('pace', 'STALE')),
    number('open', 'Open', leadsWhere()),
    { ...table('funnel', 'Funnel', leadsWhere('status', ':stage')), span: 24 },
    { id: 'byStatus', title: 'By status', draw: 'donut', source: figures, value: 'byStatus', labelKey: 'label', valueKey: 'value', open: leadsWhere('status', ':label'), span: 12 },
    { id: 'byDay', title: 'Captured a day', draw: 'line', source: figures, value: 'byDay', labelKey: 'label', valueKey: 'value', span: 12 },
    table('bySource', 'By source', leadsWhere('source', ':source')),
    table('byOfficer', 'By officer', leadsWhere('assignedUserId', ':assignedUserId')),
    table('byBranch', 'By branch', leadsWhere('tenantId', ':tenantId')),
    table('byWeek', 'By week', '/sales/leads?dateType=created&from=:week&to=:until'),
  ],
})
