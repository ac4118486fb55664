import { sql } from '@outpost/platform/db/sql'
import { commentAction, commentCount } from '../../kernel/keeps/comments.ts'
import { fileCount } from '../../kernel/keeps/files.ts'
import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { leftStateFilter } from '../../kernel/workflow/left-state.ts'
import { categories, channels, outcomes, rootCauses, severityOptions, ways } from './complaint.options.ts'
import { complaintWorkflow } from './complaint.moves.ts'
import { prepareComplaint } from './complaint.rules.ts'

const statuses = complaintWorkflow.states
const open = `t."resolvedAt" is null`

/** What a client complains about. The user whom it is about sees nothing of it, in nobody's name. */
export const complaint = defineResource({
  model: 'complaint',
  one: 'complaint',
  many: 'complaints',
  label: 'Complaint',
  labelMany: 'Complaints',
  title: 'subject',
  isScoped: true,
  // Nothing removes a complaint: it stays in the register.
  isSoftDeleted: true,
  keeps: ['comments', 'files'],
  hasSearchIndex: true,
  workflow: complaintWorkflow,
  hiddenFrom: ['accusedUserId'],
  visible: ({ user, realUser }) => sql`(t."accusedUserId" is null or t."accusedUserId" not in (${user.id}::uuid, ${realUser.id}::uuid))`,
  fields: {
    complaintNumber: recordNumber({ prefix: 'K-', digits: 5 }),
    subject: { kind: 'text', label: 'Subject', required: true, maxLength: 160 },
    status: {
      kind: 'choice',
      label: 'Status',
      readOnly: true,
      given: 'Open',
      options: Object.entries(statuses).map(([value, { colour }]) => ({ value, label: value, colour: colour ?? 'default' })),
    },
    severity: { kind: 'choice', label: 'Severity', required: true, defaultValue: 'Medium', options: severityOptions },
    channel: { kind: 'choice', label: 'Came in by', required: true, defaultValue: 'Branch', options: channels },
    category: { kind: 'choice', label: 'Category', required: true, options: categories },
    product: { kind: 'text', label: 'Product', maxLength: 80 },
    clientId: { kind: 'reference', label: 'Client', to: 'client' },
    loanId: {
      kind: 'reference',
      label: 'Loan',
      to: 'loan',
      help: 'The loan of the client that it is about; product and client are taken from it',
    },
    complainantName: { kind: 'text', label: 'Complainant', maxLength: 120, help: 'Who complains, where it is no client' },
    complainantPhone: { kind: 'phone', label: 'Phone' },
    complainantEmail: { kind: 'email', label: 'E-mail', help: 'Letters go there; without: to the client’s own address' },
    accusedUserId: {
      kind: 'reference',
      label: 'About',
      to: 'user',
      help: 'The colleague whom it is about sees nothing of it, anywhere',
    },
    ownerUserId: { kind: 'reference', label: 'Handled by', to: 'user', given: { of: 'userId' } },
    description: { kind: 'longText', label: 'What happened', maxLength: 4_000, detailOnly: true },
    receivedAt: { kind: 'dateTime', label: 'Received', createOnly: true, help: 'Left empty: now' },
    firstResponseDueAt: { kind: 'dateTime', label: 'Reply due', readOnly: true },
    firstResponseAt: { kind: 'dateTime', label: 'First reply', readOnly: true },
    resolutionDueAt: { kind: 'dateTime', label: 'To be settled by', readOnly: true },
    resolvedAt: { kind: 'dateTime', label: 'Settled', readOnly: true },
    closedAt: { kind: 'dateTime', label: 'Closed', readOnly: true },
    regulatorDueAt: {
      kind: 'dateTime',
      label: 'Ombud from',
      readOnly: true,
      help: 'From then on the client may go to the ombud or the regulator: six weeks after it came in, unless the company has another time',
    },
    isReplyOverdue: {
      kind: 'boolean',
      label: 'Reply overdue',
      readOnly: true,
      sql: `t."firstResponseAt" is null and t."firstResponseDueAt" < now()`,
    },
    isOverdue: {
      kind: 'boolean',
      label: 'Overdue',
      readOnly: true,
      sql: `${open} and t."status" <> 'Waiting client' and t."resolutionDueAt" < now()`,
    },
    isUnsettled: { kind: 'boolean', label: 'Unsettled', readOnly: true, sql: open },
    isNearOmbud: {
      kind: 'boolean',
      label: 'Ombud within a week',
      readOnly: true,
      sql: `${open} and t."regulatorDueAt" < now() + interval '7 days'`,
    },
    statusReason: { kind: 'text', label: 'Why it waits', readOnly: true, detailOnly: true },
    outcome: { kind: 'choice', label: 'Outcome', readOnly: true, options: outcomes },
    rootCause: { kind: 'choice', label: 'Root cause', readOnly: true, options: rootCauses },
    redressAmount: { kind: 'money', label: 'Redress', readOnly: true, currency: 'company', min: 0 },
    resolution: { kind: 'longText', label: 'What was decided', readOnly: true, detailOnly: true },
    comments: commentCount('complaint'),
    files: fileCount('complaint'),
    leftStatus: leftStateFilter({ one: 'complaint', field: 'status', label: 'Left the status' }),
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdByUserId: { kind: 'reference', label: 'Taken by', to: 'user', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Taken', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'complaintNumber',
      'subject',
      'status',
      'severity',
      'clientId',
      'category',
      'ownerUserId',
      'resolutionDueAt',
      'isOverdue',
      'tenantId',
      'receivedAt',
    ],
    search: ['complaintNumber', 'subject', 'complainantName', 'description'],
    sort: ['receivedAt', 'DESC'],
    size: 10_000,
    filters: [
      'status',
      'severity',
      'channel',
      'category',
      'product',
      'outcome',
      'rootCause',
      'ownerUserId',
      'accusedUserId',
      'clientId',
      'loanId',
      'tenantId',
      'isUnsettled',
      'isOverdue',
      'isReplyOverdue',
      'isNearOmbud',
      'receivedAt',
      'leftStatus',
    ],
    dates: {
      received: { label: 'Received', field: 'receivedAt', window: { kind: 'all' } },
      settled: { label: 'Settled', field: 'resolvedAt', window: { kind: 'week' } },
    },
    empty: { title: 'No complaints here', body: 'Take one down when a client is not content: both clocks begin then.' },
  },
  form: [
    ['subject'],
    ['channel', 'category', 'severity'],
    ['clientId', 'loanId', 'product'],
    ['complainantName', 'complainantPhone', 'complainantEmail'],
    ['accusedUserId', 'ownerUserId', 'receivedAt'],
    ['description'],
  ],
  actions: [
    {
      route: 'complaints.reply',
      label: 'Reply to the client',
      scope: 'row',
      form: {
        way: { kind: 'choice', label: 'How', required: true, defaultValue: 'phone', options: [...ways] },
        text: { kind: 'longText', label: 'What the client was told', required: true, maxLength: 4_000 },
      },
    },
    {
      route: 'complaints.sendLetter',
      label: 'Send a letter',
      scope: 'row',
      form: {
        kind: { kind: 'choice', label: 'Letter', required: true, defaultValue: 'acknowledgement', options: letterOptions() },
        way: {
          kind: 'choice',
          label: 'How',
          required: true,
          defaultValue: 'mail',
          options: ways.filter(({ value }) => value === 'mail' || value === 'post'),
          help: 'By post: print it and send it; this writes down that you did.',
        },
      },
    },
    { route: 'complaints.acknowledgement', label: 'Print acknowledgement', scope: 'row', download: true },
    { route: 'complaints.statusLetter', label: 'Print status letter', scope: 'row', download: true },
    commentAction('complaints.comment'),
  ],
  prepare: prepareComplaint,
})

function letterOptions() {
  return [
    { value: 'acknowledgement', label: 'Acknowledgement' },
    { value: 'status', label: 'State' },
  ]
}
