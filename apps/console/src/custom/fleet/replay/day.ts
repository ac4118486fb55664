import { call, type CallData } from '../../../data/calls.ts'
import { queryClient } from '../../../data/query-client.ts'
import type { FleetAsset } from '../fleet.ts'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import type { Fix, Reading } from './replay.ts'

export type Stop = CallData<'assets.trips'>['stops'][number]
export type EventRow = CallData<'assets.events'>['events'][number]
/** What lies on the way: worked out from all messages, so it comes after the sketch. */
export interface Marks {
  stops: Stop[]
  events: EventRow[]
  /** The device that was on the asset on its first trip of the day. */
  deviceId: string | undefined
}
export interface Day {
  asset: FleetAsset
  /** Every message, or a sketch of the way that is drawn at once. */
  fixes: Fix[]
  isWhole: boolean
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

/** Every message of the day. */
export const readFixes = async (deviceId: string, span: Span, signal: AbortSignal): Promise<Fix[]> =>
  (await Promise.all(partsOf(span, parts).map((part) => fixesWithin(deviceId, part, signal)))).flat()

type PositionRow = CallData<'geo.positions.list'>['position'][number]

const fixOf = ({ isValid, latitude, longitude, fixTime, speed, course }: PositionRow): Fix[] =>
  isValid && typeof latitude === 'number' && typeof longitude === 'number' && fixTime !== undefined
    ? [{ time: Date.parse(fixTime), lat: latitude, lng: longitude, speed: speed ?? 0, course: course ?? null }]
    : []

/** Points nearer than this to the line through the others are left out of the sketch: less than a pixel where a day is seen whole. */
const sketchMetres = 10

/** The way of the day in few points: a day with a message each second is drawn before its messages are here. */
async function readSketch(deviceId: string, { from, to }: Span, signal: AbortSignal): Promise<Pick<Day, 'fixes' | 'isWhole'>> {
  const query = { deviceId, from, to, fields, simplify: String(sketchMetres) }
  const { data, meta } = await call('geo.positions.list', { query }, { signal })
  const rows = data.position
  return { fixes: rows.flatMap(fixOf), isWhole: (meta as { points?: number } | undefined)?.points === rows.length }
}

async function fixesWithin(deviceId: string, { from, to }: Span, signal: AbortSignal): Promise<Fix[]> {
  const fixes: Fix[] = []
  for (let after: string | undefined; ;) {
    const { data, meta } = await call(
      'geo.positions.list',
      { query: { deviceId, from, to, size: String(pageSize), fields, ...(after === undefined ? {} : { after }) } },
      { signal },
    )
    for (const row of data.position) fixes.push(...fixOf(row))
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
    for (const { fixTime = '', attributes } of data.position) {
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

/** How the way of an asset's day is asked for. */
export const dayQuery = (wanted: Wanted) => ({
  queryKey: ['records', 'replay', wanted.id, wanted.date, wanted.timeZone],
  staleTime: 60_000,
  queryFn: ({ signal }: { signal: AbortSignal }) => readDay(wanted, signal),
})

/** How stops and events of an asset's day are asked for. */
export const marksQuery = ({ id, date }: Omit<Wanted, 'timeZone'>) => ({
  queryKey: ['records', 'replay', 'marks', id, date],
  staleTime: 60_000,
  queryFn: ({ signal }: { signal: AbortSignal }) => readMarks(id, date, signal),
})

async function readMarks(id: string, date: string, signal: AbortSignal): Promise<Marks> {
  const [{ data: ways }, { data: happened }] = await Promise.all([
    call('assets.trips', { body: { assetId: id, startDate: date, endDate: date } }, { signal }),
    call('assets.events', { params: { id }, query: { startDate: date, endDate: date, size: 1_000 } }, { signal }),
  ])
  return { stops: ways.stops, events: happened.events, deviceId: ways.trips[0]?.deviceId }
}

/** Where an asset was on a day, in a sketch. */
async function readDay({ id, date, timeZone }: Wanted, signal: AbortSignal): Promise<Day> {
  const span = {
    from: new Date(timeAt(date, 0, timeZone)).toISOString(),
    to: new Date(timeAt(addDays(date, 1), 0, timeZone) - 1).toISOString(),
  }
  const { asset } = (await call('assets.one', { params: { id } }, { signal })).data
  const [now, ...besides] = asset.asset_devices
  const isOnlyOne = now !== undefined && besides.length === 0 && Date.parse(now.since) <= Date.parse(span.from)
  // Of several, or before that one, its trips know whose way it is.
  const deviceId = isOnlyOne ? now.deviceId : ((await queryClient.fetchQuery(marksQuery({ id, date }))).deviceId ?? now?.deviceId)
  const sketch = deviceId === undefined ? { fixes: [], isWhole: true } : await readSketch(deviceId, span, signal)
  return { asset, ...sketch, deviceId, span }
}
