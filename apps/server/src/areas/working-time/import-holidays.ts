import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { numberLike } from '@outpost/contract/input'
import { takeTurn } from '@outpost/platform/db/turn'
import { z } from 'zod'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import { requireWholeCompany } from '../../kernel/session/reach.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { holiday } from './holiday.resource.ts'

export const importInput = z.strictObject({ year: numberLike(z.int().min(2_000).max(2_100)) })
/** How many days were added, and how many were there already. */
export const importAnswer = z.strictObject({ added: z.int(), present: z.int() })

/** Adds the public holidays of the company's country in a year, days off in lieu included; days that are there already stay as they are. */
export async function importHolidays(ctx: Ctx, { year }: z.infer<typeof importInput>): Promise<Answer> {
  requireWholeCompany(ctx)
  const days = await publicHolidays(ctx.company.country, year)
  // Two who import at once wait for each other.
  await takeTurn(ctx.sql, `holidays ${ctx.company.id}`)
  const known = await ctx.sql.query<{ date: string }>(sql`
    select to_char("date", 'YYYY-MM-DD') as date from holiday
    where "companyId" = ${ctx.company.id}::uuid and "tenantId" = ${ctx.company.id}::uuid and "country" = ${ctx.company.country}`)
  const present = new Set(known.map(({ date }) => date))
  const missing = days.filter(({ date }) => !present.has(date))
  if (missing.length > 0)
    await writeRecords(
      ctx,
      holiday,
      missing.map(({ date, name }) => ({ kind: 'create', input: { date, name } })),
    )
  const counts = { added: missing.length, present: days.length - missing.length }
  return { data: counts, message: `${counts.added} ${counts.added === 1 ? 'holiday' : 'holidays'} added, ${counts.present} there already` }
}

/** The public holidays of a country, one a day. The rules of all countries are large: they are loaded when somebody asks. */
async function publicHolidays(country: string, year: number): Promise<{ date: string; name: string }[]> {
  const { default: Holidays } = await import('date-holidays')
  if (!Object.hasOwn(new Holidays().getCountries(), country))
    fail('NOT_FOUND', { message: 'The holidays of this country are not known here. Add them by hand.' })
  const found = new Holidays(country).getHolidays(year, 'en').filter(({ type }) => type === 'public')
  return [...new Map(found.map(({ date, name }) => [date.slice(0, 10), { date: date.slice(0, 10), name: name.slice(0, 80) }])).values()]
}
