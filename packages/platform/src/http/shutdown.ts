import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'

export interface ShutdownStep { name: string, run: () => Promise<void> }

/**
 * Ends the process in order on SIGTERM, SIGINT or an uncaught error: each step in turn, a failing step does not
 * stop the next, and after delayMs the process exits whatever is left. Exit code 0 unless an error caused it.
 * Returns a function that starts the same ending by hand.
 */
export function endGracefully({ log, delayMs = 25_000, steps }: { log: Log, delayMs?: number, steps: readonly ShutdownStep[] }) {
  const { close } = closeWithGrace({ delay: delayMs, logger: false }, async ({ signal, err }) => {
    if (err) log.error({ err }, 'uncaught error, ending')
    else log.info({ signal }, 'ending')
    for (const { name, run } of steps) {
      await run().catch((error: unknown) => log.error({ err: error, step: name }, 'a step of the ending failed'))
    }
  })
  return close
}

/** Lets open requests finish. A connection that falls idle meanwhile is ended: its client would hold it for a minute. */
export async function drain(http: Pick<FastifyInstance, 'close' | 'server'>): Promise<void> {
  const timer = setInterval(() => http.server.closeIdleConnections(), 50)
  await http.close().finally(() => clearInterval(timer))
}
