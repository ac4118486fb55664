import type { Condition } from '@outpost/contract/fields'
import { networkOptions } from '@outpost/rules/loans/mobile-money'
import { commentAction, commentCount } from '../../../kernel/keeps/comments.ts'
import { recordNumber } from '../../../kernel/keeps/numbering.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import { channels } from '../../messages/index.ts'

export const methods = [
  { value: 'cash', label: 'Cash', colour: 'gold' },
  { value: 'cheque', label: 'Cheque', colour: 'default' },
  { value: 'transfer', label: 'Bank transfer', colour: 'blue' },
  { value: 'card', label: 'Card', colour: 'purple' },
  { value: 'mobileMoney', label: 'Mobile money', colour: 'green' },
  { value: 'topUp', label: 'Top-up', colour: 'cyan' },
  { value: 'securitySale', label: 'Sale of a security', colour: 'purple' },
]
const allocations = `coalesce((select json_agg(json_build_object('instalment', a."number", 'part', a."part", 'amount', a."amount") order by a."number", a."part")
  from payment_allocation a where a."companyId" = t."companyId" and a."paymentId" = t."id" and a."supersededAt" is null), '[]')`
const program = { madeBy: 'program' } as const
/** What a payment is kept under, where it is not the name of a provider of the company. */
const providers = [
  ...networkOptions,
  { value: 'manual', label: 'Captured by hand' },
  { value: 'bank', label: 'Statement of the bank' },
  { value: 'topUp', label: 'Top-up' },
  { value: 'securitySale', label: 'Sale of a security' },
]
/** What a top-up or a sale paid is not taken back by itself. */
const isCaptured: Condition = { not: { in: ['method', ['topUp', 'securitySale']] } }

/** Money that came in: for a loan, or in suspense until somebody knows whose it is. Its amount is never changed; it is reversed. */
export const payment = defineResource({
  model: 'payment',
  one: 'payment',
  many: 'payments',
  label: 'Payment',
  labelMany: 'Payments',
  title: 'paymentNumber',
  isScoped: true,
  isSoftDeleted: true,
  hasSearchIndex: true,
  keeps: ['comments'],
  workflow: {
    field: 'status',
    route: 'payments.reverse',
    states: {
      Posted: { meaning: 'done', colour: 'green' },
      Suspense: { meaning: 'open', colour: 'orange' },
      Reversed: { meaning: 'cancelled', colour: 'default' },
    },
    kept: { reason: 'statusReason' },
    moves: [
      { name: 'allocate', label: 'Allocate', from: ['Suspense'], to: 'Posted', ...program },
      { name: 'release', label: 'Move to suspense', from: ['Posted'], to: 'Suspense', ...program },
      { name: 'reverse', label: 'Reverse', from: ['Posted', 'Suspense'], to: 'Reversed', ...program },
    ],
  },
  fields: {
    paymentNumber: recordNumber({ prefix: 'R-', digits: 6, isPooled: true }, 'Receipt'),
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', createOnly: true, help: 'Left empty: the money waits in suspense' },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
    amount: { kind: 'money', label: 'Amount', required: true, createOnly: true, currency: 'company' },
    method: { kind: 'choice', label: 'Method', required: true, createOnly: true, defaultValue: 'cash', options: methods },
    provider: {
      kind: 'text',
      label: 'Provider',
      options: providers,
      createOnly: true,
      maxLength: 30,
      help: 'The network that mobile money came by. All else that is captured by hand is manual',
    },
    providerReference: {
      kind: 'text',
      label: 'Reference',
      createOnly: true,
      maxLength: 60,
      help: 'Number of the transfer, cheque or mobile-money message',
    },
    paidOn: { kind: 'date', label: 'Paid on', required: true, createOnly: true },
    kind: {
      kind: 'choice',
      label: 'Kind',
      readOnly: true,
      options: [
        { value: 'repayment', label: 'Repayment', colour: 'blue' },
        { value: 'recovery', label: 'Recovery', colour: 'purple' },
      ],
    },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    payerName: { kind: 'text', label: 'Payer', maxLength: 120 },
    payerPhone: { kind: 'text', label: 'Payer’s phone', maxLength: 25 },
    billReference: { kind: 'text', label: 'Said to be for', maxLength: 60 },
    note: { kind: 'longText', label: 'Note', maxLength: 1_000 },
    allocations: { kind: 'json', label: 'Allocated', readOnly: true, detailOnly: true, isTechnical: true, sql: allocations },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    comments: commentCount('payment'),
    createdBy: { kind: 'text', label: 'Captured by', readOnly: true, given: { of: 'userName' } },
    createdByUserId: { kind: 'text', label: 'Captured by (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Captured', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'paymentNumber',
      'paidOn',
      'amount',
      'status',
      'loanId',
      'clientId',
      'method',
      'provider',
      'providerReference',
      'payerName',
      'tenantId',
      'dateCreated',
    ],
    sort: ['dateCreated', 'DESC'],
    search: ['paymentNumber', 'providerReference', 'payerName', 'payerPhone'],
    size: 10_000,
    filters: [
      'status',
      'method',
      'provider',
      'kind',
      'loanId',
      'clientId',
      'tenantId',
      'paidOn',
      'amount',
      'providerReference',
      'dateCreated',
    ],
    dates: {
      paid: { label: 'Paid on', field: 'paidOn', window: { kind: 'all' } },
      captured: { label: 'Captured', field: 'dateCreated', window: { kind: 'all' } },
    },
    empty: { title: 'No payments here', body: 'Capture one, or connect a provider of mobile money.' },
  },
  form: [['loanId', 'amount'], ['method', 'paidOn'], ['provider', 'providerReference'], ['payerName', 'payerPhone'], ['note']],
  actions: [
    {
      route: 'payments.allocate',
      label: 'Allocate to a loan',
      scope: 'row',
      visibleIf: { eq: ['status', 'Suspense'] },
      form: { loanId: { kind: 'reference', label: 'Loan', to: 'loan', required: true } },
    },
    commentAction('payments.comment'),
    { route: 'payments.receipt', label: 'Receipt as PDF', scope: 'row', download: true },
    {
      route: 'payments.sendReceipt',
      label: 'Send the receipt',
      scope: 'row',
      visibleIf: { eq: ['status', 'Posted'] },
      form: {
        channel: {
          kind: 'choice',
          label: 'How',
          required: true,
          defaultValue: 'mail',
          options: channels.map((one) => ({ ...one })),
          help: 'To the address or number of the client',
        },
      },
    },
    {
      route: 'payments.release',
      label: 'Move to suspense',
      scope: 'row',
      visibleIf: { and: [{ eq: ['status', 'Posted'] }, isCaptured] },
      form: { reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 } },
    },
    {
      route: 'payments.reverse',
      label: 'Reverse',
      scope: 'row',
      danger: true,
      visibleIf: { and: [{ in: ['status', ['Posted', 'Suspense']] }, isCaptured] },
      form: { reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 } },
    },
  ],
})
