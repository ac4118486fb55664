import { randomUUIDv7 } from 'node:crypto'
import { sql } from '@outpost/platform/db/sql'
import type { ScheduleRow } from '@outpost/rules/lending/restructure'
import { Decimal, moneyText, type DecimalValue } from '@outpost/rules/money'
import type { Ctx } from '../../kernel/types.ts'
import { today } from '../ledger/index.ts'

/** The schedule of a loan as it is stored, with what is left of the principal after each row. */
export const scheduleRowsOf = (ctx: Ctx, loanId: string): Promise<ScheduleRow[]> =>
  ctx.sql.query<ScheduleRow>(sql`
    select "number", to_char("dueOn", 'YYYY-MM-DD') as "dueOn", "principal"::text, "interest"::text, "fee"::text, "insurance"::text, "balance"::text
    from loan_instalment where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${loanId}::uuid order by "number"`)

const parts = ['principal', 'interest', 'fee', 'insurance'] as const

/** Stores rows of a schedule after those that are there; `from` is what all rows before them ask for. */
export async function storeSchedule(ctx: Ctx, loanId: string, rows: readonly ScheduleRow[], from: DecimalValue = 0): Promise<void> {
  let dueSoFar = new Decimal(from)
  const stored = rows.map(({ number, dueOn, balance, ...amounts }) => {
    dueSoFar = parts.reduce((sum, part) => sum.plus(amounts[part]), dueSoFar)
    const texts = Object.fromEntries(parts.map((part) => [part, moneyText(amounts[part])]))
    return { number, dueOn, balance: moneyText(balance), dueSoFar: moneyText(dueSoFar), ...texts }
  })
  await ctx.sql.exec(sql`
    insert into loan_instalment ("companyId", "loanId", "number", "dueOn", "principal", "interest", "fee", "insurance", "balance", "dueSoFar")
    select ${ctx.company.id}::uuid, ${loanId}::uuid, "number", "dueOn", "principal", "interest", "fee", "insurance", "balance", "dueSoFar"
    from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as g("number" int, "dueOn" date, "principal" numeric, "interest" numeric, "fee" numeric,
      "insurance" numeric, "balance" numeric, "dueSoFar" numeric)`)
}

/** Puts rows in the place of those after the kept ones. The whole former schedule is kept as `pastId`: past days give the figures they gave. The loan is locked by then. */
export async function replaceSchedule(
  ctx: Ctx,
  { loanId, pastId, kept, rows }: { loanId: string; pastId: string; kept: readonly ScheduleRow[]; rows: readonly ScheduleRow[] },
): Promise<void> {
  await keepPast(ctx, loanId, pastId)
  await ctx.sql.exec(sql`
    delete from loan_instalment where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${loanId}::uuid and "number" > ${kept.at(-1)?.number ?? 0}::int`)
  const before = kept.reduce((sum, row) => parts.reduce((total, part) => total.plus(row[part]), sum), new Decimal(0))
  await storeSchedule(ctx, loanId, rows, before)
}

const keepPast = (ctx: Ctx, loanId: string, pastId: string) =>
  ctx.sql.exec(sql`
    insert into loan_instalment_past ("companyId", "loanId", "changeId", "number", "dueOn", "principal", "interest", "fee", "insurance", "balance", "dueSoFar", "replacedOn")
    select "companyId", "loanId", ${pastId}::uuid, "number", "dueOn", "principal", "interest", "fee", "insurance", "balance", "dueSoFar", ${today(ctx)}::date
    from loan_instalment where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${loanId}::uuid`)

/** Brings a former schedule back; the one that it was replaced by is kept as a past one too. */
export async function restoreSchedule(ctx: Ctx, { loanId, pastId }: { loanId: string; pastId: string }): Promise<void> {
  await keepPast(ctx, loanId, randomUUIDv7())
  await ctx.sql.exec(sql`delete from loan_instalment where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${loanId}::uuid`)
  await ctx.sql.exec(sql`
    insert into loan_instalment ("companyId", "loanId", "number", "dueOn", "principal", "interest", "fee", "insurance", "balance", "dueSoFar")
    select "companyId", "loanId", "number", "dueOn", "principal", "interest", "fee", "insurance", "balance", "dueSoFar"
    from loan_instalment_past where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${loanId}::uuid and "changeId" = ${pastId}::uuid`)
}
