import type { Clock } from '../session/clock.ts'

export interface Breaker {
  /** False while the other side is left in peace. */
  mayTry(): boolean
  succeeded(): void
  failed(): void
}

interface BreakerOptions {
  failures: number
  pauseMs: number
  clock: Clock
}

/** Opens after so many failures in a row; after a pause one call may try, and decides. */
export function createBreaker({ failures, pauseMs, clock }: BreakerOptions): Breaker {
  let count = 0
  let openUntil = 0
  return {
    mayTry() {
      if (count < failures) return true
      if (clock.now() < openUntil) return false
      // The next ones wait for the outcome of this one.
      openUntil = clock.now() + pauseMs
      return true
    },
    succeeded() {
      count = 0
    },
    failed() {
      count += 1
      if (count >= failures) openUntil = clock.now() + pauseMs
    },
  }
}
