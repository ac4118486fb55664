import { isDeepStrictEqual } from 'node:util'
import { motionOf } from './motion.ts'
import { inOrder, withHeldIgnition, type Point } from './point.ts'
import { soundPoints } from './quality.ts'
import type { MotionRows, Span, Stop } from './rows.ts'
import { defaultSettings, type MotionSettings } from './settings.ts'
import { engineSignal, idleSignal, overspeedSignal, type Signal } from './spans.ts'

/** First and last fix time of the messages that are new or changed. */
export interface Dirty {
  from: number
  to: number
}

type Kind = keyof MotionRows
type SpanKind = 'sessions' | 'idles' | 'overspeeds'
/** Replaces the rows whose `startTime` is at `from` or later and before `to`. */
export interface Range {
  from: number
  to: number
}
export interface Replacement {
  ranges: Record<Kind, Range>
  rows: MotionRows
}

/** When a stop is final: later messages can change neither its row up to its end nor that it is a stop. */
export const certainAt = ({ end, goneBy }: Stop): number => goneBy ?? end.time

/**
 * Stored rows before the dirty messages: the last stop that was final (certainAt) before the first of them, and the last span of each
 * kind that began before it.
 */
export interface Before {
  stop: Stop | null
  sessions: Span | null
  idles: Span | null
  overspeeds: Span | null
}

/** Where to begin: messages to read from, the stop to continue from, and per kind the first row that may change. */
export interface Window {
  readFrom: number
  from: Record<Kind, number>
  resume: Stop | null
}

/**
 * A stop that was final before the first dirty message stays, and its row is all that is needed: everything after its end is rebuilt. A
 * span may grow from its beginning, and one that was too short to be stored may now be long enough. Earlier messages are read for
 * context: as long as an ignition is held, and a silence before that.
 */
export function windowOf(dirty: Dirty, before: Before, settings: MotionSettings = defaultSettings): Window {
  const { stop } = before
  const { gapAfter, idleAfter, overspeedAfter } = settings
  const spanFrom = (span: Span | null, shortest: number) =>
    span && (span.isOpen || span.endTime + gapAfter >= dirty.from) ? span.startTime : dirty.from - gapAfter - shortest
  const end = stop?.end.time ?? -Infinity
  const spans = {
    sessions: spanFrom(before.sessions, 0),
    idles: spanFrom(before.idles, idleAfter),
    overspeeds: spanFrom(before.overspeeds, overspeedAfter),
  }
  return {
    resume: stop,
    from: { stops: stop?.startTime ?? -Infinity, trips: end, gaps: end, ...spans },
    readFrom: Math.min(end, ...Object.values(spans)) - 2 * gapAfter,
  }
}

export interface Reading {
  dirty: Dirty
  window: Window
  /** All messages from the window's `readFrom` to `readTo`. */
  points: readonly Point[]
  /** Infinite: there are no later messages. */
  readTo: number
  /** The stored stops that end in the dirty time or after it, as far as was read. */
  stops: readonly Stop[]
  settings?: MotionSettings
}

/**
 * The replacement rows: exactly those that all messages in order would give. Null when too little was read to be certain: then read on
 * to a later `readTo`.
 */
export function replacementOf({ dirty, window, points, readTo, stops, settings = defaultSettings }: Reading): Replacement | null {
  const ordered = inOrder(points)
  const isWhole = readTo === Infinity
  const rows = motionOf(ordered, settings, { from: window.resume, until: isWhole ? undefined : readTo })
  // A held ignition extends the effect of a dirty message to the messages after it.
  const settled = dirty.to + settings.gapAfter
  const same = rows.stops.find(
    (stop) => stop.end.time >= settled && stops.some((stored) => stored.startTime === stop.startTime && isDeepStrictEqual(stored, stop)),
  )
  const to = isWhole ? null : spanEnds(ordered, settled, readTo, settings)
  if (!isWhole && (!same || !to)) return null
  const end = isWhole ? Infinity : (same?.end.time ?? Infinity)
  const ends = {
    stops: end,
    trips: end,
    gaps: end,
    sessions: to?.sessions ?? Infinity,
    idles: to?.idles ?? Infinity,
    overspeeds: to?.overspeeds ?? Infinity,
  }
  const range = (kind: Kind): Range => ({ from: window.from[kind], to: ends[kind] })
  const within = <Row extends { startTime: number }>(kind: Kind, list: Row[]): Row[] => list.filter((row) => isWithin(row, range(kind)))
  return {
    ranges: {
      trips: range('trips'),
      stops: range('stops'),
      gaps: range('gaps'),
      sessions: range('sessions'),
      idles: range('idles'),
      overspeeds: range('overspeeds'),
    },
    rows: {
      trips: within('trips', rows.trips),
      stops: within('stops', rows.stops),
      gaps: within('gaps', rows.gaps),
      sessions: within('sessions', rows.sessions),
      idles: within('idles', rows.idles),
      overspeeds: within('overspeeds', rows.overspeeds),
    },
  }
}

const isWithin = ({ startTime }: { startTime: number }, { from, to }: Range) => startTime >= from && startTime < to

/** Applies a replacement to rows: what the database does in one transaction. */
export function applied(rows: MotionRows, { ranges, rows: news }: Replacement): MotionRows {
  const merge = <Row extends { startTime: number }>(kind: Kind, old: Row[], fresh: Row[]): Row[] =>
    [...old.filter((row) => !isWithin(row, ranges[kind])), ...fresh].toSorted((a, b) => a.startTime - b.startTime)
  return {
    trips: merge('trips', rows.trips, news.trips),
    stops: merge('stops', rows.stops, news.stops),
    gaps: merge('gaps', rows.gaps, news.gaps),
    sessions: merge('sessions', rows.sessions, news.sessions),
    idles: merge('idles', rows.idles, news.idles),
    overspeeds: merge('overspeeds', rows.overspeeds, news.overspeeds),
  }
}

function spanEnds(points: readonly Point[], after: number, readTo: number, settings: MotionSettings): Record<SpanKind, number> | null {
  const held = withHeldIgnition(points, settings.gapAfter)
  const sessions = breakAfter(points, engineSignal(settings), { after, readTo, settings })
  const idles = breakAfter(held, idleSignal(settings), { after, readTo, settings })
  const overspeeds = breakAfter(soundPoints(points, settings), overspeedSignal(settings), { after, readTo, settings })
  return sessions === null || idles === null || overspeeds === null ? null : { sessions, idles, overspeeds }
}

/** A time later than `after` at which no span is open, whatever came before; null when none was read. */
function breakAfter(
  points: readonly Point[],
  says: Signal<Point>,
  { after, readTo, settings }: { after: number; readTo: number; settings: MotionSettings },
): number | null {
  let told = -Infinity
  for (const point of points) {
    const answer = says(point)
    if (answer === null) continue
    if (point.time > after && (!answer || point.time - told > settings.gapAfter)) return point.time
    told = point.time
  }
  const silent = Math.max(after, told) + settings.gapAfter + 1
  return silent <= readTo ? silent : null
}

/** The data source of a rebuild; all of one device. */
export interface MotionStore {
  /** Fix time of the newest message. */
  newest: number
  before(time: number): Promise<Before>
  points(range: Range): Promise<Point[]>
  /** Fix time of the first message after a time; called only when there is one. */
  next(time: number): Promise<number>
  /** Stops whose end lies in the range. */
  stops(range: Range): Promise<Stop[]>
}

const hour = 3_600_000
/** How far after the dirty messages to look for unchanged rows: most late batches fit into the first. */
const reaches = [6 * hour, 72 * hour, Infinity]

const maxPieceMs = 14 * 24 * hour

/**
 * Rebuilds in pieces that fit into memory, for imports of months: each as if no later messages existed, the last one until stored rows
 * are unchanged. Apply each before requesting the next.
 */
export async function* rebuilds(
  dirty: Dirty,
  store: MotionStore,
  settings: MotionSettings = defaultSettings,
  { longest = maxPieceMs, reach = reaches }: Reach = {},
): AsyncGenerator<Replacement> {
  for (let { from } = dirty; ;) {
    const end = from + longest
    const rest = { from, to: Math.max(from, dirty.to) }
    if (store.newest <= end) return yield rebuild(rest, store, settings, reach)
    const near = reach.filter((ahead) => rest.to + ahead <= end)
    const found = near.length === 0 ? null : await attempt(rest, store, { settings, reach: near })
    if (found) return yield found
    const piece = await rebuild({ from, to: end }, { ...store, newest: end }, settings, [Infinity])
    yield upTo(end, piece)
    from = await store.next(end)
  }
}

/** Longest piece and the tried ranges after its end, ms. */
export interface Reach {
  longest?: number
  reach?: readonly number[]
}

/** Leaves rows after a time to the next piece. */
function upTo(end: number, { ranges, rows }: Replacement): Replacement {
  const clipped = Object.entries(ranges).map(([kind, { from, to }]) => [kind, { from, to: Math.min(to, end + 1) }])
  return { rows, ranges: Object.fromEntries(clipped) as Record<Kind, Range> }
}

/** Reads as little as needed and returns the rows to replace. */
export async function rebuild(
  dirty: Dirty,
  store: MotionStore,
  settings: MotionSettings = defaultSettings,
  reach: readonly number[] = reaches,
): Promise<Replacement> {
  const found = await attempt(dirty, store, { settings, reach })
  if (!found) throw new Error('The last reach of a rebuild must be infinite')
  return found
}

async function attempt(
  dirty: Dirty,
  store: MotionStore,
  { settings, reach }: { settings: MotionSettings; reach: readonly number[] },
): Promise<Replacement | null> {
  const window = windowOf(dirty, await store.before(dirty.from), settings)
  for (const ahead of reach) {
    const readTo = dirty.to + ahead < store.newest ? dirty.to + ahead : Infinity
    const range = { from: window.readFrom, to: Math.min(readTo, store.newest) }
    const [points, stops] = [await store.points(range), await store.stops({ from: dirty.to, to: readTo })]
    const replacement = replacementOf({ dirty, window, points, readTo, stops, settings })
    if (replacement) return replacement
  }
  return null
}
