import { cut } from './cut.ts'
import { inOrder, withHeldIgnition, type Point } from './point.ts'
import { placesOf } from './quality.ts'
import type { MotionRows, Stop } from './rows.ts'
import { defaultSettings, type MotionSettings } from './settings.ts'
import { idlesOf, overspeedsOf, sessionsOf } from './spans.ts'
import { tripOf } from './trip.ts'

/**
 * Everything that the messages of one device say of its motion, in whatever order they come. `from`: a stop to read on
 * from (its row is all that is needed); then messages up to its end serve as context only.
 */
export function motionOf(points: readonly Point[], settings: MotionSettings = defaultSettings, from: Stop | null = null): MotionRows {
  const ordered = inOrder(points)
  const held = withHeldIgnition(ordered, settings.gapAfter)
  const after = from ? held.filter(({ time }) => time > from.end.time) : held
  const { ways, stops, gaps } = cut(placesOf(after, from?.end ?? null, settings), settings, from)
  return {
    trips: ways.map(way => tripOf(way, ordered, settings)), stops, gaps,
    sessions: sessionsOf(ordered, settings), idles: idlesOf(ordered, settings), overspeeds: overspeedsOf(ordered, settings),
  }
}

/** Metres on the ground by the rows: what an odometer adds since they begin. */
export function metresOf({ trips, stops }: Pick<MotionRows, 'trips' | 'stops'>): number {
  return trips.reduce((sum, trip) => sum + trip.metres, 0) + stops.reduce((sum, stop) => sum + stop.metres, 0)
}
