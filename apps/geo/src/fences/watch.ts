import { fencesAlong, type FenceIndex } from './fence-index.ts'
import { stepFence, type FenceState } from './step.ts'
import { seen, type Seen, type TrackPoint } from './track.ts'
import type { Transition } from './transition.ts'

/**
 * Everything that must be remembered of a device to go on: its last place and the fences it is in, or about to enter
 * or leave. Plain data (JSON); kept from time to time it is the snapshot that late places are replayed from.
 */
export interface DeviceFences { last: Seen | null, fences: Record<string, FenceState> }

export const unseen: DeviceFences = { last: null, fences: {} }

export interface Watching { index: FenceIndex, isLinked: (fenceId: string) => boolean }

/**
 * Takes places of ONE device, later than its last one and in the order of their time, through all its fences. Places
 * without a fix and places not later than the last are passed over. Exits stand before enters of the same place.
 */
export function watchFences(watching: Watching, device: DeviceFences, points: readonly TrackPoint[]): { device: DeviceFences, transitions: Transition[] } {
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

function through({ index, isLinked }: Watching, { last, states }: { last: Seen | null, states: Map<string, FenceState> }, point: TrackPoint): Transition[] {
  const near = fencesAlong(index, last ?? point, point, isLinked)
  const transitions: Transition[] = []
  const known = new Set(states.keys())
  for (const fence of near) known.delete(fence.id)
  // Fences the device has something to do with are looked at wherever it went; one that is gone is forgotten.
  const far = [...known].map((id) => ({ id, fence: isLinked(id) ? index.byId.get(id) : undefined }))
  for (const { id, fence } of far) if (!fence) states.delete(id)
  for (const fence of [...near, ...far.flatMap(({ fence }) => fence ?? [])]) {
    const { state, transitions: found } = stepFence(fence, states.get(fence.id), last, point)
    transitions.push(...found)
    if (state) states.set(fence.id, state)
    else states.delete(fence.id)
  }
  return transitions.toSorted((a, b) => a.at - b.at || Number(a.kind !== 'exit') - Number(b.kind !== 'exit') || (a.fenceId < b.fenceId ? -1 : 1))
}
