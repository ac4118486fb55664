import { empty, sql } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'
import type { Attributes, Fix } from '../ingest/codec.ts'
import type { Point } from '../motion/point.ts'
import type { Range } from '../motion/rebuild.ts'
import type { CountedPoint } from '../motion/traccar-trips.ts'
import type { DeviceRef } from './subject.ts'

/** A moment for Postgres; the ends of time are its own words. */
export const moment = (time: number): Date | string => (Number.isFinite(time) ? new Date(time) : time > 0 ? 'infinity' : '-infinity')

const epoch = (column: Statement) => sql`(extract(epoch from ${column}) * 1000)::float8`
const ofDevice = ({ companyId, deviceId }: DeviceRef, { from, to }: Range) =>
  sql`p."companyId" = ${companyId} and p."deviceId" = ${deviceId} and p."fixTime" >= ${moment(from)}::timestamptz and p."fixTime" <= ${moment(to)}::timestamptz`

type Value = string | number | boolean | null
type Packed = [time: number, latitude: number | null, longitude: number | null, isValid: boolean, speed: number | null, accuracy: number | null, ...told: Value[]]

const number = (value: Value | undefined): number | null => (typeof value === 'number' ? value : null)
const flag = (value: Value | undefined): boolean | null => (typeof value === 'boolean' ? value : null)

/** Stored messages of a device as motion reads them, both ends included. As one text: 86,400 rows cost a third of what they cost as rows. */
export const readPoints = async (db: Sql, device: DeviceRef, range: Range): Promise<Point[]> => (await readPacked(db, device, range, empty)).map(pointOf)

/** The same with what a Traccar server counted of the way, for its rules. */
export async function readCountedPoints(db: Sql, device: DeviceRef, range: Range): Promise<CountedPoint[]> {
  return (await readPacked(db, device, range, sql`, a->'totalDistance'`)).map((packed) => ({ ...pointOf(packed), totalDistance: number(packed.at(-1)) }))
}

async function readPacked(db: Sql, device: DeviceRef, range: Range, more: Statement): Promise<Packed[]> {
  const text = await db.text(sql`
    select coalesce(json_agg(json_build_array(${epoch(sql`p."fixTime"`)}, p."latitude", p."longitude", p."isValid", p."speed", p."accuracy",
      a->'sat', a->'hdop', a->'ignition', a->'motion', a->'power', a->'odometer', a->'fuelUsed', a->'fuel', a->'fuelLevel' ${more}) order by p."fixTime"), '[]')
    from geo.position p, lateral (select p."attributes" as a) x where ${ofDevice(device, range)}`)
  return JSON.parse(text) as Packed[]
}

function pointOf([time, latitude, longitude, isValid, speed, accuracy, satellites, hdop, ignition, motion, voltage, odometer, fuelUsed, fuel, fuelLevel]: Packed): Point {
  return {
    time, latitude, longitude, isValid, speed, accuracy, satellites: number(satellites), hdop: number(hdop), ignition: flag(ignition), motion: flag(motion),
    voltage: number(voltage), odometer: number(odometer), fuelUsed: number(fuelUsed), fuel: number(fuel), fuelLevel: number(fuelLevel),
  }
}

/** Stored messages with all they told, in the order they were made. */
export async function readMessages(db: Sql, device: DeviceRef, range: Range): Promise<Fix[]> {
  const rows = await db.query<Omit<Fix, 'attributes'> & { attributes: Attributes }>(sql`
    select ${epoch(sql`p."fixTime"`)} as "fixTime", ${epoch(sql`coalesce(p."deviceTime", p."fixTime")`)} as "deviceTime", p."latitude", p."longitude", p."isValid", p."altitude",
      p."speed", p."course", p."accuracy", p."attributes" from geo.position p where ${ofDevice(device, range)} order by 2, 1`)
  return rows
}
