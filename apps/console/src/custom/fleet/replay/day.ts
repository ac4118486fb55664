import { call } from '../../../data/calls.ts'
import type { FleetAsset } from '../fleet.ts'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import type { Fix, Reading } from './replay.ts'

export interface Stop {
  id: string
  startTime: string
  endTime: string | null
  kind: string
  latitude: number
  longitude: number
}
export interface EventRow {
  eventId: string
  words: string
  severity: string
  eventTime: string
  latitude: number | null
  longitude: number | null
}
export interface Day {
  asset: FleetAsset
  fixes: Fix[]
  stops: Stop[]
  events: EventRow[]
  /** The device that was on it, and the day's first and last moment. */
  deviceId: string | undefined
  span: Span
}
export interface Span {
  from: string
  to: string
}
const pageSize = 10_000
const fields = 'fixTime,latitude,longitude,speed,course,isValid'
/** A day is asked for in so many parts at once: with a message each second, one after the other they take seconds. */
const parts = 6

/** The span in stretches of one length, none of which shares a moment with another. */
export function partsOf({ from, to }: Span, count: number): Span[] {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const length = Math.ceil((last - first + 1) / count)
  return Array.from({ length: count }, (_, at) => first + at * length)
    .filter((start) => start <= last)
    .map((start) => ({ from: new Date(start).toISOString(), to: new Date(Math.min(last, start + length - 1)).toISOString() }))
}

const fixesOf = async (deviceId: string, span: Span, signal: AbortSignal): Promise<Fix[]> =>
  (await Promise.all(partsOf(span, parts).map((part) => fixesWithin(deviceId, part, signal)))).flat()

async function fixesWithin(deviceId: string, { from, to }: Span, signal: AbortSignal): Promise<Fix[]> {
  const fixes: Fix[] = []
  for (let after: string | undefined; ;) {
    const { data, meta } = await call(
      'geo.positions.list',
      { query: { deviceId, from, to, size: String(pageSize), fields, ...(after === undefined ? {} : { after }) } },
      { signal },
    )
    for (const row of data.position as {
      fixTime: string
      latitude: number | null
      longitude: number | null
      speed: number | null
      course: number | null
      isValid: boolean
    }[])
      if (row.isValid && row.latitude !== null && row.longitude !== null)
        fixes.push({ time: Date.parse(row.fixTime), lat: row.latitude, lng: row.longitude, speed: row.speed ?? 0, course: row.course })
    const next = (meta as { next?: string | null } | undefined)?.next
    if (!next) return fixes
    after = next
  }
}

const readingFields = 'id,fixTime,attributes'
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)

/** Ignition, voltage and fuel over the day: asked for after the first picture, because every message has them at length. */
export async function readReadings(deviceId: string, { from, to }: Span, signal: AbortSignal): Promise<Reading[]> {
  const readings: Reading[] = []
  for (let after: string | undefined; ;) {
    const { data, meta } = await call(
      'geo.positions.list',
      { query: { deviceId, from, to, size: String(pageSize), fields: readingFields, ...(after === undefined ? {} : { after }) } },
      { signal },
    )
    for (const { fixTime, attributes } of data.position as { fixTime: string; attributes: Record<string, unknown> | null }[]) {
      const { ignition, power, fuel, fuelLevel } = attributes ?? {}
      readings.push({
        time: Date.parse(fixTime),
        ignition: typeof ignition === 'boolean' ? ignition : null,
        power: numberOf(power),
        fuel: numberOf(fuel) ?? numberOf(fuelLevel),
      })
    }
    const next = (meta as { next?: string | null } | undefined)?.next
    if (!next) return readings
    after = next
  }
}

interface Wanted {
  id: string
  date: string
  /** Of the company, whose day it is. */
  timeZone: string
}

/** What is known of an asset's day: where it was, stops, events. */
export async function readDay({ id, date, timeZone }: Wanted, signal: AbortSignal): Promise<Day> {
  const body = { assetId: id, startDate: date, endDate: date }
  const [one, ways, told] = await Promise.all([
    call('assets.one', { params: { id } }, { signal }),
    call('assets.trips', { body }, { signal }),
    call('assets.events', { params: { id }, query: { startDate: date, endDate: date, size: 1_000 } }, { signal }),
  ])
  const asset = one.data.asset as unknown as FleetAsset
  const trips = ways.data.trips as unknown as { deviceId: string; startTime: string; endTime: string | null }[]
  const stops = ways.data.stops as unknown as Stop[]
  const deviceId = trips[0]?.deviceId ?? asset.asset_devices[0]?.deviceId
  const span = {
    from: new Date(timeAt(date, 0, timeZone)).toISOString(),
    to: new Date(timeAt(addDays(date, 1), 0, timeZone) - 1).toISOString(),
  }
  const fixes = deviceId === undefined ? [] : await fixesOf(deviceId, span, signal)
  return { asset, fixes, stops, deviceId, span, events: told.data.events as unknown as EventRow[] }
}
