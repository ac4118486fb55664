import { metresToEdge } from './distance.ts'
import type { CompiledFence } from './fence-index.ts'
import { crossingBetween, metresInside } from './crossing.ts'
import { withDwells } from './dwell.ts'
import { hasMoved, longSilence, seen, type Seen, type TrackPoint } from './track.ts'
import type { Transition } from './transition.ts'

/** Places that speak against the state: a change under way, not yet believed. Plain data, kept as JSON. */
export interface Run {
  /** The last place before it. */
  from: Seen
  /** The first crossing of the edge. */
  at: number
  latitude: number
  longitude: number
  window: { from: number, to: number } | null
  /** From when its delay counts. */
  since: number
  places: number
  /** Places against the state in a row. */
  inRow: number
  /** Sum of (depth / error) squared since the last place that spoke for the state. */
  evidence: number
  isSure: boolean
  /** Metres of its way inside the fence, and when that ended. */
  inside: number
  until: number
}

/** A device and a fence. Outside without a run is the state of every pair that is not kept. */
export interface FenceState { isInside: boolean, since: number, dwelt: number, run: Run | null }

export type Phase = 'outside' | 'entering' | 'inside' | 'leaving'

export function phaseOf(state: FenceState | undefined): Phase {
  if (!state) return 'outside'
  return state.isInside ? (state.run ? 'leaving' : 'inside') : state.run ? 'entering' : 'outside'
}

export interface Step { state: FenceState | undefined, transitions: Transition[] }

interface Look { fence: CompiledFence, last: Seen, point: TrackPoint, here: Seen, toEdge: number }

/** (depth / error) squared that noise alone does not add up to in 8 hours at 1 Hz on the very edge. */
const enough = 30
/** Places in a row that are believed after a move, though each is less exact than it is deep. */
const manyInRow = 5
/** km/h at which one place is believed: a parked device that jumps says it stands. */
const drivingSpeed = 10

const outside: FenceState = { isInside: false, since: 0, dwelt: 0, run: null }

/**
 * One place after another (section 17 of the facts, sharpened): a place on the other side of the edge begins a run; the
 * run is believed once a place lies certainly there AND the device truly moved since the side it was on (twice, or once
 * while driving; five vague ones in a row do too), or once many places together leave no doubt; then the delay must be over. A place that certainly
 * speaks against the run ends it without an event. So a parked device never comes and goes by noise, however long.
 */
export function stepFence(fence: CompiledFence, state: FenceState | undefined, last: Seen | null, point: TrackPoint): Step {
  if (!state && point.time < fence.since) return { state, transitions: [] }
  const toEdge = metresToEdge(fence.compiled, point)
  if (!state && (!last || fence.since > last.time)) return firstSight(fence, point, toEdge)
  if (!last || isTooVague(fence, point)) return { state, transitions: [] }
  return withDwells(fence, { before: state, after: changed({ fence, last, point, here: seen(point), toEdge }, state), point })
}

function changed(look: Look, state: FenceState | undefined): Step {
  const before = state ?? outside
  const speaksAgainst = before.isInside ? look.toEdge > 0 : look.toEdge < 0
  const step = speaksAgainst ? against(before, look) : agreeing(before, look)
  return { ...step, state: step.state && (step.state.isInside || step.state.run) ? step.state : undefined }
}

/** The first place of all sets the state; that it was inside is told for visits, and for the rules that ask for it. */
function firstSight({ id }: CompiledFence, { time, latitude, longitude }: TrackPoint, toEdge: number): Step {
  if (toEdge > 0) return { state: undefined, transitions: [] }
  const start: Transition = { fenceId: id, kind: 'insideAtStart', at: time, until: null, dwell: null, window: null, confirmedAt: time, latitude, longitude }
  return { state: { isInside: true, since: time, dwelt: 0, run: null }, transitions: [start] }
}

/** A place less exact than the fence is wide says nothing about it. */
const isTooVague = ({ compiled: { width } }: CompiledFence, { accuracy }: TrackPoint) => width > 0 && (accuracy ?? 0) > width

/** How far inside is certain: the error, but for small fences what they have room for. */
const certainDepth = (fence: CompiledFence, error: number, isOutward: boolean) => (isOutward ? error : Math.min(error, fence.compiled.width / 4))

function agreeing(state: FenceState, look: Look): Step {
  const { fence, point, here, toEdge } = look
  if (!state.run) return { state, transitions: state.isInside ? [] : passedThrough(look) }
  if (Math.abs(toEdge) <= certainDepth(fence, here.error, !state.isInside)) return { state: { ...state, run: { ...state.run, evidence: 0, inRow: 0 } }, transitions: [] }
  const way = metresInside(fence.compiled, look.last, here)
  const run: Run = { ...state.run, inside: state.run.inside + way.metres, until: way.until ?? state.run.until }
  const isPassing = !state.isInside && !run.window && fence.settings.enterDelay === 0 && point.time - look.last.time <= longSilence
    && (fence.settings.wantsCrossed || (hasMoved(run.from, here) && run.inside >= 2 * here.error))
  return { state: { ...state, run: null }, transitions: isPassing ? [crossed(fence.id, run, run.until, point.time)] : [] }
}

/** Neither place is inside, the way between them was. */
function passedThrough({ fence, last, point, here }: Look): Transition[] {
  if (point.time - last.time > longSilence) return []
  const way = metresInside(fence.compiled, last, here)
  const isPassing = way.from !== null && (fence.settings.wantsCrossed || (hasMoved(last, here) && way.metres >= last.error + here.error))
  return isPassing ? [crossed(fence.id, { at: way.from!.time, latitude: way.from!.latitude, longitude: way.from!.longitude }, way.until!, point.time)] : []
}

function crossed(fenceId: string, { at, latitude, longitude }: { at: number, latitude: number, longitude: number }, until: number, confirmedAt: number): Transition {
  return { fenceId, kind: 'crossed', at, until, dwell: null, window: null, confirmedAt, latitude, longitude }
}

function against(state: FenceState, look: Look): Step {
  const { fence, point, here, toEdge } = look
  const run = longer(state.run ?? begun(state, look), look)
  const depth = Math.abs(toEdge)
  run.evidence += (depth / here.error) ** 2
  const isCertain = depth > certainDepth(fence, here.error, state.isInside)
  const isBelieved = run.places > 1 || (point.speed ?? 0) >= drivingSpeed
  run.isSure ||= (((isCertain && isBelieved) || run.inRow >= manyInRow) && hasMoved(run.from, here)) || (run.places > 1 && run.evidence >= enough)
  const delay = state.isInside ? fence.settings.exitDelay : fence.settings.enterDelay
  if (!run.isSure || point.time - run.since < delay * 1000) return { state: { ...state, run }, transitions: [] }
  const { at, latitude, longitude, window } = run
  const kind = state.isInside ? 'exit' : 'enter'
  const change: Transition = { fenceId: fence.id, kind, at, until: null, dwell: null, window, confirmedAt: point.time, latitude, longitude }
  return { state: { isInside: !state.isInside, since: at, dwelt: 0, run: null }, transitions: [change] }
}

function begun({ isInside }: FenceState, { fence, last, point, here }: Look): Run {
  const isAfterSilence = point.time - last.time > longSilence
  const crossing = isAfterSilence ? (isInside ? last : here) : crossingBetween(fence.compiled, { from: last, to: here, isOutward: isInside })
  return {
    from: last, at: crossing.time, latitude: crossing.latitude, longitude: crossing.longitude,
    window: isAfterSilence ? { from: last.time, to: point.time } : null,
    since: isAfterSilence ? point.time : crossing.time,
    places: 0, inRow: 0, evidence: 0, isSure: false, inside: 0, until: point.time,
  }
}

function longer(run: Run, { fence, last, here }: Look): Run {
  const way = metresInside(fence.compiled, last, here)
  return { ...run, places: run.places + 1, inRow: run.inRow + 1, inside: run.inside + way.metres, until: way.until ?? run.until }
}
