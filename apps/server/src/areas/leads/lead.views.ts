import { openLeadStatuses } from '@outpost/rules/leads/lead-stage'
import { duplicatesPanel, mergesPanel } from '../clients/index.ts'
import { dashboard, detailOf } from '../../kernel/screens/screen.ts'
import type { FieldDefinition, LayoutDefinition, PanelDefinition } from '../../kernel/types.ts'
import { boardOf } from '../../kernel/workflow/describe.ts'
import { affordabilityRun } from './credit/affordability-run.resource.ts'
import { originFields, resultFields } from './credit/assessment.fields.ts'
import { leadsBetween, leadsWhere } from './lead.addresses.ts'
import { consentOptions, consentPurposes, lead, statusOptions } from './lead.resource.ts'

const figures = 'leads.figures'

const text = (label: string): FieldDefinition => ({ kind: 'text', label })
const time = (label: string): FieldDefinition => ({ kind: 'dateTime', label })
const status = (label: string): FieldDefinition => ({ kind: 'choice', label, options: statusOptions })

const panels: PanelDefinition[] = [
  {
    key: 'consent',
    title: 'Consent',
    route: 'leads.consents',
    value: 'consents',
    note: 'requests.note',
    fields: {
      purpose: { kind: 'choice', label: 'For', options: consentPurposes },
      status: { kind: 'choice', label: 'Status', options: consentOptions },
      channel: text('Channel'),
      mobileNumber: text('Number'),
      requestedAt: time('Requested'),
      who: text('By'),
      expiresAt: time('Expires'),
      answeredAt: time('Answered'),
      ip: text('Address'),
      device: text('Device'),
      textVersion: text('Text'),
      textHash: text('Hash of the text'),
      withdrawnAt: time('Withdrawn'),
      reason: text('Reason'),
    },
    empty: {
      title: 'The client was not asked yet',
      body: 'Ask for consent before the credit check; the answer is kept here with its evidence.',
    },
  },
  {
    key: 'affordability',
    title: 'Affordability',
    route: 'leads.assessments',
    value: 'runs',
    open: '/sales/leads/affordability/:id',
    fields: { ...resultFields, reasons: text('Because'), ...originFields },
    empty: { title: 'Not assessed yet', body: 'Open an affordability calculator and save its result to this lead.' },
  },
  {
    key: 'stages',
    title: 'Stages',
    route: 'leads.statusLog',
    value: 'statusLog',
    fields: {
      dateCreated: time('When'),
      fromStatus: status('From'),
      toStatus: status('To'),
      days: { kind: 'number', label: 'Days before' },
      reason: text('Reason'),
      who: text('Who'),
      reallyWho: text('Really'),
      place: text('Where'),
    },
    empty: { title: 'The lead is where it began' },
  },
  {
    key: 'assignments',
    title: 'Assignments',
    route: 'leads.assignments',
    value: 'assignments',
    fields: {
      dateCreated: time('From'),
      endedAt: time('Until'),
      agent: text('Agent'),
      who: text('Assigned by'),
      rule: text('Rule'),
      explanation: text('Why'),
    },
    empty: { title: 'Nobody holds this lead yet', body: 'Assign it, or let the assignment rules choose.' },
  },
  duplicatesPanel({ one: 'lead', route: 'leads.duplicates', open: '/sales/leads/merge/:a/:b', statuses: statusOptions }),
  mergesPanel({ one: 'lead', many: 'leads', route: 'leads.merges', undo: 'leads.undoMerge' }),
]

/** A lead for reading: its facts, what belongs to it, and what happened. */
export const leadDetail = detailOf(lead, {
  panels,
  overrides: {
    sections: [
      {
        title: 'Standing',
        rows: [
          ['status', 'daysInStage'],
          ['pace', 'statusReason'],
          ['assignedUserId', 'tenantId'],
          ['consentStatus', 'consentDate'],
          ['clientId', 'contactChangedAt'],
        ],
      },
      {
        title: 'Affordability',
        rows: [
          ['affordabilityOutcome', 'affordabilityDate'],
          ['installmentAmount', 'totalAffordability'],
        ],
      },
      {
        title: 'Person',
        rows: [
          ['firstName', 'lastName'],
          ['phonenumber', 'emailAddress'],
          ['contactNumber', 'idNumber'],
          ['employer', 'empNumber'],
          ['type', 'source'],
        ],
      },
      {
        title: 'Place',
        rows: [
          ['location', 'lineone'],
          ['city', 'state'],
          ['postcode', 'country'],
        ],
      },
      { title: 'Notes', rows: [['notes'], ['leadCreatedBy', 'dateCreated']] },
    ],
  },
})

/** An assessment as it was made: result, every step and what was entered. */
export const assessmentDetail = detailOf(affordabilityRun, {
  panels: [
    {
      key: 'steps',
      title: 'Steps',
      route: 'leads.runSteps',
      value: 'steps',
      empty: { title: 'No steps were kept' },
      fields: {
        label: text('Step'),
        formula: text('Formula'),
        figures: text('Figures'),
        value: text('Value'),
        unverified: { kind: 'boolean', label: 'Unverified rule' },
      },
    },
    {
      key: 'inputs',
      title: 'Inputs',
      route: 'leads.runSteps',
      value: 'inputs',
      empty: { title: 'Nothing was entered' },
      fields: { name: text('Input'), value: text('Value') },
    },
  ],
})

const number = (id: string, title: string, open: string) => ({
  id,
  title,
  draw: 'number' as const,
  source: figures,
  value: id,
  open,
  span: 8 as const,
})
/** A number beside that of as many days before. */
const compared = (id: string, title: string, open: string) => ({ ...number(id, title, open), value: `tiles.${id}` })
const table = (value: string, title: string, open?: string) => ({
  id: value,
  title,
  draw: 'table' as const,
  source: figures,
  value,
  span: 12 as const,
  ...(open ? { open } : {}),
})

/** The list as a board by status and on a map. */
export const leadLayouts: readonly LayoutDefinition[] = [
  boardOf(lead, {
    lines: ['phonenumber', 'stageAge', 'assignedUserId', 'city'],
    badge: 'pace',
    sum: 'installmentAmount',
    summary: 'leads.board',
  }),
  { kind: 'map', latKey: 'latitude', lngKey: 'longitude', colourKey: 'status', labelKey: 'fullName', near: true },
]

/** How leads of a period fare: totals, the funnel with the days each stage takes, and who brings them. Each figure opens its records. */
export const leadDashboard = dashboard({
  title: 'Leads dashboard',
  widgets: [
    compared('total', 'Captured', leadsBetween('startDate', 'endDate')),
    compared('consented', 'With consent', leadsWhere('consentStatus', 'GRANTED')),
    compared('converted', 'Converted', leadsWhere('status', 'Converted')),
    number('unassigned', 'Unassigned', leadsWhere('assignedUserId')),
    number('stale', 'Stale', leadsWhere('pace', 'STALE')),
    number('open', 'Open', leadsWhere('status', openLeadStatuses)),
    {
      id: 'funnel',
      title: 'Funnel',
      draw: 'funnel',
      source: figures,
      value: 'funnel',
      labelKey: 'stage',
      valueKey: 'reached',
      open: leadsWhere('status', ':stage'),
      span: 24,
    },
    {
      id: 'byStatus',
      title: 'By status',
      draw: 'donut',
      source: figures,
      value: 'byStatus',
      labelKey: 'label',
      valueKey: 'value',
      open: leadsWhere('status', ':label'),
      span: 12,
    },
    {
      id: 'byDay',
      title: 'Captured a day',
      draw: 'line',
      source: figures,
      value: 'byDay',
      labelKey: 'label',
      valueKey: 'value',
      beforeKey: 'before',
      open: leadsBetween('startDate', 'endDate'),
      openBefore: leadsBetween('startBefore', 'endBefore'),
      span: 12,
    },
    table('bySource', 'By source', leadsWhere('source', ':source')),
    table('byOfficer', 'By officer', leadsWhere('assignedUserId', ':assignedUserId')),
    table('byBranch', 'By branch', leadsWhere('tenantId', ':tenantId')),
    table('byWeek', 'By week', leadsBetween('week', 'until')),
  ],
})
