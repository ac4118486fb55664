import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { atLeastZero, Decimal, moneyText, zero } from '@outpost/rules/money'
import type { Ctx } from '../../kernel/types.ts'
import type { Moved, Moving } from '../../kernel/workflow/types.ts'
import { post, today, type Purpose } from '../ledger/index.ts'
import { noteTransactions } from './settling/loan.book.ts'

/** Who opened a loan or asked for its payout does not write it off. */
export const makersOf = ({ company }: Ctx, id: string): Statement => sql`
  select "createdByUserId" as "userId", 'made' as part from loan where "companyId" = ${company.id}::uuid and "id" = ${id}::uuid
  union all select "createdByUserId", 'asked for the payout of' from disbursement where "companyId" = ${company.id}::uuid and "loanId" = ${id}::uuid`

const receivables = ['portfolio', 'interestReceivable', 'feeReceivable', 'insuranceReceivable', 'penaltyReceivable'] as const

/** Where what was paid before it was earned is earned with the write-off: it is nothing that the client still owes, and nothing that they get back. */
const earnedOn: Partial<Record<Purpose, Purpose>> = {
  interestReceivable: 'interestIncome',
  feeReceivable: 'feeIncome',
  insuranceReceivable: 'insurancePayable',
}

/** What the books say of a loan, by account: above zero it is owed, below it was paid ahead. */
const owedInBooks = (ctx: Ctx, id: string) =>
  ctx.sql.query<{ purpose: Purpose; balance: string }>(sql`
    select a."purpose", sum(l."debit" - l."credit")::text as balance from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId"
    where l."companyId" = ${ctx.company.id}::uuid and l."loanId" = ${id}::uuid and a."purpose" = any(${[...receivables]}::text[]) group by 1`)

const lossOf = (balances: readonly { balance: string }[]) => balances.reduce((sum, { balance }) => sum.plus(atLeastZero(balance)), zero)

/** Why a loan is not written off: what is owed and not earned yet is in no books, so that nothing would be lost. */
export const nothingToLose = async (ctx: Ctx, { id }: Moving): Promise<string | null> =>
  lossOf(await owedInBooks(ctx, id)).isZero() ? 'What it owes is not earned yet: there is nothing to write off before that is due.' : null

/** Columns of a loan that is being written off. The loan is locked by then. */
export async function writeOffColumns(ctx: Ctx, id: string) {
  const nothing = { principalOwed: '0.00', interestOwed: '0.00', feesOwed: '0.00', penaltiesOwed: '0.00', unpaidSince: null }
  return { ...nothing, writtenOffOn: today(ctx), writtenOff: moneyText(lossOf(await owedInBooks(ctx, id))) }
}

/** Takes what a loan still owes out of the books, as a loss. What its client pays from then on is a recovery. */
export async function bookWriteOff(ctx: Ctx, { id, record }: Moved): Promise<void> {
  const balances = await owedInBooks(ctx, id)
  const of = (purpose: Purpose) => new Decimal(balances.find((one) => one.purpose === purpose)?.balance ?? 0)
  const [entryId] = await post(ctx, [
    {
      key: `write-off:${id}`,
      kind: 'writeOff',
      tenantId: String(record['tenantId']),
      valueOn: today(ctx),
      text: `Loan ${String(record['loanNumber'])} written off`,
      loanId: id,
      postings: [
        { account: 'writeOffs', amount: lossOf(balances) },
        ...balances.flatMap(({ purpose, balance }) => [
          { account: earnedOn[purpose] ?? 'writeOffs', amount: new Decimal(balance).minus(atLeastZero(balance)) },
          { account: purpose, amount: new Decimal(balance).negated() },
        ]),
      ],
    },
  ])
  if (!entryId) throw new Error(`the loan ${id} was written off before`)
  const changes = { principal: moneyText(of('portfolio').negated()), penalty: moneyText(of('penaltyReceivable').negated()) }
  await noteTransactions(ctx, { loanId: id, bookedOn: today(ctx) }, [{ entryId, kind: 'writeOff', valueOn: today(ctx), changes }])
}
