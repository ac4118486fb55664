import type { Point } from '@outpost/rules/distance'

export type TransitionKind = 'enter' | 'exit' | 'crossed' | 'dwell' | 'insideAtStart'

/**
 * What happened between a device and a fence. Pure outcome of the places in their order, whatever order they came in;
 * so the same places always give the same transitions, and `keyOf` makes writing them again harmless.
 */
export interface Transition extends Point {
  fenceId: string
  kind: TransitionKind
  /** When the edge was crossed, interpolated (epoch ms). After a silence: the last time the device was surely inside, or the first. */
  at: number
  /** When a passing through left the fence again; null for every other kind. */
  until: number | null
  /** Seconds inside that a dwell reports; null for every other kind. */
  dwell: number | null
  /** After a silence of more than 15 minutes: it happened at some time between these two. */
  window: { from: number, to: number } | null
  /** Time of the place that made it certain. */
  confirmedAt: number
}

/** Names a transition of a device for good. */
export function keyOf({ fenceId, kind, at, dwell }: Transition): string {
  return `${fenceId}:${kind}${dwell ?? ''}:${at}`
}
