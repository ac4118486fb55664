/** What is known of where a vehicle is and how it moves; speeds in km/h, times in epoch milliseconds. */
export interface MotionFacts {
  now: number
  /** The newest place; `isExact` unless it comes from a network. */
  last: { fixTime: number, isValid: boolean, isExact: boolean, speed: number | null } | null
  /** The greatest speed of valid fixes within the last minute before the newest fix. */
  fastestOfMinute: number | null
  /** Where the newest fix is alone in its minute: the valid one before it, and how far off it was (metres). */
  before: { speed: number | null, metres: number } | null
}

export type Standing =
  | { is: 'standing' }
  | { is: 'moving' | 'unknown', message: string }

export interface InterlockFacts extends MotionFacts {
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
/** How far the clock of a tracker may be ahead of ours. */
const aheadMs = 10_000
const slowKph = 5
/** A place may wander so far while the vehicle stands. */
const wanderMetres = 100

/**
 * Does the vehicle certainly stand? By a valid place of the last minute, not of the future, and no speed of 5 km/h or
 * more in the minute before it (fleet.md 6). One place alone, behind one that was fast or elsewhere, does not tell.
 */
export function standing({ now, last, fastestOfMinute, before }: MotionFacts): Standing {
  const unknown = (why: string): Standing => ({ is: 'unknown', message: `The engine is not stopped: ${why}.` })
  if (!last || !last.isValid || !last.isExact || last.speed === null) return unknown('it is not known where the vehicle is')
  if (last.fixTime > now + aheadMs) return unknown('the newest place is ahead of the clock, so nobody knows how old it is')
  const fastest = Math.max(last.speed, fastestOfMinute ?? 0)
  if (fastest >= slowKph) return { is: 'moving', message: `The engine is not stopped: the vehicle moved at ${Math.round(fastest)} km/h within the minute before its newest place.` }
  if (now - last.fixTime > freshMs) return unknown('the newest place is older than a minute')
  if (before && ((before.speed ?? 0) >= slowKph || before.metres > wanderMetres)) return unknown('one place alone does not tell that the vehicle has stood for a minute')
  return { is: 'standing' }
}

/** May a person ask for, or approve, what stops an engine? Only with a reason, by two people, and while the vehicle certainly stands. */
export function interlock({ reason, askedBy, person, ...facts }: InterlockFacts): Interlock {
  if (reason === undefined || reason.trim().length < 5) return { verdict: 'refuse', field: 'reason', message: 'is required: say why the engine must be stopped' }
  const state = standing(facts)
  if (state.is !== 'standing') return { verdict: 'refuse', message: state.message }
  return secondWord(askedBy, person)
}

/** What two people must want: the first word waits for a second, which is another person's. */
export function secondWord(askedBy: string | null | undefined, person: string): Interlock {
  if (askedBy === undefined || askedBy === null) return { verdict: 'wait' }
  return askedBy === person ? { verdict: 'refuse', field: 'approves', message: 'must be the request of another person' } : { verdict: 'send' }
}
