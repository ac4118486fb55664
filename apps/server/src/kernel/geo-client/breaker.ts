export interface Breaker {
  /** False while the other side is left in peace. */
  mayTry(): boolean
  succeeded(): void
  failed(): void
}

/** Opens after so many failures in a row; after a pause one call may try, and decides. */
export function createBreaker({ failures, pauseMs }: { failures: number; pauseMs: number }): Breaker {
  let count = 0
  let openUntil = 0
  return {
    mayTry() {
      if (count < failures) return true
      if (Date.now() < openUntil) return false
      // The next ones wait for the outcome of this one.
      openUntil = Date.now() + pauseMs
      return true
    },
    succeeded() {
      count = 0
    },
    failed() {
      count += 1
      if (count >= failures) openUntil = Date.now() + pauseMs
    },
  }
}
