import { chunk } from 'es-toolkit/array/chunk'

/** Ids a server takes in one call. */
export const bulkSize = 500

export interface BulkFailure {
  id: string
  message: string
  requestId?: string
}
export interface BulkOutcome {
  done: string[]
  failures: BulkFailure[]
  isStopped: boolean
}
export interface BulkProgress {
  done: number
  failed: number
  total: number
}

interface BulkRun {
  ids: readonly string[]
  /** Ids sent together; 1 when the call takes one. */
  size: number
  /** Throws when the call is refused as a whole; gives the rows that a call with a verdict on each refused. */
  send: (ids: string[]) => Promise<BulkFailure[] | void>
  explain: (error: unknown) => { message: string; requestId?: string; isFatal: boolean }
  onProgress?: (progress: BulkProgress) => void
  isStopped?: () => boolean
}

/**
 * Sends many ids in chunks, one after another. A call that says nothing of each row is all or nothing, so a refused chunk is halved until the rows at
 * fault are sent one by one: the others are done, and every failure has a name. A fatal error (no connection, session over)
 * ends the run; what was not sent then counts as failed with that reason.
 */
export async function runBulk({ ids, size, send, explain, onProgress, isStopped }: BulkRun): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: [], failures: [], isStopped: false }
  const waiting = chunk(ids, size)
  const tell = () => onProgress?.({ done: outcome.done.length, failed: outcome.failures.length, total: ids.length })
  while (waiting.length > 0) {
    if (isStopped?.()) return { ...outcome, isStopped: true }
    const sent = waiting.shift() ?? []
    try {
      const refused = (await send(sent)) ?? []
      outcome.failures.push(...refused)
      outcome.done.push(...sent.filter((one) => !refused.some(({ id }) => id === one)))
    } catch (error) {
      const { isFatal, ...reason } = explain(error)
      const halves = chunk(sent, Math.max(1, Math.ceil(sent.length / 2)))
      if (isFatal) outcome.failures.push(...[sent, ...waiting.splice(0)].flat().map((id) => ({ id, ...reason })))
      else if (sent.length === 1) outcome.failures.push({ id: sent[0] ?? '', ...reason })
      else waiting.unshift(...halves)
    }
    tell()
  }
  return outcome
}
