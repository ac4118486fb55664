/** The time the session kernel goes by; tests move it instead of sleeping. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** The clock as a Date, a number of seconds ahead. */
export function later(clock: Clock, seconds = 0): Date {
  return new Date(clock.now() + seconds * 1_000)
}
