import { fencesAlong, type FenceIndex } from './fence-index.ts'
import type { FenceState } from './fence-state.ts'
import { stepFence } from './step.ts'
import { seen, type Seen, type TrackPoint } from './track.ts'
import type { Transition } from './transition.ts'

/**
 * The state from which watching continues: the last position and the fences the device is in, or about to enter or leave. Plain data
 * (JSON); stored from time to time as the snapshot from which late positions are replayed.
 */
export interface DeviceFences {
  last: Seen | null
  fences: Record<string, FenceState>
}

export const noFenceState: DeviceFences = { last: null, fences: {} }

export interface Watching {
  index: FenceIndex
  isLinked: (fenceId: string) => boolean
}

/**
 * Processes positions of ONE device, later than its last one and in order of time, through all its fences. Skips positions without a fix
 * and those not later than the last. Exits come before enters of the same position.
 */
export function watchFences(
  watching: Watching,
  device: DeviceFences,
  points: readonly TrackPoint[],
): { device: DeviceFences; transitions: Transition[] } {
  let { last } = device
  const states = new Map(Object.entries(device.fences))
  const transitions: Transition[] = []
  for (const point of points) {
    if (!point.isValid || (last && point.time <= last.time)) continue
    transitions.push(...through(watching, { last, states }, point))
    last = seen(point)
  }
  return { device: { last, fences: Object.fromEntries(states) }, transitions }
}

function through(
  { index, isLinked }: Watching,
  { last, states }: { last: Seen | null; states: Map<string, FenceState> },
  point: TrackPoint,
): Transition[] {
  const near = fencesAlong(index, last ?? point, point, isLinked)
  const transitions: Transition[] = []
  const known = new Set(states.keys())
  for (const fence of near) known.delete(fence.id)
  // Fences with a stored state are always checked, wherever the device went; a deleted fence is forgotten.
  const far = [...known].map((id) => ({ id, fence: isLinked(id) ? index.byId.get(id) : undefined }))
  for (const { id, fence } of far) if (!fence) states.delete(id)
  for (const fence of [...near, ...far.flatMap(({ fence }) => fence ?? [])]) {
    const { state, transitions: found } = stepFence(fence, states.get(fence.id), last, point)
    transitions.push(...found)
    if (state) states.set(fence.id, state)
    else states.delete(fence.id)
  }
  return transitions.toSorted(
    (a, b) => a.at - b.at || Number(a.kind !== 'exit') - Number(b.kind !== 'exit') || (a.fenceId < b.fenceId ? -1 : 1),
  )
}
