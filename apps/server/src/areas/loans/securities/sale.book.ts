import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { Decimal, moneyText } from '@outpost/rules/money'
import { resourceNamed } from '../../../kernel/resource/define.ts'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../../kernel/types.ts'
import type { Moved } from '../../../kernel/workflow/types.ts'
import { post, reverse } from '../../ledger/index.ts'
import { recordPayment } from '../payments/payment.book.ts'
import { reversePayment } from '../payments/payment.moves.ts'
import { lockLoan, moneyAccount } from '../settling/loan.book.ts'

/** Its resource names what is here: it is looked up when something is booked. */
const sales = () => resourceNamed('securitySale') ?? fail('NOT_FOUND')
const keyOf = (id: string) => `security-sale:${id}`

/**
 * Books a sale: the price came in and its costs went out, what is left is a payment of the loan by the rules of every payment. Of a written-off loan it is a
 * recovery up to what was written off. What is beyond all that is owed is overpaid: it waits for its refund.
 */
export async function bookSale(ctx: Ctx, { id, record }: Moved): Promise<void> {
  const [loanId, soldOn] = [String(record['loanId']), String(record['soldOn'])]
  const account = (await lockLoan(ctx, loanId)) ?? fail('NOT_FOUND')
  const [price, costs] = [new Decimal(String(record['price'])), new Decimal(String(record['costs'] ?? 0))]
  const owedBefore = await owedOf(ctx, loanId)
  const from = moneyAccount(String(record['channel']))
  const [entryId] = await post(ctx, [
    {
      key: keyOf(id),
      kind: 'securitySale',
      tenantId: account.tenantId,
      valueOn: soldOn,
      text: `Sale ${String(record['saleNumber'])} of ${String(record['description'])}`,
      loanId,
      postings: [
        { account: from, amount: price },
        { account: 'securitySales', amount: price.negated() },
        { account: 'securitySales', amount: costs },
        { account: from, amount: costs.negated() },
      ],
    },
  ])
  if (!entryId) fail('ILLEGAL_TRANSITION', { message: 'This sale is booked already.' })
  const net = price.minus(costs)
  const paid = net.isZero()
    ? null
    : await recordPayment(ctx, {
        loanId,
        amount: moneyText(net),
        method: 'securitySale',
        provider: 'securitySale',
        providerReference: String(record['saleNumber']),
        paidOn: soldOn,
        note: `Sale of ${String(record['description'])}`,
      })
  const columns = { paymentId: paid ? String(paid.record['Id']) : null, owedBefore, shortfall: await owedOf(ctx, loanId) }
  await writeRecords(ctx, sales(), [{ kind: 'update', id, input: {}, columns }])
  await markVehicle(ctx, record['assetId'], 'Sold')
}

/** Takes a sale back by contra entries: its payment is none, the loan owes again what it owed. Refused while its surplus is refunded, or on its way. */
export async function reverseSale(ctx: Ctx, { id, record, asked }: Moved): Promise<void> {
  const reason = String(asked['reason'])
  if (record['paymentId']) await reversePayment(ctx, { id: String(record['paymentId']), reason })
  const entry = await ctx.sql.one<{ id: string }>(
    sql`select "id" from ledger_entry where "companyId" = ${ctx.company.id}::uuid and "key" = ${keyOf(id)}`,
  )
  await reverse(ctx, [entry.id], `Reversed: ${reason}`)
  await markVehicle(ctx, record['assetId'], 'Off the road')
}

/** What the client owes of a loan; of a written-off one what was written off and not recovered since. */
async function owedOf(ctx: Ctx, loanId: string): Promise<string> {
  const { owed } = await ctx.sql.one<{ owed: string }>(sql`
    select (case when l."writtenOffOn" is null then l."principalOwed" + l."interestOwed" + l."feesOwed" + l."penaltiesOwed"
      else l."writtenOff" - coalesce((select sum(a."amount") from payment_allocation a where a."companyId" = l."companyId" and a."loanId" = l."id" and a."part" = 'recovery' and a."supersededAt" is null), 0) end)::text as owed
    from loan l where l."companyId" = ${ctx.company.id}::uuid and l."id" = ${loanId}::uuid`)
  return owed
}

/** The vehicle says that it is sold, or not any more; one that the caller does not see stays as it is. */
async function markVehicle(ctx: Ctx, assetId: unknown, status: 'Sold' | 'Off the road'): Promise<void> {
  const vehicle = resourceNamed('asset')
  if (typeof assetId !== 'string' || !vehicle) return
  await writeRecords(ctx, vehicle, [{ kind: 'update', id: assetId, input: { status } }], { onRefusal: 'report' })
}
