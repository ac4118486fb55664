import { fail } from '@outpost/contract/errors'
import { countAsTraccar, type CountedStop, type CountedTrip, type TripRule, type TripSettings } from '../../motion/traccar/trips.ts'
import { readCountedPoints } from '../../processing/points.ts'
import type { GeoCtx } from '../types.ts'
import type { Stop, Trip } from './stored.ts'

/** Messages are read for every answer: a month at one per ten seconds is a quarter of a million. */
const maxWindowMs = 32 * 86_400_000

/** Computes trips and stops by Traccar's rule from the messages of this window; nothing is stored. */
export async function countedTrips(
  ctx: GeoCtx,
  { deviceId, from, until }: { deviceId: string; from: Date; until: Date },
  rule: Exclude<TripRule, 'arrival'>,
  settings: TripSettings,
): Promise<{ all: Trip[]; stops: Stop[]; isPending: boolean }> {
  if (until.getTime() - from.getTime() > maxWindowMs)
    fail('INVALID', { fields: [{ field: 'todate', message: 'ask for 31 days at most while trips are told by Traccar’s rule' }] })
  const points = await readCountedPoints(
    ctx.sql,
    { companyId: ctx.caller.company, deviceId },
    { from: from.getTime(), to: until.getTime() - 1 },
  )
  const { trips, stops } = countAsTraccar(points, rule, settings)
  return {
    all: trips.map((trip) => wireTrip(trip, deviceId, rule)),
    stops: stops.map((stop) => wireStop(stop, deviceId)),
    isPending: false,
  }
}

const iso = (time: number) => new Date(time).toISOString()
const seconds = (ms: number) => Math.round(ms / 1_000)

function wireTrip({ start, end, ...same }: CountedTrip, deviceId: string, rule: TripRule): Trip {
  return {
    ...same,
    id: `${deviceId}_${start.time}`,
    deviceId,
    startTime: iso(start.time),
    endTime: iso(end.time),
    startLatitude: start.latitude,
    startLongitude: start.longitude,
    endLatitude: end.latitude,
    endLongitude: end.longitude,
    gapMetres: 0,
    movingSeconds: seconds(end.time - start.time),
    idleSeconds: 0,
    fuelUsed: null,
    startReason: null,
    endReason: null,
    explain: { words: ['Counted as Traccar did, so that former numbers can be compared.'], rule },
    driverId: null,
    driver: null,
    assetId: null,
  }
}

function wireStop({ start, end, points, ignitionMs }: CountedStop, deviceId: string): Stop {
  return {
    id: `${deviceId}_${start.time}`,
    deviceId,
    startTime: iso(start.time),
    endTime: iso(end.time),
    kind: 'parked',
    latitude: start.latitude,
    longitude: start.longitude,
    ignitionSeconds: seconds(ignitionMs),
    points,
    explain: {},
    assetId: null,
  }
}
