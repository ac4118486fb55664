/** What is known of a device when somebody wants to stop its engine; speeds in km/h, times in epoch milliseconds. */
export interface InterlockFacts {
  now: number
  last: { fixTime: number, isValid: boolean, speed: number | null } | null
  /** The greatest speed of valid fixes within the last minute before the newest fix. */
  fastestOfMinute: number | null
  reason: string | undefined
  /** Who asked first, when this is the second person's word; null when that was a rule, which is no person. */
  askedBy: string | null | undefined
  person: string
}

export type Interlock =
  | { verdict: 'send' }
  /** A second person must say so too. */
  | { verdict: 'wait' }
  | { verdict: 'refuse', field?: string, message: string }

const freshMs = 60_000
const slowKph = 5

/** Commands that may hurt somebody when the vehicle moves. */
export const dangerous: ReadonlySet<string> = new Set(['engineStop'])

/**
 * May an engine be stopped? Only with a reason, by two people, and while the vehicle certainly stands: a valid place
 * of the last minute, and no speed of 5 km/h or more in the minute before it (fleet.md 6).
 */
export function interlock({ now, last, fastestOfMinute, reason, askedBy, person }: InterlockFacts): Interlock {
  if (reason === undefined || reason.trim().length < 5) return { verdict: 'refuse', field: 'reason', message: 'is required: say why the engine must be stopped' }
  if (!last || !last.isValid || last.speed === null) return { verdict: 'refuse', message: 'The engine is not stopped: it is not known where the vehicle is.' }
  if (now - last.fixTime > freshMs) return { verdict: 'refuse', message: `The engine is not stopped: the newest place is ${Math.round((now - last.fixTime) / 1_000)} s old.` }
  const fastest = Math.max(last.speed, fastestOfMinute ?? 0)
  if (fastest >= slowKph) return { verdict: 'refuse', message: `The engine is not stopped: the vehicle moved at ${Math.round(fastest)} km/h within the last minute.` }
  if (askedBy === undefined || askedBy === null) return { verdict: 'wait' }
  return askedBy === person ? { verdict: 'refuse', field: 'approves', message: 'must be the request of another person' } : { verdict: 'send' }
}
