import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from './log.ts'

/** A part that connects by itself from its making on. */
export interface Startable {
  waitUntilReady(): Promise<unknown>
  close(): Promise<unknown>
}

export interface Started<Part> {
  /** Settles when a part stands; fails only when closed before. */
  ready: Promise<Part>
  isReady(): boolean
  close(): Promise<void>
}

/**
 * Makes a part of BullMQ's until one stands. On Postgres they remember a failed start for ever, and a worker then
 * asks for jobs in a circle that never lets go of the process: whoever could not start is thrown away.
 */
export function startSurely<Part extends Startable>(make: () => Part, { log, name, pauseMs = 500 }: { log: Log, name: string, pauseMs?: number }): Started<Part> {
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
  // Who needs it awaits it; nobody may be there when it is closed before it stood.
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
