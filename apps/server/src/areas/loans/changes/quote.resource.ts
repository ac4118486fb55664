import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { recordNumber } from '../../../kernel/keeps/numbering.ts'
import { dayText } from '../../../kernel/days.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import { findLoan } from '../settling/loan.book.ts'
import { settlementQuote } from '../loan.quotes.ts'

type Row = ModelRow<'settlementQuote'>
const amount = (label: string) => ({ kind: 'money', label, readOnly: true, currency: 'company' }) as const
const program = { madeBy: 'program' } as const

/** What settles a loan early, promised until a day. A payment that covers it by then ends the loan; interest of the days after is never asked for. */
export const settlement = defineResource({
  model: 'settlementQuote',
  one: 'settlementQuote',
  many: 'settlementQuotes',
  label: 'Settlement quote',
  labelMany: 'Settlement quotes',
  title: 'quoteNumber',
  isScoped: true,
  isSoftDeleted: true,
  hasSearchIndex: true,
  workflow: {
    field: 'status',
    route: 'settlements.move',
    states: {
      Open: { meaning: 'open', colour: 'blue' },
      Settled: { meaning: 'done', colour: 'green' },
      Expired: { meaning: 'missed', colour: 'default' },
      Withdrawn: { meaning: 'cancelled', colour: 'default' },
    },
    moves: [
      { name: 'settle', label: 'Settled', from: ['Open', 'Expired'], to: 'Settled', ...program },
      { name: 'expire', label: 'Expired', from: ['Open'], to: 'Expired', ...program },
      { name: 'undo', label: 'Payment taken back', from: ['Settled'], to: 'Open', ...program },
      { name: 'withdraw', label: 'Withdraw', from: ['Open'], to: 'Withdrawn', danger: true },
    ],
  },
  fields: {
    quoteNumber: recordNumber({ prefix: 'Q-', digits: 6 }, 'Quote'),
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', required: true, createOnly: true },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
    validUntil: { kind: 'date', label: 'Valid until', required: true, createOnly: true },
    quotedOn: { kind: 'date', label: 'Quoted on', readOnly: true },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    total: amount('To be paid in all'),
    principal: amount('Principal'),
    interest: amount('Interest to that day'),
    fees: amount('Fees and insurance due'),
    penalties: amount('Penalties'),
    saved: amount('Saved against the schedule'),
    paymentId: { kind: 'reference', label: 'Settled by', to: 'payment', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdBy: { kind: 'text', label: 'Quoted by', readOnly: true, given: { of: 'userName' } },
    createdByUserId: { kind: 'text', label: 'Quoted by (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Quoted', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['quoteNumber', 'loanId', 'clientId', 'total', 'validUntil', 'status', 'saved', 'paymentId', 'createdBy', 'tenantId'],
    sort: ['dateCreated', 'DESC'],
    search: ['quoteNumber'],
    size: 1_000,
    filters: ['status', 'loanId', 'clientId', 'validUntil', 'tenantId', 'dateCreated'],
    empty: { title: 'No quotes here', body: 'Make one on the page of a loan: it says what settles it, until a day.' },
  },
  form: [['loanId'], ['validUntil']],
  prepare: prepareQuote,
})

/** The amounts are those of the day it is valid until. */
async function prepareQuote(ctx: Ctx, { kind, input }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind !== 'create') return {}
  const found = await findLoan(ctx, String(input.loanId))
  if (!found) return {}
  if (found.status !== 'Active') fail('INVALID', { fields: [{ field: 'loanId', message: `is ${found.status}` }] })
  const on = input.validUntil instanceof Date ? dayText(input.validUntil) : String(input.validUntil)
  const { loanNumber: _, client: __, validUntil: ___, ...amounts } = await settlementQuote(ctx, { id: found.id, on, field: 'validUntil' })
  return { ...amounts, clientId: found.clientId, tenantId: found.tenantId, quotedOn: today(ctx) } as unknown as Partial<Row>
}
