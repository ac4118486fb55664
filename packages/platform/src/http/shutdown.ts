import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'

/** isFailing: the process ends because of an uncaught error, and should not linger. */
export interface ShutdownStep {
  name: string
  run: (isFailing: boolean) => Promise<void>
}

/**
 * Shuts the process down in order on SIGTERM, SIGINT or an uncaught error: runs each step in turn, a failing step does not stop the
 * next, and exits after delayMs whatever is left. Exit code 0 unless an error caused it. Returns a function that starts the same
 * shutdown by hand.
 */
export function endGracefully({ log, delayMs = 25_000, steps }: { log: Log; delayMs?: number; steps: readonly ShutdownStep[] }) {
  const { close } = closeWithGrace({ delay: delayMs, logger: false }, async ({ signal, err }) => {
    if (err) log.error({ err }, 'uncaught error, ending')
    else log.info({ signal }, 'ending')
    for (const { name, run } of steps) {
      await run(err !== undefined).catch((error: unknown) => log.error({ err: error, step: name }, 'a step of the ending failed'))
    }
  })
  return close
}

/**
 * Continues to answer, each answer with `Connection: close` (createHttp), while load balancers learn from /readyz to use another server:
 * closing the port at once would refuse requests that are already on their way.
 */
export function graceStep(seconds: number): ShutdownStep {
  return {
    name: 'grace',
    run: async (isFailing) => {
      if (!isFailing) await wait(seconds * 1_000)
    },
  }
}

/**
 * Accepts no more connections and lets open requests finish. A connection that becomes idle is closed: its client would hold it for a
 * minute.
 */
export async function drain(http: Pick<FastifyInstance, 'close' | 'server'>): Promise<void> {
  const { server } = http
  const { ended } = await stopListening(server)
  // Fastify would treat a server that no longer listens as one whose requests are over.
  server.close = (done) => {
    void ended.then(() => done?.())
    return server
  }
  const timer = setInterval(() => server.closeIdleConnections(), 50)
  await http.close().finally(() => clearInterval(timer))
}

const maxAcceptMs = 2_000

/**
 * Closes the port once all waiting connections were accepted: the system resets whatever still waits. Node accepts one connection per
 * turn of its loop, so a turn without one means that none is left. `ended` settles when the last connection has ended.
 */
async function stopListening(server: FastifyInstance['server']): Promise<{ ended: Promise<void> }> {
  const began = performance.now()
  let hasAccepted = true
  const note = () => {
    hasAccepted = true
  }
  server.on('connection', note)
  while (hasAccepted && performance.now() - began < maxAcceptMs) {
    hasAccepted = false
    await turn()
  }
  server.off('connection', note)
  return { ended: new Promise((done) => server.close(() => done())) }
}
