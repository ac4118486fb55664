import { shortestReason } from '@outpost/contract/geo/commands'

/** What is known about a vehicle's position and motion; speeds in km/h, times in epoch milliseconds. */
export interface MotionFacts {
  now: number
  /** The newest position; `isExact` unless it comes from a network. */
  last: { fixTime: number; isValid: boolean; isExact: boolean; speed: number | null } | null
  /** The greatest speed of valid fixes in the minute before the newest fix. */
  fastestOfMinute: number | null
  /** When the newest fix is the only one in its minute: the valid fix before it, and its distance in metres. */
  before: { speed: number | null; metres: number } | null
}

export type Standstill = { is: 'standing' } | { is: 'moving' | 'unknown'; message: string }

export interface InterlockFacts extends MotionFacts {
  reason: string | undefined
  /** The first requester, when this is the second person's approval. Null for a rule, which is no person. */
  askedBy: string | null | undefined
  person: string
}

export type Interlock =
  | { verdict: 'send' }
  /** A second person must approve. */
  | { verdict: 'wait' }
  | { verdict: 'refuse'; field?: string; message: string }

const maxFixAgeMs = 60_000
/** How far a tracker's clock may be ahead of ours. */
const maxClockLeadMs = 10_000
const slowKph = 5
/** How far the positions of a stationary vehicle may wander. */
const maxWanderMetres = 100

/**
 * Is the vehicle certainly stationary? Requires a valid position of the last minute, not in the future, and no speed of 5 km/h or more
 * in the minute before it (fleet.md 6). A single position is not enough when the one before it was fast or elsewhere.
 */
export function standstillOf({ now, last, fastestOfMinute, before }: MotionFacts): Standstill {
  const unknown = (why: string): Standstill => ({ is: 'unknown', message: `The engine is not stopped: ${why}.` })
  if (!last || !last.isValid || !last.isExact || last.speed === null) return unknown('it is not known where the vehicle is')
  if (last.fixTime > now + maxClockLeadMs) return unknown('the newest place is ahead of the clock, so nobody knows how old it is')
  const fastest = Math.max(last.speed, fastestOfMinute ?? 0)
  if (fastest >= slowKph)
    return {
      is: 'moving',
      message: `The engine is not stopped: the vehicle moved at ${Math.round(fastest)} km/h within the minute before its newest place.`,
    }
  if (now - last.fixTime > maxFixAgeMs) return unknown('the newest place is older than a minute')
  if (before && ((before.speed ?? 0) >= slowKph || before.metres > maxWanderMetres))
    return unknown('one place alone does not tell that the vehicle has stood for a minute')
  return { is: 'standing' }
}

/**
 * May a person request or approve a command that stops the engine? Only with a reason, two people, and a vehicle that is certainly
 * stationary.
 */
export function interlock({ reason, askedBy, person, ...facts }: InterlockFacts): Interlock {
  if (reason === undefined || reason.trim().length < shortestReason)
    return { verdict: 'refuse', field: 'reason', message: 'is required: say why the engine must be stopped' }
  const state = standstillOf(facts)
  if (state.is !== 'standing') return { verdict: 'refuse', message: state.message }
  return secondApproval(askedBy, person)
}

/** The rule of two people: the first request waits for approval by another person. */
export function secondApproval(askedBy: string | null | undefined, person: string): Interlock {
  if (askedBy === undefined || askedBy === null) return { verdict: 'wait' }
  return askedBy === person
    ? { verdict: 'refuse', field: 'approves', message: 'must be the request of another person' }
    : { verdict: 'send' }
}
