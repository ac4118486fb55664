import { metresToEdge } from './distance.ts'
import type { CompiledFence } from './fence-index.ts'
import { crossingBetween, metresInside } from './crossing.ts'
import { withDwells } from './dwell.ts'
import type { FenceState, Run, Step } from './fence-state.ts'
import { hasMoved, longSilence, seen, type Seen, type TrackPoint } from './track.ts'
import type { Transition } from './transition.ts'

interface Look {
  fence: CompiledFence
  last: Seen
  point: TrackPoint
  here: Seen
  toEdge: number
}

/** (depth / error) squared that noise alone does not accumulate in 8 hours at 1 Hz on the very edge. */
const evidenceThreshold = 30
/** Consecutive positions that confirm a change after a move, though each is less exact than its depth. */
const vagueInRow = 5
/** km/h at which one position is enough: a parked device whose position jumps reports that it is stationary. */
const drivingSpeed = 10

const outside: FenceState = { isInside: false, since: 0, dwelt: 0, run: null }

/**
 * Advances the state by one position (section 17 of the facts, sharpened). A position on the other side of the edge starts a run. The
 * run is confirmed once a position is certainly there AND the device truly moved since the other side (two positions, or one while
 * driving; five vague ones in a row also suffice), or once many positions together leave no doubt; then the delay must have passed. A
 * position that certainly contradicts the run ends it without an event. So noise never makes a parked device enter and leave, however
 * long it is parked.
 */
export function stepFence(fence: CompiledFence, state: FenceState | undefined, last: Seen | null, point: TrackPoint): Step {
  if (!state && point.time < fence.since) return { state, transitions: [] }
  const toEdge = metresToEdge(fence.compiled, point)
  if (!state && (!last || fence.since > last.time)) return firstPosition(fence, point, toEdge)
  if (!last || isTooVague(fence, point)) return { state, transitions: [] }
  return withDwells(fence, { before: state, after: changed({ fence, last, point, here: seen(point), toEdge }, state), point })
}

function changed(look: Look, state: FenceState | undefined): Step {
  const before = state ?? outside
  const speaksAgainst = before.isInside ? look.toEdge > 0 : look.toEdge < 0
  const step = speaksAgainst ? against(before, look) : agreeing(before, look)
  return { ...step, state: step.state && (step.state.isInside || step.state.run) ? step.state : undefined }
}

/** The first position sets the state. That it was inside is reported for visits, and for rules that ask for it. */
function firstPosition({ id }: CompiledFence, { time, latitude, longitude }: TrackPoint, toEdge: number): Step {
  if (toEdge > 0) return { state: undefined, transitions: [] }
  const start: Transition = {
    fenceId: id,
    kind: 'insideAtStart',
    at: time,
    until: null,
    dwell: null,
    window: null,
    confirmedAt: time,
    latitude,
    longitude,
  }
  return { state: { isInside: true, since: time, dwelt: 0, run: null }, transitions: [start] }
}

/** A position that is less exact than the fence is wide is ignored. */
const isTooVague = ({ compiled: { width } }: CompiledFence, { accuracy }: TrackPoint) => width > 0 && (accuracy ?? 0) > width

/** The depth that counts as certain: the error, but for small fences what they have room for. */
const certainDepth = (fence: CompiledFence, error: number, isOutward: boolean) =>
  isOutward ? error : Math.min(error, fence.compiled.width / 4)

function agreeing(state: FenceState, look: Look): Step {
  const { fence, point, here, toEdge } = look
  if (!state.run) return { state, transitions: state.isInside ? [] : passedThrough(look) }
  if (Math.abs(toEdge) <= certainDepth(fence, here.error, !state.isInside))
    return { state: { ...state, run: { ...state.run, evidence: 0, inRow: 0 } }, transitions: [] }
  const way = metresInside(fence.compiled, look.last, here)
  const run: Run = { ...state.run, inside: state.run.inside + way.metres, until: way.until ?? state.run.until }
  const isPassing =
    !state.isInside &&
    !run.window &&
    fence.settings.enterDelay === 0 &&
    point.time - look.last.time <= longSilence &&
    (fence.settings.wantsCrossed || (hasMoved(run.from, here) && run.inside >= 2 * here.error))
  return { state: { ...state, run: null }, transitions: isPassing ? [crossed(fence.id, run, run.until, point.time)] : [] }
}

/** Neither position is inside, but the path between them crossed the fence. */
function passedThrough({ fence, last, point, here }: Look): Transition[] {
  if (point.time - last.time > longSilence) return []
  const way = metresInside(fence.compiled, last, here)
  const isPassing = way.from !== null && (fence.settings.wantsCrossed || (hasMoved(last, here) && way.metres >= last.error + here.error))
  return isPassing
    ? [crossed(fence.id, { at: way.from!.time, latitude: way.from!.latitude, longitude: way.from!.longitude }, way.until!, point.time)]
    : []
}

function crossed(
  fenceId: string,
  { at, latitude, longitude }: { at: number; latitude: number; longitude: number },
  until: number,
  confirmedAt: number,
): Transition {
  return { fenceId, kind: 'crossed', at, until, dwell: null, window: null, confirmedAt, latitude, longitude }
}

function against(state: FenceState, look: Look): Step {
  const { fence, point, here, toEdge } = look
  const run = extendRun(state.run ?? startRun(state, look), look)
  const depth = Math.abs(toEdge)
  run.evidence += (depth / here.error) ** 2
  const isCertain = depth > certainDepth(fence, here.error, state.isInside)
  const isBelieved = run.places > 1 || (point.speed ?? 0) >= drivingSpeed
  run.isSure ||=
    (((isCertain && isBelieved) || run.inRow >= vagueInRow) && hasMoved(run.from, here)) ||
    (run.places > 1 && run.evidence >= evidenceThreshold)
  const delay = state.isInside ? fence.settings.exitDelay : fence.settings.enterDelay
  if (!run.isSure || point.time - run.since < delay * 1000) return { state: { ...state, run }, transitions: [] }
  const { at, latitude, longitude, window } = run
  const kind = state.isInside ? 'exit' : 'enter'
  const change: Transition = { fenceId: fence.id, kind, at, until: null, dwell: null, window, confirmedAt: point.time, latitude, longitude }
  return { state: { isInside: !state.isInside, since: at, dwelt: 0, run: null }, transitions: [change] }
}

function startRun({ isInside }: FenceState, { fence, last, point, here }: Look): Run {
  const isAfterSilence = point.time - last.time > longSilence
  const crossing = isAfterSilence
    ? isInside
      ? last
      : here
    : crossingBetween(fence.compiled, { from: last, to: here, isOutward: isInside })
  return {
    from: last,
    at: crossing.time,
    latitude: crossing.latitude,
    longitude: crossing.longitude,
    window: isAfterSilence ? { from: last.time, to: point.time } : null,
    since: isAfterSilence ? point.time : crossing.time,
    places: 0,
    inRow: 0,
    evidence: 0,
    isSure: false,
    inside: 0,
    until: point.time,
  }
}

function extendRun(run: Run, { fence, last, here }: Look): Run {
  const way = metresInside(fence.compiled, last, here)
  return { ...run, places: run.places + 1, inRow: run.inRow + 1, inside: run.inside + way.metres, until: way.until ?? run.until }
}
