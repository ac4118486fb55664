import { empty, join, sql } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'
import type { Attributes, Fix } from '../positions/fix.ts'
import type { Point } from '../motion/point.ts'
import type { Range } from '../motion/rebuild.ts'
import type { CountedPoint } from '../motion/traccar/trips.ts'
import { attributeOf } from '../positions/attributes.ts'
import type { DeviceRef } from './subject.ts'

/** A time as Postgres text; infinite ones become Postgres's infinity. */
export const moment = (time: number): Date | string => (Number.isFinite(time) ? new Date(time) : time > 0 ? 'infinity' : '-infinity')

/** Epoch milliseconds; extract alone would calculate in numeric, which is slower. */
const epoch = (column: Statement) => sql`round(date_part('epoch', ${column}) * 1000)`
const ofDevice = ({ companyId, deviceId }: DeviceRef, { from, to }: Range) =>
  sql`p."companyId" = ${companyId} and p."deviceId" = ${deviceId} and p."fixTime" >= ${moment(from)}::timestamptz and p."fixTime" <= ${moment(to)}::timestamptz`

type Value = string | number | boolean | null
type Packed = [
  time: number,
  latitude: number | null,
  longitude: number | null,
  isValid: boolean,
  speed: number | null,
  accuracy: number | null,
  ...told: Value[],
]

const number = (value: Value | undefined): number | null => (typeof value === 'number' ? value : null)
const flag = (value: Value | undefined): boolean | null => (typeof value === 'boolean' ? value : null)

/** Attributes that motion reads, in the order of Packed. */
const motionAttributes = ['sat', 'hdop', 'ignition', 'motion', 'power', 'odometer', 'fuelUsed', 'fuel', 'fuelLevel', 'driverUniqueId']

/** Stored messages of a device for motion, both ends included. Read as one text: 86,400 rows cost a third of what they cost as rows. */
export const readPoints = async (db: Sql, device: DeviceRef, range: Range): Promise<Point[]> =>
  (await readPacked(db, device, range, empty)).map(pointOf)

/** The same with the distance that a Traccar server counted, for its rules. */
export async function readCountedPoints(db: Sql, device: DeviceRef, range: Range): Promise<CountedPoint[]> {
  return (await readPacked(db, device, range, sql`, ${attributeOf('totalDistance')}`)).map((packed) => ({
    ...pointOf(packed),
    totalDistance: number(packed.at(-1)),
  }))
}

async function readPacked(db: Sql, device: DeviceRef, range: Range, more: Statement): Promise<Packed[]> {
  const text = await db.text(sql`
    select coalesce(json_agg(json_build_array(${epoch(sql`p."fixTime"`)}, p."latitude", p."longitude", p."isValid", p."speed", p."accuracy",
      ${join(motionAttributes.map((name) => attributeOf(name)))} ${more}) order by p."fixTime"), '[]')
    from geo.position p where ${ofDevice(device, range)}`)
  return JSON.parse(text) as Packed[]
}

function pointOf([
  time,
  latitude,
  longitude,
  isValid,
  speed,
  accuracy,
  satellites,
  hdop,
  ignition,
  motion,
  voltage,
  odometer,
  fuelUsed,
  fuel,
  fuelLevel,
  driver,
]: Packed): Point {
  return {
    time,
    latitude,
    longitude,
    isValid,
    speed,
    accuracy,
    satellites: number(satellites),
    hdop: number(hdop),
    ignition: flag(ignition),
    motion: flag(motion),
    voltage: number(voltage),
    odometer: number(odometer),
    fuelUsed: number(fuelUsed),
    fuel: number(fuel),
    fuelLevel: number(fuelLevel),
    driver: driver === undefined || driver === null || driver === '' ? null : String(driver),
  }
}

const maxPieceMs = 14 * 86_400_000

/**
 * Splits a time range into pieces of at most 14 days, so that no import fills memory; times without messages are skipped. `first` is the
 * length of the first piece.
 */
export async function* piecesOf(db: Sql, device: DeviceRef, { from, to }: Range, first = maxPieceMs): AsyncGenerator<Range> {
  for (let [after, length] = [from, Math.min(first, maxPieceMs)]; ; length = maxPieceMs) {
    if (to - after <= length) return after > to ? undefined : yield { from: after, to }
    const { begin } = await db.one<{ begin: Date | null }>(
      sql`select min(p."fixTime") as "begin" from geo.position p where ${ofDevice(device, { from: after, to })}`,
    )
    if (!begin) return
    const end = Math.min(to, begin.getTime() + length)
    yield { from: begin.getTime(), to: end }
    after = end + 1
  }
}

type PackedSignals = [fixTime: number, deviceTime: number | null, ...told: Value[]]

/** Attributes of a message from which events are detected. */
const signalNames = ['ignition', 'alarm', 'driverUniqueId', 'result'] as const

/** Stored messages with only those attributes, in the order they were created. */
export async function readSignals(db: Sql, device: DeviceRef, range: Range): Promise<Fix[]> {
  const text = await db.text(sql`
    select coalesce(json_agg(json_build_array(${epoch(sql`p."fixTime"`)}, ${epoch(sql`p."deviceTime"`)}, ${join(signalNames.map((name) => attributeOf(name)))})
      order by coalesce(p."deviceTime", p."fixTime"), p."fixTime"), '[]')
    from geo.position p where ${ofDevice(device, range)}`)
  return (JSON.parse(text) as PackedSignals[]).map(([fixTime, deviceTime, ...told]) => ({
    fixTime,
    deviceTime: deviceTime ?? fixTime,
    ...nowhere,
    attributes: Object.fromEntries(told.flatMap((value, at) => (value === null ? [] : [[signalNames[at]!, value]]))),
  }))
}

const nowhere = { latitude: null, longitude: null, isValid: false, altitude: null, speed: null, course: null, accuracy: null }

/** Reads the messages of given times with all their attributes, by time. */
export async function readMessages(db: Sql, device: DeviceRef, times: readonly number[]): Promise<Map<number, Fix>> {
  if (times.length === 0) return new Map()
  const rows = await db.query<Omit<Fix, 'attributes'> & { attributes: Attributes }>(sql`
    select ${epoch(sql`p."fixTime"`)} as "fixTime", ${epoch(sql`coalesce(p."deviceTime", p."fixTime")`)} as "deviceTime", p."latitude", p."longitude", p."isValid", p."altitude",
      p."speed", p."course", p."accuracy", p."attributes" from geo.position p
    where p."companyId" = ${device.companyId} and p."deviceId" = ${device.deviceId} and p."fixTime" = any(${times.map((time) => new Date(time))}::timestamptz[])`)
  return new Map(rows.map((row) => [row.fixTime, row]))
}
