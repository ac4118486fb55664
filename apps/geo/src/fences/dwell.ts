import type { CompiledFence } from './fence-index.ts'
import type { FenceState, Step } from './fence-state.ts'
import type { TrackPoint } from './track.ts'
import type { Transition } from './transition.ts'

/**
 * Adds the dwell transitions that a position completes. A stay lasts while the device is known to be inside: until its exit, until the
 * start of a run that may become an exit, else until this position.
 */
export function withDwells(
  fence: CompiledFence,
  { before, after, point }: { before: FenceState | undefined; after: Step; point: TrackPoint },
): Step {
  if (fence.settings.dwells.length === 0) return after
  const exit = after.transitions.find(({ kind }) => kind === 'exit')
  if (before?.isInside && exit)
    return { state: after.state, transitions: [...due(fence, { stay: before, upTo: exit.at, point }), ...after.transitions] }
  const stay = after.state
  if (!stay?.isInside) return after
  const found = due(fence, { stay, upTo: stay.run?.at ?? point.time, point })
  return { state: { ...stay, dwelt: stay.dwelt + found.length }, transitions: [...after.transitions, ...found] }
}

function due(fence: CompiledFence, { stay, upTo, point }: { stay: FenceState; upTo: number; point: TrackPoint }): Transition[] {
  return fence.settings.dwells
    .toSorted((a, b) => a - b)
    .slice(stay.dwelt)
    .filter((dwell) => stay.since + dwell * 1000 <= upTo)
    .map((dwell) => ({
      fenceId: fence.id,
      kind: 'dwell',
      at: stay.since + dwell * 1000,
      until: null,
      dwell,
      window: null,
      confirmedAt: point.time,
      latitude: point.latitude,
      longitude: point.longitude,
    }))
}
