import { sumBy } from 'es-toolkit/math/sumBy'
import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import { inOrder, withHeldIgnition, type Point } from './point.ts'
import { placesOf } from './quality.ts'
import type { MotionRows, Trip } from './rows.ts'
import { defaultSettings, type MotionSettings } from './settings.ts'
import { placeOf } from './stop.ts'
import { advance, meterAt } from './path.ts'

/** Totals of one local day: metres, milliseconds, km/h. `trips` counts those that began in it. */
export interface DaySum {
  day: string
  trips: number
  stops: number
  metres: number
  gapMetres: number
  movingMs: number
  idleMs: number
  stoppedMs: number
  engineMs: number
  maxSpeed: number | null
}

/** From the first moment of a local day to that of the day after the last one. A day has 23 to 25 hours, by the zone's clock. */
export function daysRange(first: string, last: string, timeZone: string): { from: number; to: number } {
  return { from: timeAt(first, 0, timeZone), to: timeAt(addDays(last, 1), 0, timeZone) }
}

export interface Days {
  days: readonly string[]
  timeZone: string
  settings?: MotionSettings
  pointsOf: (trip: Trip) => readonly Point[]
}

/**
 * Totals per local day. A trip across midnight is split there: times to the millisecond, metres by the fixes, so that the days add up to
 * the whole. `pointsOf` returns the messages of a trip and is called only for those that cross midnight.
 */
export function daySums(
  rows: Pick<MotionRows, 'trips' | 'stops' | 'sessions'>,
  { days, timeZone, pointsOf, settings = defaultSettings }: Days,
): DaySum[] {
  return days.map((day) => {
    const { from, to } = daysRange(day, day, timeZone)
    const isWithin = ({ startTime }: { startTime: number }) => startTime >= from && startTime < to
    const overlap = (start: number, end: number) => Math.max(0, Math.min(end, to) - Math.max(start, from))
    const parts = rows.trips
      .filter((trip) => trip.startTime < to && trip.end.time >= from)
      .map((trip) => (trip.startTime >= from && trip.end.time < to ? trip : partOf(trip, pointsOf(trip), { from, to, settings })))
    const sum = (key: 'metres' | 'gapMetres' | 'movingMs' | 'idleMs') => sumBy(parts, (part) => part[key])
    return {
      day,
      trips: rows.trips.filter(isWithin).length,
      stops: rows.stops.filter(isWithin).length,
      metres: sum('metres'),
      gapMetres: sum('gapMetres'),
      movingMs: sum('movingMs'),
      idleMs: sum('idleMs'),
      stoppedMs: sumBy(rows.stops, (stop) => overlap(stop.startTime, stop.goneBy ?? stop.end.time)),
      engineMs: sumBy(rows.sessions, (session) => overlap(session.startTime, session.endTime)),
      maxSpeed: parts.reduce<number | null>(
        (most, { maxSpeed }) => (maxSpeed !== null && (most === null || maxSpeed > most) ? maxSpeed : most),
        null,
      ),
    }
  })
}

/** The days (YYYY-MM-DD) of a trip: several when it crosses midnight. */
export const daysOf = ({ startTime, end }: Trip, timeZone: string): [string, string] => [
  dayOf(startTime, timeZone),
  dayOf(end.time, timeZone),
]

interface Within {
  from: number
  to: number
  settings: MotionSettings
}

/** The part of a trip within a day; a segment belongs to the day in which it ended. */
export function partOf(
  trip: Pick<Trip, 'startTime' | 'start' | 'maxSpeed'> & { end: { time: number } },
  points: readonly Point[],
  { from, to, settings }: Within,
): Pick<DaySum, 'metres' | 'gapMetres' | 'movingMs' | 'idleMs' | 'maxSpeed'> {
  const part = { metres: 0, gapMetres: 0, movingMs: 0, idleMs: 0, maxSpeed: null as number | null }
  const way = inOrder(points).filter(({ time }) => time > trip.startTime && time <= trip.end.time)
  const meter = meterAt(placeOf(trip.start))
  for (const place of placesOf(withHeldIgnition(way, settings.gapAfter), trip.start, settings)) {
    const before = { ...meter.sum }
    advance(meter, place, settings)
    if (place.time < from || place.time >= to) continue
    for (const key of ['metres', 'gapMetres', 'movingMs', 'idleMs'] as const) part[key] += meter.sum[key] - before[key]
    if (place.speed !== null) part.maxSpeed = Math.min(Math.max(part.maxSpeed ?? 0, place.speed), trip.maxSpeed ?? Infinity)
  }
  return part
}
