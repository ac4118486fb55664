import { sql } from '@outpost/platform/db/sql'
import { csvField } from '@outpost/rules/spreadsheet'
import { z } from 'zod'
import { daySchema } from '../../kernel/days.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'

export const exportInput = z.strictObject({ day: daySchema })

interface Row {
  [column: string]: unknown
}
const columns = ['bookedOn', 'valueOn', 'entry', 'kind', 'text', 'account', 'accountName', 'branch', 'loan', 'debit', 'credit', 'currency']

/**
 * All lines booked on a day in the caller's branches as CSV, for the company's accounts elsewhere. Entries are booked on the day they are made, in the branch
 * that the loan was in, so a past day stays as it was.
 */
export async function exportDay(ctx: Ctx, { day }: z.infer<typeof exportInput>): Promise<Answer> {
  const rows = await ctx.sql.query<Row>(sql`
    select to_char(e."bookedOn", 'YYYY-MM-DD') as "bookedOn", to_char(e."valueOn", 'YYYY-MM-DD') as "valueOn", e."id"::text as "entry", e."kind", e."text",
      a."code" as "account", a."name" as "accountName", b."shortCode" as "branch", coalesce(e."loanId"::text, '') as "loan",
      l."debit"::text as "debit", l."credit"::text as "credit", ${ctx.company.currency}::text as "currency"
    from ledger_line l join ledger_entry e on e."companyId" = l."companyId" and e."id" = l."entryId"
      join ledger_account a on a."companyId" = l."companyId" and a."id" = l."accountId" left join tenant b on b."companyId" = l."companyId" and b."id" = l."tenantId"
    where l."companyId" = ${ctx.company.id}::uuid and l."bookedOn" = ${day}::date
      and (${ctx.scope === '*'} or l."tenantId" = any(${ctx.scope === '*' ? [] : [...ctx.scope]}::uuid[])) order by e."dateCreated", e."id", l."credit", a."code"`)
  const text = [columns, ...rows.map((row) => columns.map((key) => String(row[key])))]
    .map((cells) => cells.map(csvField).join(','))
    .join('\r\n')
  const body = Buffer.from(`\uFEFF${text}\r\n`, 'utf8')
  return { file: { name: `ledger-${day}.csv`, mimeType: 'text/csv', size: body.length, body } }
}
