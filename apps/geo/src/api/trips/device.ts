import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { readDevice } from '../devices.ts'
import { id } from '../input.ts'
import { readSettings } from '../settings.ts'
import { handler, type GeoCtx } from '../types.ts'
import { countedTrips } from './counted.ts'
import { dayInput, windowOf } from './days.ts'
import { storedStops, storedTrips, totalsOf } from './stored.ts'

/** Trips shorter than this are shown only with `zeros`. */
export const noDistance = 10

/** Returns a device's trips on whole days of the company's calendar, the last day included: {trips, stops, totals, meta}. */
export const deviceTrips = handler(z.strictObject({ deviceid: id, ...dayInput }), async (ctx, { deviceid, zeros, ...days }) => {
  const device = await readDevice(ctx, deviceid)
  const window = windowOf(days, ctx.caller.timeZone)
  const { tripRule: companyRule, tripSettings } = await readSettings(ctx, ctx.sql)
  const tripRule = device.tripRule ?? companyRule
  const { all, stops, isPending } =
    tripRule === 'arrival'
      ? await stored(ctx, { deviceIds: [deviceid], ...window })
      : await countedTrips(ctx, { deviceId: deviceid, ...window }, tripRule, tripSettings)
  const trips = zeros ? all : all.filter(({ metres, gapMetres }) => metres + gapMetres >= noDistance)
  const { id: deviceId, name, uniqueId } = device
  return {
    data: { device: { id: deviceId, name, uniqueId }, trips, stops, totals: totalsOf(trips, stops) },
    meta: { page: 1, size: trips.length, total: trips.length, timeZone: ctx.caller.timeZone, isPending, tripRule },
  }
})

async function stored(ctx: GeoCtx, asked: { deviceIds: readonly string[]; from: Date; until: Date }) {
  const [all, stops, isPending] = await Promise.all([storedTrips(ctx, asked), storedStops(ctx, asked), isBeingProcessed(ctx, asked)])
  return { all, stops, isPending }
}

/** True while points of the window wait for processing: the answer may still change. */
async function isBeingProcessed(
  { sql: reader, caller }: GeoCtx,
  { deviceIds, from, until }: { deviceIds: readonly string[]; from: Date; until: Date },
): Promise<boolean> {
  const row = await reader.maybe(
    sql`select from geo.dirty where "companyId" = ${caller.company} and "deviceId" = any(${deviceIds}::uuid[]) and "since" < ${until} and "until" > ${from} limit 1`,
  )
  return row !== undefined
}
