import type { Point } from '@outpost/rules/places/distance'

export type TransitionKind = 'enter' | 'exit' | 'crossed' | 'dwell' | 'insideAtStart'

/**
 * A transition of a device at a fence. It depends only on the positions in order of time, not on the order of arrival, so the same
 * positions always give the same transitions, and `keyOf` makes writing them again harmless.
 */
export interface Transition extends Point {
  fenceId: string
  kind: TransitionKind
  /** When the edge was crossed, interpolated (epoch ms). After a silence: the last time the device was certainly inside, or the first. */
  at: number
  /** When a pass through left the fence; null for every other kind. */
  until: number | null
  /** Seconds inside that a dwell reports; null for every other kind. */
  dwell: number | null
  /** After a silence of more than 15 minutes: it happened at some time between these two. */
  window: { from: number; to: number } | null
  /** Time of the position that confirmed it. */
  confirmedAt: number
}

/** The stable key of a transition of a device. */
export function keyOf({ fenceId, kind, at, dwell }: Transition): string {
  return `${fenceId}:${kind}${dwell ?? ''}:${at}`
}
