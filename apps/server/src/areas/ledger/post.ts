import { randomUUIDv7 } from 'node:crypto'
import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import { Decimal, moneyText, zero, type DecimalValue } from '@outpost/rules/money'
import { companyDay } from '../../kernel/days.ts'
import type { Ctx } from '../../kernel/types.ts'
import { chartOf, type Purpose } from './chart.ts'

/** A side of an entry: an amount above zero is a debit, one below zero a credit. */
export interface Posting {
  account: Purpose
  amount: DecimalValue
}
export interface NewEntry {
  /** Says what is booked: a key is booked once, whoever says it again. */
  key: string
  kind: string
  /** The branch it is booked in. */
  tenantId: string
  /** The day it is about (YYYY-MM-DD); it is booked today. */
  valueOn: string
  text: string
  loanId?: string | null
  paymentId?: string | null
  /** Their sum must be zero; those of zero are left out. */
  postings: readonly Posting[]
}

/** Today in the company, YYYY-MM-DD: the day that entries are booked on. */
export const today = companyDay

/**
 * Books entries in the running transaction and gives the id of each, in order; null for a key that was booked before. Throws when one does not balance:
 * that is a fault of the program, and Postgres would refuse it too.
 */
export async function post(ctx: Ctx, entries: readonly NewEntry[]): Promise<(string | null)[]> {
  if (entries.length === 0) return []
  const accounts = await chartOf(ctx)
  const made = entries.map((entry) => ({ ...entry, id: randomUUIDv7(), lines: linesOf(entry, accounts) }))
  const booked = await ctx.sql.query<{ id: string }>(
    prepared(
      sql`
    insert into ledger_entry ("companyId", "id", "tenantId", "key", "kind", "bookedOn", "valueOn", "text", "loanId", "paymentId", "createdByUserId")
    select ${ctx.company.id}::uuid, "id", "tenantId", "key", "kind", ${today(ctx)}::date, "valueOn", "text", "loanId", "paymentId", ${ctx.user.id}::uuid
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb)
      as g("id" uuid, "tenantId" uuid, "key" text, "kind" text, "valueOn" date, "text" text, "loanId" uuid, "paymentId" uuid)
    on conflict do nothing returning "id"`,
      'write',
    ),
  )
  const ids = new Set(booked.map(({ id }) => id))
  const lines = made
    .filter(({ id }) => ids.has(id))
    .flatMap(({ id, tenantId, loanId, lines: own }) => own.map((line) => ({ ...line, entryId: id, tenantId, loanId })))
  if (lines.length > 0)
    await ctx.sql.exec(
      prepared(
        sql`
      insert into ledger_line ("companyId", "id", "tenantId", "entryId", "accountId", "bookedOn", "loanId", "debit", "credit")
      select ${ctx.company.id}::uuid, uuidv7(), "tenantId", "entryId", "accountId", ${today(ctx)}::date, "loanId", "debit", "credit"
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        as g("tenantId" uuid, "entryId" uuid, "accountId" uuid, "loanId" uuid, "debit" numeric, "credit" numeric)`,
        'write',
      ),
    )
  return made.map(({ id }) => (ids.has(id) ? id : null))
}

function linesOf(
  { key, postings }: NewEntry,
  accounts: ReadonlyMap<Purpose, string>,
): { accountId: string; debit: string; credit: string }[] {
  const amounts = postings.map(({ account, amount }) => ({ account, amount: new Decimal(amount) })).filter(({ amount }) => !amount.isZero())
  const rest = amounts.reduce((sum, { amount }) => sum.plus(amount), zero)
  if (amounts.length < 2 || !rest.isZero()) throw new Error(`the entry ${key} does not balance: ${rest.toFixed()}`)
  return amounts.map(({ account, amount }) => ({
    accountId: accounts.get(account) ?? '',
    debit: moneyText(amount.gt(0) ? amount : zero),
    credit: moneyText(amount.lt(0) ? amount.negated() : zero),
  }))
}

/** Takes entries back by contra entries booked today, each once; gives the id of each contra entry, by the entry it reverses. */
export async function reverse(ctx: Ctx, ids: readonly string[], text: string): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const contra = await ctx.sql.query<{ id: string; reversesId: string }>(sql`
    insert into ledger_entry ("companyId", "id", "tenantId", "key", "kind", "bookedOn", "valueOn", "text", "loanId", "paymentId", "reversesId", "createdByUserId")
    select e."companyId", uuidv7(), e."tenantId", 'contra:' || e."id", 'reversal', ${today(ctx)}::date, e."valueOn", ${text}, e."loanId", e."paymentId", e."id", ${ctx.user.id}::uuid
    from ledger_entry e where e."companyId" = ${ctx.company.id}::uuid and e."id" = any(${[...ids]}::uuid[])
    on conflict do nothing returning "id", "reversesId"`)
  await ctx.sql.exec(sql`
    insert into ledger_line ("companyId", "id", "tenantId", "entryId", "accountId", "bookedOn", "loanId", "debit", "credit")
    select l."companyId", uuidv7(), l."tenantId", c."id", l."accountId", c."bookedOn", l."loanId", l."credit", l."debit"
    from ledger_entry c join ledger_line l on l."companyId" = c."companyId" and l."entryId" = c."reversesId"
    where c."companyId" = ${ctx.company.id}::uuid and c."id" = any(${contra.map(({ id }) => id)}::uuid[])`)
  return new Map(contra.map(({ id, reversesId }) => [reversesId, id]))
}
