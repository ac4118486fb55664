import { may } from '../../kernel/area.ts'
import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { defineResource } from '../../kernel/resource/define.ts'

const kinds = [
  { value: 'Schedule', label: 'Loan and schedule', colour: 'red' },
  { value: 'Ledger', label: 'Loan and ledger', colour: 'red' },
  { value: 'Transactions', label: 'Transactions and ledger', colour: 'red' },
  { value: 'Payment', label: 'Payment and ledger', colour: 'red' },
  { value: 'Disbursement', label: 'Payout and ledger', colour: 'red' },
  { value: 'Entry', label: 'Entry that does not balance', colour: 'red' },
  { value: 'Missing here', label: 'On the statement, not booked', colour: 'orange' },
  { value: 'Missing there', label: 'Booked, not on the statement', colour: 'orange' },
  { value: 'Other amount', label: 'Other amount', colour: 'orange' },
  { value: 'Other day', label: 'Other day', colour: 'gold' },
]
const amount = (label: string) => ({ kind: 'money', label, readOnly: true, currency: 'company' }) as const

/** A place where schedule, ledger, balances or a statement do not agree. Found by reconcile() alone; a person may accept it with a reason. */
export const moneyDifference = defineResource({
  model: 'moneyDifference',
  one: 'moneyDifference',
  many: 'moneyDifferences',
  label: 'Difference',
  labelMany: 'Differences in the books',
  title: 'differenceNumber',
  isScoped: true,
  isSoftDeleted: true,
  workflow: {
    field: 'status',
    route: 'differences.move',
    states: {
      Open: { meaning: 'open', colour: 'red' },
      Accepted: { meaning: 'cancelled', colour: 'default' },
      Gone: { meaning: 'done', colour: 'green' },
    },
    kept: { reason: 'statusReason' },
    moves: [
      {
        name: 'accept',
        label: 'Accept',
        from: ['Open'],
        to: 'Accepted',
        access: may('LOAN/DISBURSEMENTS'),
        ask: { reason: { kind: 'longText', label: 'Why it may stay', required: true, maxLength: 500 } },
      },
      { name: 'end', label: 'Gone', from: ['Open', 'Accepted'], to: 'Gone', madeBy: 'program' },
      { name: 'return', label: 'Found again', from: ['Gone', 'Accepted'], to: 'Open', madeBy: 'program' },
    ],
  },
  fields: {
    differenceNumber: recordNumber({ prefix: 'X-', digits: 5 }, 'Difference'),
    kind: { kind: 'choice', label: 'Between', readOnly: true, options: kinds },
    what: { kind: 'text', label: 'What disagrees', readOnly: true },
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', readOnly: true },
    paymentId: { kind: 'reference', label: 'Payment', to: 'payment', readOnly: true },
    disbursementId: { kind: 'reference', label: 'Disbursement', to: 'disbursement', readOnly: true },
    statementId: { kind: 'reference', label: 'Statement', to: 'moneyStatement', readOnly: true },
    reference: { kind: 'text', label: 'Reference', readOnly: true },
    day: { kind: 'date', label: 'Day stated', readOnly: true },
    dayBooked: { kind: 'date', label: 'Day booked', readOnly: true },
    stated: { ...amount('Stated'), help: 'By the loan, the payment or the statement' },
    booked: { ...amount('In the books'), help: 'By the schedule, the transactions or the ledger' },
    difference: { ...amount('Difference'), sql: `coalesce(t."booked", 0) - coalesce(t."stated", 0)` },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    foundAt: { kind: 'dateTime', label: 'Found', readOnly: true },
    goneAt: { kind: 'dateTime', label: 'Gone', readOnly: true },
    key: { kind: 'text', label: 'Key', readOnly: true, isTechnical: true },
    lineId: { kind: 'text', label: 'Line (id)', readOnly: true, isTechnical: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'First found', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'differenceNumber',
      'status',
      'kind',
      'what',
      'loanId',
      'statementId',
      'reference',
      'stated',
      'booked',
      'difference',
      'day',
      'dayBooked',
      'foundAt',
    ],
    sort: ['foundAt', 'DESC'],
    size: 10_000,
    filters: ['status', 'kind', 'loanId', 'paymentId', 'disbursementId', 'statementId', 'tenantId', 'day', 'foundAt', 'goneAt'],
    dates: { found: { label: 'Found', field: 'foundAt', window: { kind: 'all' } } },
    empty: {
      title: 'The books agree',
      body: 'Schedule, ledger, balances and statements are compared every night, and whenever you say so.',
    },
  },
  actions: [
    {
      route: 'differences.run',
      label: 'Compare now',
      scope: 'page',
      confirm: {
        title: 'Compare the books now?',
        body: 'Every loan, payment and payout with the ledger, and every statement with the payments.',
      },
    },
  ],
})
