import { fail } from '@outpost/contract/errors'
import { maySeeColleagues } from '@outpost/contract/geo/calls'
import { sql } from '@outpost/platform/db/sql'
import { mayAny } from '@outpost/rules/people/permission'
import { z } from 'zod'
import { motionOf } from '../../motion/motion.ts'
import type { Point } from '../../motion/point.ts'
import type { Stop as StoredStop, Trip as StoredTrip } from '../../motion/rows.ts'
import { defaultSettings } from '../../motion/settings.ts'
import { id } from '../input.ts'
import { handler, type GeoCtx } from '../types.ts'
import { dayInput, windowOf } from './days.ts'
import { noDistance } from './device.ts'
import { storedStops, storedTrips, totalsOf, type Stop, type Trip } from './stored.ts'

/** A phone sends a position every five minutes or after 50 m, so half an hour without one is no gap yet. */
const phoneSettings = { ...defaultSettings, gapAfter: 35 * 60_000, gapLongest: 90 * 60_000, stopAfter: 300_000 }
const contextMs = 6 * 3_600_000
const maxPoints = 50_000

/**
 * Returns a person's trips: of the devices assigned to them, and of their phone while they worked. The shape is that of deviceTrips;
 * rows of the phone have `source: 'phone'` instead of a tracker's deviceId.
 */
export const userTrips = handler(z.strictObject({ userId: id, ...dayInput }), async (ctx, { userId, zeros, ...days }) => {
  const { caller } = ctx
  if (userId !== caller.user && !mayAny(caller, [maySeeColleagues]))
    fail('FORBIDDEN', { fields: [{ field: 'userId', message: 'is not you' }] })
  const window = windowOf(days, caller.timeZone)
  const devices = await ctx.sql.query<{ id: string }>(
    sql`select "id" from geo.device where "companyId" = ${ctx.caller.company} and "userId" = ${userId} and "deletedAt" is null`,
  )
  const points = await phonePoints(ctx, userId, window)
  if (!(await isColleague(ctx, userId))) return fail('NOT_FOUND', { fields: [{ field: 'userId', message: 'is nobody you can see' }] })
  const asked = { deviceIds: devices.map((device) => device.id), ...window }
  const phone = rowsOf(points, userId, window)
  const byStart = (a: Trip | Stop, b: Trip | Stop) => a.startTime.localeCompare(b.startTime)
  const atWork = <Row extends Trip | Stop>(rows: readonly Row[]) => duringWork(ctx, userId, window, rows)
  const all = [...(await atWork(await storedTrips(ctx, asked))), ...phone.trips].sort(byStart) as Trip[]
  const stops = [...(await atWork(await storedStops(ctx, asked))), ...phone.stops].sort(byStart) as Stop[]
  const trips = zeros ? all : all.filter(({ metres, gapMetres }) => metres + gapMetres >= noDistance)
  return {
    data: { user: { id: userId, deviceIds: asked.deviceIds }, trips, stops, totals: totalsOf(trips, stops) },
    meta: { page: 1, size: trips.length, total: trips.length, timeZone: ctx.caller.timeZone, isCut: points.length === maxPoints },
  }
})

interface Window {
  from: Date
  until: Date
}

/** A vehicle is shown at any hour; its driver's page lists only what lies within working time as a whole. */
async function duringWork<Row extends { startTime: string; endTime: string | null }>(
  { sql: reader, now }: GeoCtx,
  userId: string,
  { from, until }: Window,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return []
  const starts = rows.map(({ startTime }) => new Date(startTime))
  const ends = rows.map(({ endTime }) => new Date(endTime ?? now()))
  const held = await reader.query<{ at: number }>(sql`
    select t."at"::int as "at" from unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) with ordinality t("since", "until", "at")
    where (select range_agg(span) from ctx.own_working_spans(${userId}::uuid, ${new Date(from.getTime() - contextMs)}::timestamptz, ${new Date(until.getTime() + contextMs)}::timestamptz) span)
      @> tstzrange(t."since", greatest(t."since", t."until"), '[]')`)
  const kept = new Set(held.map(({ at }) => at - 1))
  return rows.filter((_, at) => kept.has(at))
}

/** The phone's positions. A remembered (reused) position is excluded from measurement. */
async function phonePoints({ sql: reader, caller }: GeoCtx, userId: string, { from, until }: Window): Promise<Point[]> {
  const rows = await reader.query<{
    time: number
    latitude: number
    longitude: number
    speed: number | null
    accuracy: number | null
    isValid: boolean
  }>(sql`
    select (extract(epoch from "deviceTime") * 1000)::bigint as "time", "latitude"::float8, "longitude"::float8, "speed" * 3.6 as "speed", "accuracy",
      "source" = 'live' and not coalesce('teleport' = any("flags"), false) as "isValid"
    from public.user_position p where "companyId" = ${caller.company} and "userId" = ${userId}
      and "deviceTime" >= ${new Date(from.getTime() - contextMs)} and "deviceTime" < ${new Date(until.getTime() + contextMs)}
      and ("entityType" is not null or "deviceTime" <@ any(array(select span from ctx.own_working_spans(${userId}::uuid, ${new Date(from.getTime() - contextMs)}::timestamptz, ${new Date(until.getTime() + contextMs)}::timestamptz) span)))
    order by "deviceTime" limit ${maxPoints}`)
  return rows.map((row) => ({ ...row, ignition: null }))
}

async function isColleague({ sql: reader, caller }: GeoCtx, userId: string): Promise<boolean> {
  return (await reader.maybe(sql`select from public.app_user where "companyId" = ${caller.company} and "id" = ${userId}`)) !== undefined
}

function rowsOf(points: readonly Point[], userId: string, { from, until }: Window): { trips: Trip[]; stops: Stop[] } {
  const { trips, stops } = motionOf(points, phoneSettings)
  const touches = (start: number, end: number) => start < until.getTime() && end > from.getTime()
  return {
    trips: trips.filter(({ start, end }) => touches(start.time, end.time)).map((trip) => wireTrip(trip, userId)),
    stops: stops.filter((stop) => touches(stop.startTime, stop.end.time)).map((stop) => wireStop(stop, userId)),
  }
}

const iso = (time: number) => new Date(time).toISOString()
const seconds = (ms: number) => Math.round(ms / 1_000)

function wireTrip(trip: StoredTrip, userId: string): Trip {
  const { start, end, movingMs, idleMs, isOpen, startTime, gapMs: _, ...rest } = trip
  return {
    ...rest,
    id: `${userId}_${startTime}`,
    deviceId: userId,
    source: 'phone',
    startTime: iso(startTime),
    endTime: isOpen ? null : iso(end.time),
    startLatitude: start.latitude,
    startLongitude: start.longitude,
    endLatitude: end.latitude,
    endLongitude: end.longitude,
    movingSeconds: seconds(movingMs),
    idleSeconds: seconds(idleMs),
  }
}

function wireStop({ startTime, end, kind, latitude, longitude, points, isOpen }: StoredStop, userId: string): Stop {
  return {
    id: `${userId}_${startTime}`,
    deviceId: userId,
    source: 'phone',
    startTime: iso(startTime),
    endTime: isOpen ? null : iso(end.time),
    kind,
    latitude,
    longitude,
    points,
    ignitionSeconds: 0,
  }
}
