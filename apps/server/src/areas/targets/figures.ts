import { achievementOf, type Achievement } from '@outpost/rules/targets/target-period'
import type { WorkCalendar } from '@outpost/rules/calendar/working-days'
import { calendarOf } from '@outpost/rules/calendar/working-time'
import { sql } from '@outpost/platform/db/sql'
import { companyDay } from '../../kernel/days.ts'
import type { WireRecord } from '../../kernel/resource/records.ts'
import type { Ctx } from '../../kernel/types.ts'
import { workingTimesOf } from '../working-time/index.ts'
import { hitsOf, wholeCompany, type Measured } from './hits.ts'
import { metricNamed } from '../../kernel/metrics.ts'

/** What was reached, in the metric's unit, and how that compares today. */
export interface Figures extends Achievement {
  actual: number
  unit: string
  events: number
}

/** A wire record of a target in the form that figures take. */
export const measured = (record: WireRecord): Measured => record as unknown as Measured

/** Sums and numbers of events of many targets in one statement; targets without any event are 0. */
export async function actualsOf(ctx: Ctx, targets: readonly Measured[]): Promise<Map<string, { actual: number; events: number }>> {
  const known = targets.filter(({ metric }) => ctx.program.metrics.has(metric))
  if (known.length === 0) return new Map()
  const whole = await wholeCompany(ctx)
  const rows = await whole.sql.query<{ id: string; actual: number; events: number }>(sql`
    with ${hitsOf(whole, known)} select "targetId" as id, sum(amount)::float8 as actual, count(*)::int as events from hits group by 1`)
  return new Map(rows.map(({ id, actual, events }) => [id, { actual, events }]))
}

/** The tenant whose working days a target is measured by: its owner's, else the one it is filed under. */
const placeOf = (record: WireRecord): string => String(record['ownerTenantId'] ?? record['tenantId'])

/** The working days of each target. */
export async function calendarsOf(ctx: Ctx, records: readonly WireRecord[]): Promise<(record: WireRecord) => WorkCalendar> {
  const timeOf = await workingTimesOf(ctx, records.map(placeOf))
  return (record) => calendarOf(timeOf(placeOf(record)))
}

/** The records with their figures as of today beside them. */
export async function withFigures(ctx: Ctx, records: readonly WireRecord[]): Promise<(WireRecord & { figures: Figures })[]> {
  const [actuals, calendarFor] = await Promise.all([actualsOf(ctx, records.map(measured)), calendarsOf(ctx, records)])
  const today = companyDay(ctx)
  return records.map((record) => {
    const { actual, events } = actuals.get(record.Id) ?? { actual: 0, events: 0 }
    const { metric, startDate, endDate } = measured(record)
    const [value, period, calendar] = [Number(record['value']), { startDate, endDate }, calendarFor(record)]
    const achievement = achievementOf({ value, actual, period, today, calendar })
    return { ...record, figures: { actual, events, unit: metricNamed(ctx, metric).unit, ...achievement } }
  })
}
