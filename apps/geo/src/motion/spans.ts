import { indexAt, momentOf, withHeldIgnition, type Place, type Point } from './point.ts'
import { faultOf, soundPoints } from './quality.ts'
import type { EngineSession, Idle, Overspeed, Span } from './rows.ts'
import type { Limit, MotionSettings } from './settings.ts'
import { measure } from './path.ts'

/** A run of messages with the signal yes; `closing` is the no that ended it, if it came in time. */
interface Run<Kind> {
  points: Kind[]
  closing: Kind | null
  isOpen: boolean
}

/** The signal of a message: yes, no, or null (then the message is skipped). */
export type Signal<Kind extends Point> = (point: Kind) => boolean | null

/**
 * Runs of yes, separated by a no or by a silence. The start of a run depends only on the last message with a signal before it. `until`:
 * up to when messages are known.
 */
function runsOf<Kind extends Point>(points: readonly Kind[], says: Signal<Kind>, { gapAfter }: MotionSettings, until: number): Run<Kind>[] {
  const runs: Run<Kind>[] = []
  let run: Run<Kind> | null = null
  for (const point of points) {
    const answer = says(point)
    if (answer === null) continue
    const last: Kind | undefined = run?.points.at(-1)
    const isSilent = last !== undefined && point.time - last.time > gapAfter
    if (run && (isSilent || !answer)) {
      Object.assign(run, { closing: isSilent ? null : point, isOpen: false })
      run = null
    }
    if (!answer) continue
    if (run) run.points.push(point)
    else runs.push((run = { points: [point], closing: null, isOpen: true }))
  }
  const last = run?.points.at(-1)
  if (run && last && until - last.time > gapAfter) run.isOpen = false
  return runs
}

/** Whether the engine runs, by the source that is set for the device. */
export function engineSignal({ engine, runningVoltage, movingSpeed }: MotionSettings): Signal<Point> {
  if (engine === 'ignition') return ({ ignition }) => ignition
  if (engine === 'voltage') return ({ voltage }) => (voltage == null ? null : voltage > runningVoltage)
  return ({ motion, speed }) => motion ?? (speed === null ? null : speed > movingSpeed)
}

/** Stationary with the engine on. */
export function idleSignal(settings: MotionSettings): Signal<Point> {
  const engine = engineSignal(settings)
  return (point) => {
    const runs = engine(point)
    const moves = point.speed === null ? (point.motion ?? null) : point.speed > settings.movingSpeed
    return runs === null || moves === null ? null : runs && !moves
  }
}

export function overspeedSignal(settings: MotionSettings): Signal<Point> {
  if (!hasLimit(settings)) return () => null
  return (point) => {
    if (point.speed === null || faultOf(point, settings)) return null
    const found = limitOf(point as Place, settings)
    return found !== null && point.speed > found.limit
  }
}

const hasLimit = ({ speedLimit, limitAt }: MotionSettings) => speedLimit !== null || limitAt !== undefined

/** Inside a fence its limit overrides the device's. */
function limitOf(place: Place, { speedLimit, limitAt }: MotionSettings): Limit | null {
  return limitAt?.(place) ?? (speedLimit === null ? null : { limit: speedLimit, fenceId: null })
}

function spanOf({ points, closing, isOpen }: Run<Point>): Span {
  const [first, last] = [points[0] as Point, points.at(-1) as Point]
  return { startTime: first.time, endTime: (closing ?? last).time, isOpen, points: points.length }
}

/**
 * Engine sessions of ordered messages: from the first message with a running engine to the one with the engine off; a silence ends it at
 * the last message.
 */
export function sessionsOf(points: readonly Point[], settings: MotionSettings, until: number): EngineSession[] {
  return runsOf(points, engineSignal(settings), settings, until).map((run) => {
    const span = spanOf(run)
    // By time and not by the messages of the run: other messages may carry the places.
    const places = soundPoints(points.slice(...rangeOf(points, span)), settings).map((place) => ({ ...place, ignition: true }))
    const { metres, movingMs } = measure(places, settings)
    return { ...span, source: settings.engine, metres, movingMs, idleMs: span.endTime - span.startTime - movingMs }
  })
}

function rangeOf(points: readonly Point[], { startTime, endTime }: Span): [number, number] {
  return [indexAt(points, startTime), indexAt(points, endTime + 1)]
}

/** Idling of two minutes and more. */
export function idlesOf(points: readonly Point[], settings: MotionSettings, until: number): Idle[] {
  return runsOf(withHeldIgnition(points, settings.gapAfter), idleSignal(settings), settings, until)
    .map((run) => ({
      ...spanOf(run),
      latitude: run.points.find(hasPlace)?.latitude ?? null,
      longitude: run.points.find(hasPlace)?.longitude ?? null,
    }))
    .filter(({ startTime, endTime }) => endTime - startTime >= settings.idleAfter)
}

const hasPlace = ({ latitude }: Point) => latitude !== null

/** Spans above the limit that lasted long enough, with their maximum and their end. */
export function overspeedsOf(points: readonly Point[], settings: MotionSettings, until: number): Overspeed[] {
  if (!hasLimit(settings)) return []
  return runsOf(soundPoints(points, settings), overspeedSignal(settings), settings, until).flatMap((run) => {
    const [first, last] = [run.points[0] as Place, run.points.at(-1) as Place]
    const confirmed = run.points.find(({ time }) => time - first.time >= settings.overspeedAfter)
    const told = confirmed && limitOf(confirmed as Place, settings)
    if (!told) return []
    const { latitude, longitude } = momentOf(first)
    return {
      ...spanOf({ ...run, closing: null }),
      endTime: last.time,
      latitude,
      longitude,
      ...told,
      maxSpeed: run.points.reduce((most, { speed }) => Math.max(most, speed ?? 0), 0),
      confirmedTime: confirmed.time,
      confirmedSpeed: confirmed.speed ?? 0,
      metres: measure(run.points, settings).metres,
    }
  })
}
