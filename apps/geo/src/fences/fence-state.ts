import type { Seen } from './track.ts'
import type { Transition } from './transition.ts'

/** Positions that contradict the state: a change in progress, not yet confirmed. Plain data, stored as JSON. */
export interface Run {
  /** The last position before it. */
  from: Seen
  /** The first crossing of the edge. */
  at: number
  latitude: number
  longitude: number
  window: { from: number; to: number } | null
  /** From when its delay counts. */
  since: number
  places: number
  /** Consecutive positions that contradict the state. */
  inRow: number
  /** Sum of (depth / error) squared since the last position that supported the state. */
  evidence: number
  isSure: boolean
  /** Metres of its path inside the fence, and when that part ended. */
  inside: number
  until: number
}

/** The state of a device at a fence. A pair that is not stored is outside without a run. */
export interface FenceState {
  isInside: boolean
  since: number
  dwelt: number
  run: Run | null
}

export type Phase = 'outside' | 'entering' | 'inside' | 'leaving'

export function phaseOf(state: FenceState | undefined): Phase {
  if (!state) return 'outside'
  return state.isInside ? (state.run ? 'leaving' : 'inside') : state.run ? 'entering' : 'outside'
}

export interface Step {
  state: FenceState | undefined
  transitions: Transition[]
}
