import { sumBy } from 'es-toolkit/math/sumBy'
import { sql } from '@outpost/platform/db/sql'
import { selection } from '../../sql/fields.ts'
import { fieldsOf } from '../../sql/fields.ts'
import { positionId } from '../positions/fields.ts'
import type { GeoCtx } from '../types.ts'

/** The wire form of a trip: metres, seconds, km/h, times in ISO 8601; `path` is an encoded polyline with five digits. */
export interface Trip {
  id: string
  deviceId: string
  startTime: string
  endTime: string | null
  metres: number
  gapMetres: number
  movingSeconds: number
  idleSeconds: number
  maxSpeed: number | null
  [key: string]: unknown
}
export interface Stop {
  id: string
  deviceId: string
  startTime: string
  endTime: string | null
  kind: string
  [key: string]: unknown
}

/** A trip or stop belongs to every window that it overlaps. */
interface TripQuery {
  deviceIds: readonly string[]
  from: Date
  until: Date
}

const tripFields = {
  id: positionId(sql`t."deviceId"`, sql`t."startTime"`),
  ...fieldsOf(
    [
      'deviceId',
      'startLatitude',
      'startLongitude',
      'endLatitude',
      'endLongitude',
      'metres',
      'gapMetres',
      'movingSeconds',
      'idleSeconds',
      'averageSpeed',
      'maxSpeed',
      'startOdometer',
      'endOdometer',
      'fuelUsed',
      'points',
      'quality',
      'startReason',
      'endReason',
      'explain',
      'path',
      'driverId',
      'driverKey',
      'assetId',
    ],
    ['startTime', 'endTime'],
  ),
  driver: sql`r."name"`,
}

/** Reads the stored trips of devices that overlap a window, in order. */
export function storedTrips({ sql: reader, caller }: GeoCtx, { deviceIds, from, until }: TripQuery): Promise<Trip[]> {
  return reader.query<Trip>(sql`
    select ${selection(tripFields)} from geo.trip t left join geo.driver r on r."companyId" = t."companyId" and r."id" = t."driverId"
    where t."companyId" = ${caller.company} and t."deviceId" = any(${deviceIds}::uuid[]) and t."startTime" < ${until} and coalesce(t."endTime", now()) > ${from}
    order by t."startTime"`)
}

const stopFields = {
  id: positionId(sql`t."deviceId"`, sql`t."startTime"`),
  ...fieldsOf(['deviceId', 'kind', 'latitude', 'longitude', 'ignitionSeconds', 'points', 'explain', 'assetId'], ['startTime', 'endTime']),
}

/** Reads the stored stops of devices that overlap a window, in order. */
export function storedStops({ sql: reader, caller }: GeoCtx, { deviceIds, from, until }: TripQuery): Promise<Stop[]> {
  return reader.query<Stop>(sql`
    select ${selection(stopFields)} from geo.stop t
    where t."companyId" = ${caller.company} and t."deviceId" = any(${deviceIds}::uuid[]) and t."startTime" < ${until} and coalesce(t."endTime", now()) > ${from}
    order by t."startTime"`)
}

/** Totals of trips: metres, seconds, km/h. */
export function totalsOf(trips: readonly Trip[], stops: readonly Stop[]): Record<string, number> {
  return {
    trips: trips.length,
    stops: stops.length,
    metres: sumBy(trips, ({ metres }) => metres),
    gapMetres: sumBy(trips, ({ gapMetres }) => gapMetres),
    movingSeconds: sumBy(trips, ({ movingSeconds }) => movingSeconds),
    idleSeconds: sumBy(trips, ({ idleSeconds }) => idleSeconds),
    maxSpeed: trips.reduce((most, { maxSpeed }) => Math.max(most, maxSpeed ?? 0), 0),
  }
}
