import { standingOf, type Standing } from '@outpost/rules/targets/target-period'
import { mondayToFriday, type WorkCalendar } from '@outpost/rules/targets/working-days'
import { sql } from '@outpost/platform/db/sql'
import type { WireRecord } from '../../kernel/resource/records.ts'
import type { Ctx } from '../../kernel/types.ts'
import { hitsOf, todayIn, wholeCompany, type Measured } from './hits.ts'
import { isMetric, metricNamed } from './metrics.ts'

/** What was reached, in the metric's unit, and how that compares today. */
export interface Figures extends Standing {
  actual: number
  unit: string
  events: number
}

/** A wire record of a target in the form that figures take. */
export const measured = (record: WireRecord): Measured => record as unknown as Measured

/** Sums and numbers of events of many targets in one statement; targets without any event are 0. */
export async function actualsOf(ctx: Ctx, targets: readonly Measured[]): Promise<Map<string, { actual: number; events: number }>> {
  const known = targets.filter(({ metric }) => isMetric(metric))
  if (known.length === 0) return new Map()
  const whole = await wholeCompany(ctx)
  const rows = await whole.sql.query<{ id: string; actual: number; events: number }>(sql`
    with ${hitsOf(whole, known)} select "targetId" as id, sum(amount)::float8 as actual, count(*)::int as events from hits group by 1`)
  return new Map(rows.map(({ id, actual, events }) => [id, { actual, events }]))
}

/** The company's working week and the holidays of its country. */
export async function calendarOf(ctx: Ctx): Promise<WorkCalendar> {
  const row = await ctx.sql.one<{ days: number[] | null; holidays: string[] }>(sql`
    select (select w."days" from working_week w where w."companyId" = ${ctx.company.id}::uuid) as days,
      array(select to_char(h."date", 'YYYY-MM-DD') from holiday h where h."companyId" = ${ctx.company.id}::uuid and h."country" = ${ctx.company.country}) as holidays`)
  return { week: row.days ?? mondayToFriday, holidays: new Set(row.holidays) }
}

/** The figures of targets by id, as of today. */
export async function figuresOf(ctx: Ctx, records: readonly WireRecord[]): Promise<Map<string, Figures>> {
  const [actuals, calendar] = await Promise.all([actualsOf(ctx, records.map(measured)), calendarOf(ctx)])
  const today = todayIn(ctx.company.timeZone)
  return new Map(
    records.map((record) => {
      const { actual, events } = actuals.get(record.Id) ?? { actual: 0, events: 0 }
      const { metric, startDate, endDate } = measured(record)
      const standing = standingOf({ value: Number(record['value']), actual, period: { startDate, endDate }, today, calendar })
      return [record.Id, { actual, events, unit: metricNamed(metric).unit, ...standing }]
    }),
  )
}

/** The records with their figures beside them. */
export async function withFigures(ctx: Ctx, records: readonly WireRecord[]): Promise<(WireRecord & { figures: Figures | undefined })[]> {
  const figures = await figuresOf(ctx, records)
  return records.map((record) => ({ ...record, figures: figures.get(record.Id) }))
}
