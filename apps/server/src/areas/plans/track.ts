import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { timeAt } from '@outpost/rules/time-zone'
import { pointOf } from '@outpost/rules/routes/route-build'
import { deviationOf, isMeasured, metresToPath, thinned, trackMetres, visitOf, type Fix } from '@outpost/rules/routes/route-track'
import { z } from 'zod'
import { daySchema } from '../../kernel/days.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { atWork } from '../agents/index.ts'
import { stopRows } from './plan.handlers.ts'
import { activityPlan } from './plan.resource.ts'
import { iso } from './plan.preview.ts'

export const trackInput = z.strictObject({ id: idSchema, userId: idSchema.optional(), day: daySchema.optional() })

interface Stop {
  Id: string
  userId: string
  day: string
  lat: number | null
  lng: number | null
  plannedArrival: Date | string | null
  meaning: string
  statusDateCreated: Date | string | null
}
interface Position extends Fix {
  entityId: string | null
}

/** Fixes of a track that a map needs: more would only draw the same line. */
const maxPoints = 2_000

/** Planned against actual for one agent's day of a plan: stops with what became of them, how far off, and the way driven. */
export async function planTrack(ctx: Ctx, { id, userId, day }: z.infer<typeof trackInput>): Promise<Answer> {
  await getRecord(ctx, activityPlan, id)
  const all = await ctx.sql.query<Stop & Record<string, unknown>>(
    sql`select * from (${stopRows(ctx, sql`s."planId" = ${id}`)}) r order by "day", "agentName", "userId", "position"`,
  )
  const chosen = all.find((stop) => (userId === undefined || stop.userId === userId) && (day === undefined || stop.day === day))
  if (!chosen) fail('NOT_FOUND')
  const stops = all.filter((stop) => stop.userId === chosen.userId && stop.day === chosen.day)
  const fixes = await readFixes(ctx, chosen)
  const way = fixes.filter(isMeasured)
  const visits = await readVisits(ctx, stops)
  const isOver = timeAt(chosen.day, 24 * 60, ctx.company.timeZone) <= Date.now()
  return {
    data: {
      userId: chosen.userId,
      day: chosen.day,
      stops: stops.map((stop) => ({
        ...stop,
        ...actualOf(stop, { fixes, way, visit: visits.get(stop.Id) }),
        isMissed: stop.meaning === 'missed' || (isOver && ['open', 'started'].includes(stop.meaning)),
      })),
      track: thinned(way, maxPoints).map(({ latitude, longitude, at }) => [latitude, longitude, iso(at)]),
      metres: Math.round(trackMetres(fixes)),
      fixes: fixes.length,
    },
  }
}

function readFixes(ctx: Ctx, { userId, day }: Stop): Promise<Position[]> {
  const [from, to] = [0, 24 * 60].map((minute) => iso(timeAt(day, minute, ctx.company.timeZone)))
  return ctx.sql.query<Position & { [key: string]: unknown }>(sql`
    select extract(epoch from "deviceTime")::float8 * 1000 as at, "latitude", "longitude", "accuracy"::float8 as accuracy, "source", "flags", "entityId" from user_position p
    where "companyId" = ${ctx.company.id} and "userId" = ${userId} and "deviceTime" >= ${from}::timestamptz and "deviceTime" < ${to}::timestamptz
      and ${atWork(userId, sql`${from}::timestamptz`, sql`${to}::timestamptz`)} order by "deviceTime" limit 50000`)
}

interface Reported {
  activityId: string
  startedAt: Date | null
  endedAt: Date | null
  latitude: number | null
  longitude: number | null
}

/** What the agent reported of each stop: first start, last end, and the place of the first report that has one. */
async function readVisits(ctx: Ctx, stops: readonly Stop[]): Promise<Map<string, Reported>> {
  const rows = await ctx.sql.query<Reported & { [key: string]: unknown }>(sql`
    select "objectId" as "activityId", min("dateCreated") filter (where "meaning" = 'started') as "startedAt", max("dateCreated") filter (where "meaning" in ('done', 'missed')) as "endedAt",
      ((array_agg("latitude" order by "dateCreated") filter (where "latitude" is not null))[1])::float8 as latitude, ((array_agg("longitude" order by "dateCreated") filter (where "latitude" is not null))[1])::float8 as longitude
    from record_move where "companyId" = ${ctx.company.id} and "objectType" = 'activity' and "partId" = ${stops[0]?.userId ?? null} and "objectId" = any(${stops.map(({ Id }) => Id)}::uuid[]) and "meaning" in ('started', 'done', 'missed') group by 1`)
  return new Map(rows.map((row) => [row.activityId, row]))
}

interface Seen {
  fixes: readonly Position[]
  way: readonly Fix[]
  visit: Reported | undefined
}

/** When and where the agent was there, with how far that is from the plan; `passedBy`: nearest metres of the way to the place. */
function actualOf({ Id, lat, lng, plannedArrival, statusDateCreated, meaning }: Stop, { fixes, way, visit }: Seen) {
  const point = pointOf(lat, lng)
  const passedBy = point && way.length > 0 ? Math.round(metresToPath(point, way)) : null
  const sent = pointOf(visit?.latitude, visit?.longitude) ?? fixes.filter((fix) => fix.entityId === Id).at(-1) ?? null
  const report = { startedAt: timeOf(visit?.startedAt), endedAt: timeOf(visit?.endedAt), point: sent }
  const actual = visitOf({ meaning, changedAt: timeOf(statusDateCreated) }, report, way)
  if (!actual) return { actual, passedBy }
  const { latitude = null, longitude = null } = actual.point ?? {}
  const deviation = deviationOf({ point, arrival: timeOf(plannedArrival) }, actual)
  return {
    actual: { at: iso(actual.at), endedAt: visit?.endedAt ?? null, latitude, longitude, isOwnPlace: sent !== null, ...deviation },
    passedBy,
  }
}

const timeOf = (time: Date | string | null | undefined) => (time == null ? null : new Date(time).getTime())
