import { sql } from '@outpost/platform/db/sql'
import { minuteOfClock } from '@outpost/rules/calendar/clock'
import { officeHours, type Shift, type WorkingTime } from '@outpost/rules/calendar/working-time'
import type { Ctx } from '../../kernel/types.ts'
import { weekdays } from './weekdays.ts'

interface Chosen {
  calendars: { tenantId: string; hours: { weekday: string; startsAt: string; endsAt: string }[] }[]
  days: { tenantId: string; date: string; isWorked: boolean }[]
  paths: { id: string; path: string[] }[]
}

/** The working time of any of the tenants named; of others the company's. One query, whatever their number. */
export async function workingTimesOf(ctx: Ctx, tenantIds: readonly string[]): Promise<(tenantId: string) => WorkingTime> {
  const { calendars, days, paths } = await ctx.sql.one<Chosen & Record<string, unknown>>(sql`
    select coalesce((select json_agg(json_build_object('tenantId', c."tenantId", 'hours', (
        select coalesce(json_agg(json_build_object('weekday', h."weekday", 'startsAt', h."startsAt", 'endsAt', h."endsAt") order by h."position"), '[]')
        from working_hours h where h."companyId" = c."companyId" and h."calendarId" = c."id"))) from working_calendar c where c."companyId" = ${ctx.company.id}::uuid), '[]') as calendars,
      coalesce((select json_agg(json_build_object('tenantId', d."tenantId", 'date', d."date", 'isWorked', d."isWorked")) from holiday d
        where d."companyId" = ${ctx.company.id}::uuid and d."country" = ${ctx.company.country}), '[]') as days,
      coalesce((select json_agg(json_build_object('id', t."id", 'path', t."path")) from tenant t
        where t."companyId" = ${ctx.company.id}::uuid and t."id" = any(${[...new Set(tenantIds)]}::uuid[])), '[]') as paths`)
  const pathOf = new Map(paths.map(({ id, path }) => [id, path]))
  const made = new Map<string, WorkingTime>()
  return (tenantId) => {
    const known = made.get(tenantId)
    if (known) return known
    const path = pathOf.get(tenantId) ?? [ctx.company.id]
    const time = { shifts: shiftsFor(path, calendars), holidays: holidaysFor(path, days), timeZone: ctx.company.timeZone }
    made.set(tenantId, time)
    return time
  }
}

/** The working time that holds for a tenant of the company: its own hours or the nearest above, and the days off of all above; default: the one worked in. */
export async function workingTimeOf(ctx: Ctx, tenantId = ctx.tenant.id): Promise<WorkingTime> {
  return (await workingTimesOf(ctx, [tenantId]))(tenantId)
}

function shiftsFor(path: readonly string[], calendars: Chosen['calendars']): readonly Shift[] {
  const nearest = path
    .toReversed()
    .map((id) => calendars.find(({ tenantId }) => tenantId === id))
    .find((one) => one !== undefined)
  if (!nearest) return officeHours
  return nearest.hours.map(({ weekday, startsAt, endsAt }) => ({
    weekday: weekdays.indexOf(weekday) + 1,
    from: minuteOfClock(startsAt),
    to: minuteOfClock(endsAt),
  }))
}

/** From the top down: each tenant has the last word on a day before those below it. */
function holidaysFor(path: readonly string[], days: Chosen['days']): ReadonlySet<string> {
  const off = new Set<string>()
  for (const id of path)
    for (const { tenantId, date, isWorked } of days) {
      if (tenantId !== id) continue
      if (isWorked) off.delete(date)
      else off.add(date)
    }
  return off
}
