import { empty, join, sql } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'
import type { Attributes, Fix } from '../positions/fix.ts'
import type { Point } from '../motion/point.ts'
import type { Range } from '../motion/rebuild.ts'
import type { CountedPoint } from '../motion/traccar/trips.ts'
import { attributeOf } from '../positions/attributes.ts'
import type { DeviceRef } from './subject.ts'

/** A moment for Postgres; the ends of time are its own words. */
export const moment = (time: number): Date | string => (Number.isFinite(time) ? new Date(time) : time > 0 ? 'infinity' : '-infinity')

/** Epoch milliseconds; extract would calculate in numeric, which costs more. */
const epoch = (column: Statement) => sql`round(date_part('epoch', ${column}) * 1000)`
const ofDevice = ({ companyId, deviceId }: DeviceRef, { from, to }: Range) =>
  sql`p."companyId" = ${companyId} and p."deviceId" = ${deviceId} and p."fixTime" >= ${moment(from)}::timestamptz and p."fixTime" <= ${moment(to)}::timestamptz`

type Value = string | number | boolean | null
type Packed = [time: number, latitude: number | null, longitude: number | null, isValid: boolean, speed: number | null, accuracy: number | null, ...told: Value[]]

const number = (value: Value | undefined): number | null => (typeof value === 'number' ? value : null)
const flag = (value: Value | undefined): boolean | null => (typeof value === 'boolean' ? value : null)

/** Attributes that motion looks at, in the order of Packed. */
const told = ['sat', 'hdop', 'ignition', 'motion', 'power', 'odometer', 'fuelUsed', 'fuel', 'fuelLevel', 'driverUniqueId']

/** Stored messages of a device as motion reads them, both ends included. As one text: 86,400 rows cost a third of what they cost as rows. */
export const readPoints = async (db: Sql, device: DeviceRef, range: Range): Promise<Point[]> => (await readPacked(db, device, range, empty)).map(pointOf)

/** The same with what a Traccar server counted of the way, for its rules. */
export async function readCountedPoints(db: Sql, device: DeviceRef, range: Range): Promise<CountedPoint[]> {
  return (await readPacked(db, device, range, sql`, ${attributeOf('totalDistance')}`)).map((packed) => ({ ...pointOf(packed), totalDistance: number(packed.at(-1)) }))
}

async function readPacked(db: Sql, device: DeviceRef, range: Range, more: Statement): Promise<Packed[]> {
  const text = await db.text(sql`
    select coalesce(json_agg(json_build_array(${epoch(sql`p."fixTime"`)}, p."latitude", p."longitude", p."isValid", p."speed", p."accuracy",
      ${join(told.map((name) => attributeOf(name)))} ${more}) order by p."fixTime"), '[]')
    from geo.position p where ${ofDevice(device, range)}`)
  return JSON.parse(text) as Packed[]
}

function pointOf([time, latitude, longitude, isValid, speed, accuracy, satellites, hdop, ignition, motion, voltage, odometer, fuelUsed, fuel, fuelLevel, driver]: Packed): Point {
  return {
    time, latitude, longitude, isValid, speed, accuracy, satellites: number(satellites), hdop: number(hdop), ignition: flag(ignition), motion: flag(motion),
    voltage: number(voltage), odometer: number(odometer), fuelUsed: number(fuelUsed), fuel: number(fuel), fuelLevel: number(fuelLevel),
    driver: driver === undefined || driver === null || driver === '' ? null : String(driver),
  }
}

const longestPiece = 14 * 86_400_000

/**
 * A stretch in pieces of at most 14 days, so that no import fills memory; times without a message are passed over.
 * `first` is the length of the first piece.
 */
export async function* piecesOf(db: Sql, device: DeviceRef, { from, to }: Range, first = longestPiece): AsyncGenerator<Range> {
  for (let [after, length] = [from, Math.min(first, longestPiece)]; ; length = longestPiece) {
    if (to - after <= length) return after > to ? undefined : yield { from: after, to }
    const { begin } = await db.one<{ begin: Date | null }>(sql`select min(p."fixTime") as "begin" from geo.position p where ${ofDevice(device, { from: after, to })}`)
    if (!begin) return
    const end = Math.min(to, begin.getTime() + length)
    yield { from: begin.getTime(), to: end }
    after = end + 1
  }
}

type PackedHeard = [fixTime: number, deviceTime: number | null, ...told: Value[]]

/** What of a message events are found by. */
const heardNames = ['ignition', 'alarm', 'driverUniqueId', 'result'] as const

/** Stored messages with what events are found by and nothing else, in the order they were made. */
export async function readHeard(db: Sql, device: DeviceRef, range: Range): Promise<Fix[]> {
  const text = await db.text(sql`
    select coalesce(json_agg(json_build_array(${epoch(sql`p."fixTime"`)}, ${epoch(sql`p."deviceTime"`)}, ${join(heardNames.map((name) => attributeOf(name)))})
      order by coalesce(p."deviceTime", p."fixTime"), p."fixTime"), '[]')
    from geo.position p where ${ofDevice(device, range)}`)
  return (JSON.parse(text) as PackedHeard[]).map(([fixTime, deviceTime, ...told]) => ({
    fixTime, deviceTime: deviceTime ?? fixTime, ...nowhere, attributes: Object.fromEntries(told.flatMap((value, at) => (value === null ? [] : [[heardNames[at]!, value]]))),
  }))
}

const nowhere = { latitude: null, longitude: null, isValid: false, altitude: null, speed: null, course: null, accuracy: null }

/** The messages of some moments with all they told, by moment. */
export async function readMessages(db: Sql, device: DeviceRef, times: readonly number[]): Promise<Map<number, Fix>> {
  if (times.length === 0) return new Map()
  const rows = await db.query<Omit<Fix, 'attributes'> & { attributes: Attributes }>(sql`
    select ${epoch(sql`p."fixTime"`)} as "fixTime", ${epoch(sql`coalesce(p."deviceTime", p."fixTime")`)} as "deviceTime", p."latitude", p."longitude", p."isValid", p."altitude",
      p."speed", p."course", p."accuracy", p."attributes" from geo.position p
    where p."companyId" = ${device.companyId} and p."deviceId" = ${device.deviceId} and p."fixTime" = any(${times.map((time) => new Date(time))}::timestamptz[])`)
  return new Map(rows.map((row) => [row.fixTime, row]))
}
