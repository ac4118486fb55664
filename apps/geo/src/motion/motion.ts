import { segmentPlaces } from './segments.ts'
import { inOrder, withHeldIgnition, type Point } from './point.ts'
import { placesOf } from './quality.ts'
import type { MotionRows, Stop } from './rows.ts'
import { defaultSettings, type MotionSettings } from './settings.ts'
import { idlesOf, overspeedsOf, sessionsOf } from './spans.ts'
import { tripOf } from './trip.ts'

/**
 * The range of a run: the stop to continue from (its row is sufficient), and the time up to which messages are known (default: that of
 * the last one).
 */
export interface Part {
  from?: Stop | null
  until?: number | undefined
}

/**
 * Everything that follows from one device's messages about its motion, in any order of arrival. Messages up to the end of `from` are
 * context only.
 */
export function motionOf(
  points: readonly Point[],
  settings: MotionSettings = defaultSettings,
  { from = null, until }: Part = {},
): MotionRows {
  const ordered = inOrder(points)
  const held = withHeldIgnition(ordered, settings.gapAfter)
  const after = from ? held.filter(({ time }) => time > from.end.time) : held
  const { paths, stops, gaps } = segmentPlaces(placesOf(after, from?.end ?? null, settings), settings, from)
  const known = until ?? ordered.at(-1)?.time ?? 0
  return {
    trips: paths.map((way) => tripOf(way, ordered, settings)),
    stops,
    gaps,
    sessions: sessionsOf(ordered, settings, known),
    idles: idlesOf(ordered, settings, known),
    overspeeds: overspeedsOf(ordered, settings, known),
  }
}

/** Metres driven by the rows: what an odometer adds from where they begin. */
export function metresOf({ trips, stops }: Pick<MotionRows, 'trips' | 'stops'>): number {
  return trips.reduce((sum, trip) => sum + trip.metres, 0) + stops.reduce((sum, stop) => sum + stop.metres, 0)
}
