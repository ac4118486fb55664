import { failField } from '@outpost/contract/errors'
import type { DateWindow } from '@outpost/contract/views'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { readFormats, weekStartOf } from '@outpost/rules/formats'
import type { AnyResource, Ctx } from '../../types.ts'
import type { ListInput } from '../schema.ts'
import { fieldSql } from './columns.ts'
import { dayEnd, dayStart } from './filter.ts'

/** Conditions of the period a list is asked for; without one, of its standard window. INVALID names a date type there is not. */
export function windowConditions(ctx: Ctx, resource: AnyResource, input: ListInput, standard: string | undefined): Statement[] {
  const dates = resource.list.dates ?? {}
  const isAsked = input.dateType !== undefined || input.startDate !== undefined || input.endDate !== undefined
  if (!isAsked && standard === undefined) return []
  const name = input.dateType ?? standard ?? Object.keys(dates)[0]
  const date = name === undefined || !Object.hasOwn(dates, name) ? undefined : dates[name]
  if (!date) {
    const message = name === undefined ? 'this list has no dates' : `is not one of ${Object.keys(dates).join(', ')}`
    return failField(input.dateType === undefined ? 'startDate' : 'dateType', message)
  }
  const value = fieldSql(resource, date.field)
  const until = date.until === undefined ? value : fieldSql(resource, date.until)
  const { startDate: start, endDate: end } = input
  if (start === undefined && end === undefined) return defaultWindow(ctx, { value, until }, date.window)
  const { timeZone } = ctx.company
  const from = start && sql`${until} >= ${isDay(start) ? dayStart(start, timeZone) : instant(start, timeZone)}`
  const to = end && (isDay(end) ? sql`${value} < ${dayEnd(end, timeZone)}` : sql`${value} <= ${instant(end, timeZone)}`)
  return [from, to].filter((condition) => typeof condition === 'object')
}

const isDay = (value: string) => value.length === 10
/** A time without a zone is the company's, whatever the server's clock is set to. */
const instant = (value: string, timeZone: string) =>
  /(Z|[+-]\d\d:?\d\d)$/i.test(value)
    ? sql`${new Date(value).toISOString()}::timestamptz`
    : sql`(${value}::timestamp at time zone ${timeZone})`

/** Weeks start on the company's first day, in its time zone. */
function defaultWindow({ company }: Ctx, { value, until }: { value: Statement; until: Statement }, window: DateWindow): Statement[] {
  if (window.kind === 'all') return []
  if (window.kind === 'around') {
    const { back, ahead } = window
    return [sql`${until} >= now() - make_interval(days => ${back}::int)`, sql`${value} <= now() + make_interval(days => ${ahead}::int)`]
  }
  // Postgres cuts weeks at Monday: the clock goes forward until the company's first day is one.
  const ahead = sql`make_interval(days => ${(8 - weekStartOf(readFormats({ firstDay: company.firstDay }))) % 7}::int)`
  const first = sql`(date_trunc('week', (now() at time zone ${company.timeZone}) + ${ahead}) - ${ahead})`
  return [
    sql`${until} >= ${first} at time zone ${company.timeZone}`,
    sql`${value} < (${first} + interval '7 days') at time zone ${company.timeZone}`,
  ]
}
