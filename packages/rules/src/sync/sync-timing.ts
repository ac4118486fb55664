/** Intervals of the sync loop in milliseconds (specification 9 of document 2) and its triggers. */
export const syncPauses = { afterSuccess: 360_000, afterError: 60_000, offline: 240_000 } as const
/** A local write is sent after this delay, so that a burst of edits is sent together. */
export const pauseAfterWrite = 3_000
/** While another tab (or this one, just before it was loaded anew) is at it, a tab looks again this soon. */
export const pauseWhileElsewhere = 5_000
/** A change on which the server fails is set aside for a person after this many attempts. */
export const maxAttempts = 5
/** Maximum size of a batch on the wire, in bytes of JSON. */
export const maxPushBytes = 1_000_000
/** The owner of the loop renews its claim at least this often; a visible tab takes over from an older one. */
export const staleOwnerAfter = 90_000

export type SyncOutcome = 'success' | 'error' | 'offline'

/** Milliseconds until the next cycle; a server's Retry-After is respected within 1 s to 15 min. */
export function pauseAfter(outcome: SyncOutcome, retryAfterMs?: number): number {
  if (outcome === 'success') return syncPauses.afterSuccess
  if (outcome === 'offline') return syncPauses.offline
  return retryAfterMs === undefined ? syncPauses.afterError : Math.min(Math.max(retryAfterMs, 1_000), 900_000)
}

/** Maximum bytes of one photo after it was reduced, and of all photos on one device. */
export const maxFileBytes = 10 * 1024 * 1024
export const maxFilesBytes = 200 * 1024 * 1024
