import { sql } from '@outpost/platform/db/sql'
import type { QuoteRow } from '@outpost/rules/products/quote'
import { z } from 'zod'
import type { HistoryOptions } from '../../kernel/keeps/history.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { application } from './application.resource.ts'

const money = z.string()
export const scheduleAnswer = z.strictObject({
  rows: z.array(
    z.strictObject({
      number: z.int(),
      dueOn: z.iso.date(),
      principal: money,
      interest: money,
      fee: money,
      insurance: money,
      total: money,
      balance: money,
    }),
  ),
})

/** The schedule as it was quoted with the last save, row by row. */
export async function applicationSchedule(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, application, id)
  const { rows } = await ctx.sql.one<{ rows: QuoteRow[] }>(
    sql`select "quote" -> 'rows' as rows from loan_application where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
  )
  return { data: { rows } }
}

/** What follows from other fields or has entries of its own is not listed twice. */
export const applicationHistory: HistoryOptions = {
  acts: { 'loanApplication.create': 'Made' },
  except: [
    'status',
    'statusReason',
    'decisionNote',
    'decidedAt',
    'decidedByUserId',
    'submittedAt',
    'expiresAt',
    'quotedAt',
    'paidOut',
    'totalPaid',
    'aprNominal',
    'productVersionId',
  ],
}
