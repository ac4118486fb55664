import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { sql } from '@outpost/platform/db/sql'
import { Decimal } from '@outpost/rules/money'
import { takeTurn } from '@outpost/platform/db/turn'
import { dayText } from '../../../kernel/days.ts'
import { recordNumber } from '../../../kernel/keeps/numbering.ts'
import { defineResource } from '../../../kernel/resource/define.ts'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'
import { today } from '../../ledger/index.ts'
import { networkField, networkOf } from '../payments/payment.network.ts'
import { findLoan, type LockedLoan } from '../settling/loan.book.ts'
import { bookSale, reverseSale } from './sale.book.ts'

type Row = ModelRow<'securitySale'>
const reason = { reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 } } as const
const amount = (label: string) => ({ kind: 'money', label, currency: 'company', min: 0, max: 999_999_999_999 }) as const
const figure = (label: string) => ({ kind: 'money', label, currency: 'company', readOnly: true }) as const
const allocated = (label: string, parts: string) =>
  ({
    ...figure(label),
    sql: `coalesce((select sum(a."amount") from payment_allocation a where a."companyId" = t."companyId" and a."paymentId" = t."paymentId" and a."supersededAt" is null and ${parts}), 0)`,
  }) as const

/** The sale of what secured a loan, such as a repossessed vehicle: entered by one person, booked by another. What it brings, less its costs, pays the loan; what is beyond belongs to the client. */
export const securitySale = defineResource({
  model: 'securitySale',
  one: 'securitySale',
  many: 'securitySales',
  label: 'Sale of a security',
  labelMany: 'Sales of securities',
  title: 'saleNumber',
  isScoped: true,
  isSoftDeleted: true,
  hasSearchIndex: true,
  workflow: {
    field: 'status',
    route: 'securitySales.move',
    states: {
      Requested: { meaning: 'open', colour: 'blue' },
      Booked: { meaning: 'done', colour: 'green' },
      Rejected: { meaning: 'cancelled', colour: 'red' },
      Reversed: { meaning: 'cancelled', colour: 'default' },
    },
    path: ['Requested', 'Booked'],
    kept: { reason: 'statusReason' },
    moves: [
      { name: 'book', label: 'Book', from: ['Requested'], to: 'Booked', fourEyes: true, after: bookSale },
      { name: 'reject', label: 'Reject', from: ['Requested'], to: 'Rejected', danger: true, ask: reason },
      { name: 'reverse', label: 'Reverse', from: ['Booked'], to: 'Reversed', danger: true, ask: reason, after: reverseSale },
    ],
  },
  fields: {
    saleNumber: recordNumber({ prefix: 'S-', digits: 6 }, 'Sale'),
    loanId: { kind: 'reference', label: 'Loan', to: 'loan', required: true, createOnly: true },
    clientId: { kind: 'reference', label: 'Client', to: 'client', readOnly: true },
    assetId: {
      kind: 'reference',
      label: 'Vehicle',
      to: 'asset',
      createOnly: true,
      help: 'One that secures this loan: its record names the loan or its client',
    },
    description: { kind: 'text', label: 'What was sold', maxLength: 200, help: 'Left empty: the vehicle' },
    soldOn: { kind: 'date', label: 'Sold on', required: true },
    valuation: amount('Value before the sale'),
    price: { ...amount('Price'), required: true, min: 0.01 },
    costs: {
      ...amount('Costs of the sale'),
      required: true,
      defaultValue: 0,
      help: 'Towing, storage, auction. They are paid from where the price came in',
    },
    net: { ...figure('Net proceeds'), sql: `t."price" - t."costs"` },
    channel: {
      kind: 'choice',
      label: 'Came in by',
      required: true,
      defaultValue: 'bank',
      options: [
        { value: 'bank', label: 'Bank transfer', colour: 'blue' },
        { value: 'cash', label: 'Cash', colour: 'gold' },
        { value: 'mobileMoney', label: 'Mobile money', colour: 'green' },
      ],
    },
    network: networkField({ eq: ['channel', 'mobileMoney'] }),
    buyer: { kind: 'text', label: 'Buyer', maxLength: 120 },
    reference: { kind: 'text', label: 'Reference', maxLength: 60, help: 'Number of the transfer, invoice or auction' },
    note: { kind: 'longText', label: 'Note', maxLength: 1_000 },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    owedBefore: figure('Owed before'),
    settled: allocated('Paid of the loan', `a."part" <> 'overpaid'`),
    surplus: allocated('Surplus of the client', `a."part" = 'overpaid'`),
    shortfall: figure('Still owed after it'),
    paymentId: { kind: 'reference', label: 'Payment', to: 'payment', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdBy: { kind: 'text', label: 'Entered by', readOnly: true, given: { of: 'userName' } },
    createdByUserId: { kind: 'text', label: 'Entered by (id)', readOnly: true, isTechnical: true, given: { of: 'userId' } },
    dateCreated: { kind: 'dateTime', label: 'Entered', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'saleNumber',
      'loanId',
      'clientId',
      'description',
      'soldOn',
      'price',
      'costs',
      'net',
      'surplus',
      'shortfall',
      'status',
      'tenantId',
    ],
    sort: ['dateCreated', 'DESC'],
    search: ['saleNumber', 'description', 'buyer', 'reference'],
    size: 1_000,
    filters: ['status', 'loanId', 'clientId', 'assetId', 'soldOn', 'tenantId', 'dateCreated'],
    dates: { sold: { label: 'Sold on', field: 'soldOn', window: { kind: 'all' } } },
    empty: { title: 'No sales here', body: 'Enter one on the page of a loan or of the vehicle that secured it.' },
  },
  form: [
    ['loanId', 'assetId'],
    ['description'],
    ['soldOn', 'valuation'],
    ['price', 'costs'],
    ['channel', 'network'],
    ['reference', 'buyer'],
    ['note'],
  ],
  prepare: prepareSale,
})

/** Client and branch are the loan's; what was decided on is not changed any more. */
async function prepareSale(ctx: Ctx, { kind, id, input, before }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  if (before) {
    if (before.status !== 'Requested') refuseChanges(input, before)
    else refuseFigures({ ...before, ...input })
    const sold = before.status === 'Requested' && input.soldOn !== undefined ? await findLoan(ctx, before.loanId) : undefined
    if (sold) refuseDay(ctx, sold, textOf(input.soldOn))
    return before.status === 'Requested' ? networkOf(ctx, input, before) : {}
  }
  const loan = await findLoan(ctx, String(input.loanId))
  if (!loan) return {}
  if (loan.status !== 'Active' && loan.status !== 'Written off')
    fail('INVALID', { fields: [{ field: 'loanId', message: `is ${loan.status}: nothing is owed on it` }] })
  refuseFigures(input)
  refuseDay(ctx, loan, textOf(input.soldOn))
  return {
    clientId: loan.clientId,
    tenantId: loan.tenantId,
    description: await descriptionOf(ctx, loan, { ...input, id }),
    ...(await networkOf(ctx, input)),
  }
}

const figures = ['description', 'soldOn', 'valuation', 'price', 'costs', 'channel', 'network', 'buyer', 'reference'] as const
const textOf = (value: unknown) => (value instanceof Date ? dayText(value) : value == null ? '' : String(value as string))
function refuseChanges(input: Partial<Row>, before: Row): void {
  const numberOf = (value: unknown) => (value == null || value === '' ? '' : String(Number(value)))
  const changed = figures.filter((key) => {
    const read = ['valuation', 'price', 'costs'].includes(key) ? numberOf : textOf
    return Object.hasOwn(input, key) && read(input[key]) !== read(before[key])
  })
  if (changed.length > 0)
    fail('INVALID', { fields: changed.map((field) => ({ field, message: `cannot be changed: the sale is ${before.status}` })) })
}

function refuseFigures({ price, costs }: Partial<Row>): void {
  if (new Decimal(String(costs ?? 0)).gt(String(price ?? 0)))
    fail('INVALID', { fields: [{ field: 'costs', message: 'are more than the price' }] })
}

function refuseDay(ctx: Ctx, { disbursedOn }: LockedLoan, soldOn: string): void {
  if (soldOn > today(ctx)) fail('INVALID', { fields: [{ field: 'soldOn', message: 'lies in the future' }] })
  if (disbursedOn !== null && soldOn < disbursedOn)
    fail('INVALID', { fields: [{ field: 'soldOn', message: `is before the loan was paid out (${disbursedOn})` }] })
}

/** The vehicle in words, where nothing else is said. INVALID where it is not the client's, or nothing says what was sold. */
async function descriptionOf(
  ctx: Ctx,
  { id: loanId, clientId }: LockedLoan,
  { id, assetId, description }: Partial<Row> & { id: string },
): Promise<string> {
  const said = description?.trim()
  if (!assetId) return said || fail('INVALID', { fields: [{ field: 'description', message: 'or a vehicle is required' }] })
  const vehicle = await ctx.sql.maybe<{ words: string }>(sql`
    select concat_ws(' ', "registrationNumber", "make", "model") as words from asset
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${assetId}::uuid and coalesce("loanId" = ${loanId}::uuid, "clientId" = ${clientId}::uuid, false) and "deletedAt" is null`)
  if (!vehicle) return fail('INVALID', { fields: [{ field: 'assetId', message: 'is not a vehicle that secures this loan' }] })
  await refuseSold(ctx, { id, clientId, assetId })
  return said || vehicle.words.slice(0, 200)
}

/** A vehicle is sold once: a sale that waits or is booked blocks another one, until it is rejected or reversed. What one client lost may be another's later. */
async function refuseSold(ctx: Ctx, { id, clientId, assetId }: { id: string; clientId: string; assetId: string }): Promise<void> {
  await takeTurn(ctx.sql, `sale of ${ctx.company.id} ${assetId}`)
  const other = await ctx.sql.maybe<{ sale: string }>(sql`
    select 'S-' || lpad("number"::text, greatest(6, length("number"::text)), '0') as sale from security_sale where "companyId" = ${ctx.company.id}::uuid and "assetId" = ${assetId}::uuid
      and "id" <> ${id}::uuid and ("status" = 'Requested' or "status" = 'Booked' and "clientId" = ${clientId}::uuid) and "deletedAt" is null order by "number" limit 1`)
  if (other)
    fail('INVALID', { fields: [{ field: 'assetId', message: `is sold by ${other.sale} already: reject or reverse that one first` }] })
}
