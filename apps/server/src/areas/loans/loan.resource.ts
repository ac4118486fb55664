import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { creditTypes } from '@outpost/rules/products/product-terms'
import { fileCount } from '../../kernel/keeps/files.ts'
import { commentAction, commentCount } from '../../kernel/keeps/comments.ts'
import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { noteTransfer } from '../../kernel/keeps/transfers.ts'
import type { Ctx } from '../../kernel/types.ts'
import type { ModelRow } from '@outpost/platform/db/models'
import { defineResource } from '../../kernel/resource/define.ts'
import { methods } from './loan.methods.ts'
import { bucket, buckets, colours, daysPastDue, overdue } from './loan.arrears.ts'
import { linesOf } from './page/balance-line.resource.ts'
import { termFields } from './page/term.fields.ts'
import { bookWriteOff, makersOf, nothingToLose, writeOffColumns } from './loan.write-off.ts'

const program = { madeBy: 'program' } as const

/** A loan account. What is owed follows from its schedule and its payments (settle()); no form sets it. */
export const loan = defineResource({
  model: 'loan',
  one: 'loan',
  many: 'loans',
  label: 'Loan',
  labelMany: 'Loan accounts',
  title: 'loanNumber',
  isScoped: true,
  isSoftDeleted: true,
  hasSearchIndex: true,
  keeps: ['comments', 'files'],
  workflow: {
    field: 'status',
    route: 'loans.move',
    states: {
      Approved: { meaning: 'open', colour: 'blue' },
      Active: { meaning: 'started', colour: 'green' },
      Overpaid: { meaning: 'started', colour: 'gold' },
      Closed: { meaning: 'done', colour: 'default' },
      'Written off': { meaning: 'missed', colour: 'red' },
      Cancelled: { meaning: 'cancelled', colour: 'default' },
    },
    path: ['Approved', 'Active', 'Closed'],
    // An active loan waits for nobody: a write-off is decided when it is made.
    waits: [],
    kept: { reason: 'statusReason' },
    moves: [
      { name: 'pay', label: 'Paid out', from: ['Approved'], to: 'Active', ...program },
      { name: 'close', label: 'Closed', from: ['Active', 'Overpaid'], to: 'Closed', ...program },
      { name: 'overpay', label: 'Overpaid', from: ['Active', 'Closed'], to: 'Overpaid', ...program },
      { name: 'reopen', label: 'Opened again', from: ['Closed', 'Overpaid'], to: 'Active', ...program },
      {
        name: 'writeOff',
        label: 'Write off',
        from: ['Active'],
        to: 'Written off',
        danger: true,
        fourEyes: makersOf,
        refuse: nothingToLose,
        ask: { reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 } },
        after: bookWriteOff,
      },
      {
        name: 'cancel',
        label: 'Cancel',
        from: ['Approved'],
        to: 'Cancelled',
        danger: true,
        ask: { reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 } },
        refuse: async (ctx, { id }) =>
          (await ctx.sql.maybe(
            sql`select from disbursement where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${id}::uuid and "status" <> 'Rejected' and "deletedAt" is null`,
          ))
            ? 'A payout of this loan is on its way. Reject it first.'
            : null,
      },
    ],
  },
  fields: {
    loanNumber: recordNumber({ prefix: 'L-', digits: 6 }, 'Loan'),
    clientId: { kind: 'reference', label: 'Client', to: 'client', required: true, createOnly: true },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    productName: { kind: 'text', label: 'Product', readOnly: true },
    creditType: {
      kind: 'choice',
      label: 'Kind of credit',
      readOnly: true,
      options: [...creditTypes],
      help: 'By law: caps on its cost go by it',
    },
    principal: { kind: 'money', label: 'Principal', readOnly: true, currency: 'company' },
    owedAtPayout: { kind: 'money', label: 'Owed at payout', readOnly: true, currency: 'company' },
    paidOut: { kind: 'money', label: 'Paid out', readOnly: true, currency: 'company' },
    instalment: { kind: 'money', label: 'Instalment', readOnly: true, currency: 'company' },
    instalments: { kind: 'number', label: 'Instalments', readOnly: true },
    method: { kind: 'choice', label: 'Method', readOnly: true, sql: `t."terms" ->> 'method'`, options: methods },
    annualRate: { kind: 'text', label: 'Rate a year (%)', readOnly: true, sql: `t."terms" ->> 'annualRate'` },
    roundTo: { kind: 'text', label: 'Instalments are rounded to', readOnly: true, detailOnly: true, sql: `t."terms" ->> 'roundTo'` },
    ...termFields,
    terms: { kind: 'json', label: 'Terms', readOnly: true, detailOnly: true, isTechnical: true },
    disbursedOn: { kind: 'date', label: 'Paid out on', readOnly: true },
    maturesOn: { kind: 'date', label: 'Matures', readOnly: true },
    closedOn: { kind: 'date', label: 'Closed on', readOnly: true },
    writtenOffOn: { kind: 'date', label: 'Written off on', readOnly: true },
    writtenOff: { kind: 'money', label: 'Written off', readOnly: true, currency: 'company' },
    principalOwed: { kind: 'money', label: 'Principal owed', readOnly: true, currency: 'company', opens: linesOf('principal') },
    interestOwed: { kind: 'money', label: 'Interest owed', readOnly: true, currency: 'company', opens: linesOf('interest') },
    feesOwed: { kind: 'money', label: 'Fees and insurance owed', readOnly: true, currency: 'company', opens: linesOf('fees') },
    penaltiesOwed: { kind: 'money', label: 'Penalties owed', readOnly: true, currency: 'company', opens: linesOf('penalties') },
    owed: {
      kind: 'money',
      label: 'Owed',
      readOnly: true,
      sql: `t."principalOwed" + t."interestOwed" + t."feesOwed" + t."penaltiesOwed"`,
      opens: linesOf('owed'),
    },
    overdue: { kind: 'money', label: 'Overdue', readOnly: true, sql: overdue },
    overpaid: { kind: 'money', label: 'Overpaid', readOnly: true, currency: 'company', opens: linesOf('overpaid') },
    unpaidSince: { kind: 'date', label: 'Oldest unpaid instalment', readOnly: true },
    daysPastDue: { kind: 'number', label: 'Days past due', readOnly: true, sql: daysPastDue },
    bucket: {
      kind: 'choice',
      label: 'Arrears',
      readOnly: true,
      sql: bucket,
      options: buckets.map(({ value }, index) => ({ value, label: value, colour: colours[index] ?? 'default' })),
    },
    accruedTo: { kind: 'date', label: 'Interest booked to', readOnly: true },
    officerUserId: { kind: 'reference', label: 'Officer', to: 'user' },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    productVersionId: { kind: 'text', label: 'Product version (id)', readOnly: true, isTechnical: true },
    groupId: { kind: 'reference', label: 'Joint loan of', to: 'clientGroup', readOnly: true },
    settlesLoanId: { kind: 'reference', label: 'Pays off', to: 'loan', readOnly: true },
    applicationId: { kind: 'text', label: 'Application (id)', readOnly: true, isTechnical: true },
    comments: commentCount('loan'),
    files: fileCount('loan'),
    createdByUserId: { kind: 'reference', label: 'Made by', to: 'user', isCompanyWide: true, readOnly: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'loanNumber',
      'clientId',
      'status',
      'principal',
      'principalOwed',
      'overdue',
      'daysPastDue',
      'bucket',
      'instalment',
      'disbursedOn',
      'officerUserId',
      'tenantId',
    ],
    search: ['loanNumber', 'clientId', 'productName'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: [
      'status',
      'bucket',
      'daysPastDue',
      'clientId',
      'officerUserId',
      'tenantId',
      'groupId',
      'productName',
      'creditType',
      'principal',
      'principalOwed',
      'disbursedOn',
      'maturesOn',
      'writtenOffOn',
      'settlesLoanId',
    ],
    dates: {
      disbursed: { label: 'Paid out', field: 'disbursedOn', window: { kind: 'all' } },
      created: { label: 'Created', field: 'dateCreated', window: { kind: 'all' } },
    },
    empty: { title: 'No loans here', body: 'A loan is opened from an approved application, or here for a client.' },
  },
  form: [['clientId'], ['officerUserId']],
  actions: [
    commentAction('loans.comment'),
    {
      route: 'transfers.loans',
      label: 'Transfer',
      scope: 'bulk',
      idField: 'ids',
      many: true,
      form: {
        tenantId: { kind: 'reference', label: 'To branch', to: 'tenant', help: 'Left empty: it stays where it is' },
        officerUserId: {
          kind: 'reference',
          label: 'To officer',
          to: 'user',
          help: 'Must work in the branch. Left empty: stays, where the officer works there too',
        },
        reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 },
      },
    },
    { route: 'loans.statement', label: 'Statement as PDF', scope: 'row', download: true },
    {
      route: 'loans.topUp',
      label: 'Top up',
      scope: 'row',
      visibleIf: { eq: ['status', 'Active'] },
      form: {
        principal: {
          kind: 'money',
          label: 'Principal of the new loan',
          required: true,
          help: 'It pays this loan off; the rest is paid out',
        },
        annualRate: { kind: 'number', label: 'Rate a year (%)', min: 0, max: 1_000, help: 'Left empty: as it is' },
        instalments: { kind: 'number', label: 'Instalments', min: 1, max: 600, help: 'Left empty: as it is' },
      },
    },
    {
      route: 'loans.settlementLetter',
      label: 'Settlement quote as PDF',
      scope: 'row',
      download: true,
      visibleIf: { eq: ['status', 'Active'] },
      form: { on: { kind: 'date', label: 'Valid until', required: true } },
    },
    {
      route: 'loans.restructureLetter',
      label: 'Preview a restructure as PDF',
      scope: 'row',
      download: true,
      visibleIf: { eq: ['status', 'Active'] },
      form: {
        instalments: { kind: 'number', label: 'Instalments from now on', min: 1, max: 600 },
        annualRate: { kind: 'number', label: 'Rate a year (%)', min: 0, max: 1_000 },
        firstDueAt: { kind: 'date', label: 'First one due' },
        graceOnPrincipal: { kind: 'number', label: 'First ones without principal', min: 0, max: 120 },
      },
    },
  ],
  prepare: async (ctx, { before, input, id }) => {
    if (before && input.officerUserId === null) fail('INVALID', { fields: [{ field: 'officerUserId', message: 'is required' }] })
    if (before && input.officerUserId && input.tenantId === undefined) await noteOfficer(ctx, before, input.officerUserId)
    // The pipeline writes days and amounts as text.
    return before && input.status === 'Written off' && before.status !== 'Written off' ? (writeOffColumns(ctx, id) as Promise<object>) : {}
  },
})

/** An officer who is changed in the form is kept like one who is changed by a transfer. */
const noteOfficer = (ctx: Ctx, { id, tenantId, officerUserId, productName }: ModelRow<'loan'>, userId: string): Promise<void> =>
  noteTransfer(ctx, { one: 'loan', id, from: { tenantId, userId: officerUserId }, to: { tenantId, userId }, label: productName })
