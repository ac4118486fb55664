import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from './log.ts'

/** A part that connects by itself once it is created. */
export interface Startable {
  waitUntilReady(): Promise<unknown>
  close(): Promise<unknown>
}

export interface Started<Part> {
  /** Settles when a part has started; rejects only when closed before. */
  ready: Promise<Part>
  isReady(): boolean
  close(): Promise<void>
}

/**
 * Creates parts of BullMQ until one starts. On Postgres they remember a failed start for ever, and a worker then polls for jobs in an
 * endless loop that blocks the process: a part that failed to start is discarded.
 */
export function startWithRetry<Part extends Startable>(
  make: () => Part,
  { log, name, pauseMs = 500 }: { log: Log; name: string; pauseMs?: number },
): Started<Part> {
  let current = make()
  let [isReady, isClosed] = [false, false]
  const start = async (): Promise<Part> => {
    for (;;) {
      try {
        await current.waitUntilReady()
        isReady = true
        return current
      } catch (error) {
        if (isClosed) throw error
        log.warn({ err: error, name }, 'could not start, trying again')
        await current.close().catch((failure: unknown) => log.debug({ err: failure, name }, 'what could not start did not close either'))
        await wait(pauseMs)
        if (isClosed) throw error
        current = make()
      }
    }
  }
  const ready = start()
  // Its users await it; there may be none when it is closed before it has started.
  ready.catch(() => undefined)
  return {
    ready,
    isReady: () => isReady,
    close: async () => {
      isClosed = true
      await current.close()
    },
  }
}
