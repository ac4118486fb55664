import { metresBetween, type Point } from '@outpost/rules/places/distance'
import { indexAt } from '../point.ts'
import { report, type TraccarPoint, type TraccarSettings, type TraccarStop, type TraccarTrip } from './rule.ts'

export interface SpatialPoint extends Point {
  time: number
}
/** Metres and milliseconds; a null stopGap never splits. */
export interface SpatialSettings {
  minDistance: number
  minDuration: number
  stopGap: number | null
}
export interface SpatialEvent {
  type: 'deviceMoving' | 'deviceStopped'
  time: number
}

/** Traccar's defaults since 6.x. */
export const spatialDefaults: Readonly<SpatialSettings> = { minDistance: 200, minDuration: 180_000, stopGap: 3_600_000 }

/** The state that Traccar's spatial rule (report.trip.newLogic) needs for the next position. */
export interface SpatialState {
  isMoving: boolean
  /** Positions back to minDuration, oldest first. */
  buffer: readonly SpatialPoint[]
  /** The position of the last event; the oldest buffered one before the first event. */
  lastEvent: SpatialPoint | null
}

/**
 * Advances Traccar's spatial rule by one position. Used to import its motion events and to show where it differs from ours: its stop has
 * the time of the position that confirmed it, ours the time of arrival.
 */
export function spatialStep(
  state: SpatialState,
  current: SpatialPoint,
  settings: SpatialSettings = spatialDefaults,
): { events: SpatialEvent[]; isMoving: boolean } {
  const [oldest, last] = [state.buffer[0], state.buffer.at(-1)]
  if (!oldest || !last) return { events: [], isMoving: state.isMoving }
  if (isBridged(last, current, settings)) {
    const stopped: SpatialEvent[] = state.isMoving ? [{ type: 'deviceStopped', time: last.time }] : []
    return {
      events: [...stopped, { type: 'deviceMoving', time: last.time }, { type: 'deviceStopped', time: current.time }],
      isMoving: false,
    }
  }
  if (!state.isMoving) {
    if (metresBetween(state.lastEvent ?? oldest, current) < settings.minDistance) return { events: [], isMoving: false }
    return { events: [{ type: 'deviceMoving', time: startOf(state, current, settings) }], isMoving: true }
  }
  const isStill =
    current.time - oldest.time >= settings.minDuration &&
    state.buffer.every((place) => metresBetween(place, current) < settings.minDistance)
  return { events: isStill ? [{ type: 'deviceStopped', time: current.time }] : [], isMoving: !isStill }
}

/** Faster than the slowest motion: the distance of a start in the time of a stop. */
const isDriven = (from: SpatialPoint, to: SpatialPoint, { minDistance, minDuration }: SpatialSettings): boolean =>
  metresBetween(from, to) * minDuration > minDistance * (to.time - from.time)

function isBridged(last: SpatialPoint, current: SpatialPoint, settings: SpatialSettings): boolean {
  return (
    settings.stopGap !== null &&
    current.time - last.time > settings.stopGap &&
    metresBetween(last, current) >= settings.minDistance &&
    isDriven(last, current, settings)
  )
}

/** Goes back over the driven segments to where the first of them began, but never before an event that was already reported. */
function startOf({ buffer, lastEvent }: SpatialState, current: SpatialPoint, settings: SpatialSettings): number {
  const told = (lastEvent ?? buffer[0] ?? current).time
  let start = current
  for (const place of buffer.toReversed()) {
    // The segment that revealed the motion was driven, however slowly.
    if (place.time <= told || (start !== current && !isDriven(place, start, settings))) break
    start = place
  }
  return start.time
}

/**
 * Trips and stops between the events of the spatial rule over a whole window. It starts stationary, as a report does that knows nothing
 * of the time before; what is in progress at its end is cut there. `points` and `places` are the same messages.
 */
export function spatialSpans(
  points: readonly TraccarPoint[],
  places: readonly SpatialPoint[],
  { spatial, counting }: { spatial: SpatialSettings; counting: Pick<TraccarSettings, 'ignoreOdometer'> },
): { trips: TraccarTrip[]; stops: TraccarStop[] } {
  const result: { trips: TraccarTrip[]; stops: TraccarStop[] } = { trips: [], stops: [] }
  const file = (from: number, to: number, isTrip: boolean) => {
    if (to > from) report(result, points.slice(from, to + 1), { isTrip, settings: counting })
  }
  let from = 0
  const { events, isMoving } = readThrough(places, spatial)
  for (const { type, time } of events) {
    const at = indexAt(places, time)
    file(from, at, type === 'deviceStopped')
    from = at
  }
  file(from, points.length - 1, isMoving)
  return result
}

/** Processes all positions of a window: the events, and whether it is moving at the end. */
function readThrough(places: readonly SpatialPoint[], settings: SpatialSettings): { events: SpatialEvent[]; isMoving: boolean } {
  const events: SpatialEvent[] = []
  const state = { isMoving: false, lastEvent: null as SpatialPoint | null }
  let first = 0
  for (const [index, current] of places.entries()) {
    // A position older than minDuration shows that all newer ones have lasted long enough.
    while (first + 1 < index && (places[first + 1] as SpatialPoint).time <= current.time - settings.minDuration) first += 1
    const step = spatialStep({ ...state, buffer: places.slice(first, index) }, current, settings)
    const last = step.events.at(-1)
    events.push(...step.events)
    Object.assign(state, { isMoving: step.isMoving, ...(last ? { lastEvent: places[indexAt(places, last.time)] } : {}) })
  }
  return { events, isMoving: state.isMoving }
}
