import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { commentAction, commentCount } from '../../../kernel/keeps/comments.ts'
import { recordNumber } from '../../../kernel/keeps/numbering.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'
import type { Moved, Moving } from '../../../kernel/workflow/types.ts'
import { payOut } from './disbursement.payout.ts'
import { networkOptions } from '@outpost/rules/loans/mobile-money'
import { networkField, networkOf } from '../payments/payment.network.ts'
import { needsSecond, stillAlone } from './disbursement.limit.ts'
import { payRefund, refundable } from './disbursement.refund.ts'
import { toPayOut } from '../changes/top-up.ts'

type Row = ModelRow<'disbursement'>
const reason = { reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 } } as const

/** Money on its way to a client: asked for by one person, approved by another, sent, confirmed. */
export const disbursement = defineResource({
  model: 'disbursement',
  one: 'disbursement',
  many: 'disbursements',
  label: 'Disbursement',
  labelMany: 'Disbursements',
  title: 'disbursementNumber',
  isScoped: true,
  isSoftDeleted: true,
  hasSearchIndex: true,
  keeps: ['comments'],
  workflow: {
    field: 'status',
    route: 'disbursements.move',
    many: 'disbursements.moveMany',
    states: {
      Requested: { meaning: 'open', colour: 'blue' },
      Approved: { meaning: 'started', colour: 'cyan' },
      Sent: { meaning: 'started', colour: 'gold' },
      Confirmed: { meaning: 'done', colour: 'green' },
      Failed: { meaning: 'missed', colour: 'red' },
      Rejected: { meaning: 'cancelled', colour: 'default' },
    },
    path: ['Requested', 'Approved', 'Sent', 'Confirmed'],
    kept: { reason: 'statusReason', providerReference: 'providerReference', paidOn: 'paidOn' },
    moves: [
      {
        name: 'approve',
        label: 'Approve',
        from: ['Requested'],
        to: 'Approved',
        fourEyes: true,
        alone: { if: { eq: ['needsSecond', false] }, holds: stillAlone },
        refuse: openedByCaller,
      },
      { name: 'reject', label: 'Reject', from: ['Requested', 'Approved', 'Failed'], to: 'Rejected', danger: true, ask: reason },
      { name: 'send', label: 'Mark as sent', from: ['Approved'], to: 'Sent' },
      {
        name: 'confirm',
        label: 'Confirm',
        from: ['Sent'],
        to: 'Confirmed',
        ask: {
          providerReference: { kind: 'text', label: 'Reference of the payout', required: true, maxLength: 60 },
          paidOn: { kind: 'date', label: 'Paid out on', required: true },
        },
        after: paid,
      },
      { name: 'fail', label: 'It failed', from: ['Sent'], to: 'Failed', danger: true, ask: reason },
      { name: 'retry', label: 'Send again', from: ['Failed'], to: 'Sent' },
      // The provider says so after it had been taken for failed: the money is out.
      { name: 'confirmLate', label: 'Confirmed after all', from: ['Failed'], to: 'Confirmed', madeBy: 'program', after: paid },
    ],
  },
  fields: {
    disbursementNumber: recordNumber({ prefix: 'D-', digits: 6 }, 'Disbursement'),
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', required: true, createOnly: true },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
    kind: {
      kind: 'choice',
      label: 'Kind',
      required: true,
      createOnly: true,
      defaultValue: 'payout',
      options: [
        { value: 'payout', label: 'Payout', colour: 'blue' },
        { value: 'refund', label: 'Refund of what was overpaid', colour: 'purple' },
      ],
    },
    amount: {
      kind: 'money',
      label: 'Amount',
      createOnly: true,
      currency: 'company',
      help: 'Left empty: all that the loan brings, or all that is overpaid',
    },
    channel: {
      kind: 'choice',
      label: 'Channel',
      required: true,
      defaultValue: 'mobileMoney',
      options: [
        { value: 'mobileMoney', label: 'Mobile money', colour: 'green' },
        { value: 'bank', label: 'Bank transfer', colour: 'blue' },
        { value: 'cash', label: 'Cash', colour: 'gold' },
      ],
    },
    network: networkField({ eq: ['channel', 'mobileMoney'] }),
    payTo: { kind: 'text', label: 'Phone or account', maxLength: 60, help: 'Left empty: the phone of the client' },
    note: { kind: 'longText', label: 'Note', maxLength: 1_000 },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    needsSecond: { kind: 'boolean', label: 'A second person approves', readOnly: true },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    attempts: { kind: 'number', label: 'Times sent', readOnly: true },
    providerReference: { kind: 'text', label: 'Reference', readOnly: true },
    provider: { kind: 'text', label: 'Confirmed by', readOnly: true, options: networkOptions },
    providerAmount: {
      kind: 'money',
      label: 'Amount as the provider says',
      readOnly: true,
      currency: 'company',
      help: 'Where it is not the amount above, the night names it among the differences in the books',
    },
    sentAt: { kind: 'dateTime', label: 'Sent', readOnly: true },
    confirmedAt: { kind: 'dateTime', label: 'Confirmed', readOnly: true },
    paidOn: { kind: 'date', label: 'Paid out on', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    comments: commentCount('disbursement'),
    createdBy: { kind: 'text', label: 'Requested by', readOnly: true, given: { of: 'userName' } },
    createdByUserId: { kind: 'text', label: 'Requested by (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Requested', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'disbursementNumber',
      'loanId',
      'clientId',
      'amount',
      'status',
      'channel',
      'network',
      'payTo',
      'providerReference',
      'createdBy',
      'tenantId',
      'dateCreated',
    ],
    sort: ['dateCreated', 'DESC'],
    search: ['disbursementNumber', 'providerReference', 'payTo'],
    size: 10_000,
    filters: ['status', 'kind', 'channel', 'network', 'loanId', 'clientId', 'tenantId', 'paidOn', 'dateCreated', 'amount'],
    dates: {
      requested: { label: 'Requested', field: 'dateCreated', window: { kind: 'all' } },
      paid: { label: 'Paid out', field: 'paidOn', window: { kind: 'all' } },
    },
    empty: { title: 'No disbursements here', body: 'Ask for one for a loan that waits for its payout.' },
  },
  form: [['kind', 'loanId'], ['amount'], ['channel', 'network'], ['payTo'], ['note']],
  actions: [commentAction('disbursements.comment')],
  prepare: prepareDisbursement,
})

interface LoanRow {
  id: string
  settlesLoanId: string | null
  status: string
  clientId: string
  tenantId: string
  paidOut: string
  /** Null where the client is filed out of the caller's reach. */
  phone: string | null
}

/** Of a loan without an application nobody else has seen the terms: who opened it does not approve its payout too. */
async function openedByCaller(ctx: Ctx, { before }: Moving): Promise<string | null> {
  const own = await ctx.sql.maybe(sql`
    select from loan where "companyId" = ${ctx.company.id}::uuid and "id" = ${String(before['loanId'])}::uuid and "applicationId" is null
      and "createdByUserId" = any(${[ctx.user.id, ctx.realUser.id]}::uuid[])`)
  return own && before['kind'] === 'payout' ? 'Another person has to decide: you opened this loan.' : null
}

/** What follows the money: a payout makes the loan run, a refund takes from what is overpaid. */
function paid(ctx: Ctx, moved: Moved): Promise<void> {
  return moved.record['kind'] === 'refund' ? payRefund(ctx, moved) : payOut(ctx, moved)
}

/** Amount, client and branch are the loan's, which is locked: who cancels it at this moment waits, or is waited for. Once somebody approved it, where the money goes may not be changed any more. */
async function prepareDisbursement(ctx: Ctx, { kind, id, input, before }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  if (kind === 'update' && before) return { ...inState(input, before), ...(await networkOf(ctx, input, before)) }
  const loan = await ctx.sql.maybe<LoanRow>(sql`
    select l."id", l."status", l."clientId", l."tenantId", l."paidOut"::text, l."settlesLoanId", c."phonenumber" as phone from loan l left join client c on c."companyId" = l."companyId" and c."id" = l."clientId"
    where l."companyId" = ${ctx.company.id}::uuid and l."id" = ${input.loanId ?? null}::uuid and l."deletedAt" is null for update of l`)
  if (!loan) return {}
  const isRefund = input.kind === 'refund'
  if (!isRefund && loan.status !== 'Approved')
    fail('INVALID', { fields: [{ field: 'loanId', message: `is ${loan.status}: there is nothing to pay out` }] })
  const given = input.amount == null ? null : String(input.amount)
  const amount = isRefund ? await refundable(ctx, loan.id, given) : await toPayOut(ctx, loan)
  if (given !== null && Number(given) !== Number(amount))
    fail('INVALID', { fields: [{ field: 'amount', message: `is ${amount}: a loan is paid out whole` }] })
  const payTo = input.payTo?.trim() || (input.channel === 'mobileMoney' ? loan.phone : null)
  if (input.channel !== 'cash' && !payTo) fail('INVALID', { fields: [{ field: 'payTo', message: 'is required' }] })
  const isForTwo = await needsSecond(ctx, { id, loanId: loan.id, kind: isRefund ? 'refund' : 'payout', amount })
  const { network } = await networkOf(ctx, input)
  return {
    clientId: loan.clientId,
    tenantId: loan.tenantId,
    amount: amount as never,
    network: network ?? null,
    payTo,
    needsSecond: isForTwo,
  }
}

function inState(input: Partial<Row>, before: Row): Partial<Row> {
  const changed = (['channel', 'network', 'payTo'] as const).filter((key) => input[key] !== undefined && input[key] !== before[key])
  if (before.status !== 'Requested' && changed[0] !== undefined)
    fail('INVALID', {
      fields: changed.map((field) => ({ field, message: 'cannot be changed once it is approved: reject it and ask anew' })),
    })
  if (input.status === undefined || input.status === before.status) return {}
  if (input.status === 'Sent') return { attempts: before.attempts + 1, sentAt: new Date() }
  return input.status === 'Confirmed' ? { confirmedAt: new Date() } : {}
}
