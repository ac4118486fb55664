import { drain, endGracefully, graceStep, type ShutdownStep } from '@outpost/platform/http/shutdown'
import { runProgram, announceReady } from '@outpost/platform/run-program'
import { createApp, createHealth } from './app.ts'
import { createAreas } from './areas/index.ts'
import { startAuditWatch } from './audit-watch.ts'
import { readServerEnv } from './env.ts'
import { startJobs } from './kernel/jobs/index.ts'
import { assertSafe, createMachine, type Machine } from './machine.ts'

/** Starts one process of the server in its role, says where it listens, and ends in order on a signal. */
async function start(): Promise<void> {
  const env = await readServerEnv()
  const machine = await createMachine(env)
  await assertSafe(machine)
  const steps: ShutdownStep[] = []
  let isOpen = true
  const url = await startHttp(machine, { isOpen: () => isOpen, steps })
  if (env.ROLE !== 'api') steps.push({ name: 'jobs', run: startWork(machine).close }, { name: 'audit', run: startAuditWatch(machine).stop })
  steps.push({ name: 'machine', run: machine.close })
  const readiness: ShutdownStep = {
    name: 'readiness',
    run: async () => {
      isOpen = false
    },
  }
  const graceS = env.ROLE === 'worker' ? 0 : env.SHUTDOWN_GRACE
  endGracefully({ log: machine.log, delayMs: 25_000 + graceS * 1_000, steps: [readiness, graceStep(graceS), ...steps] })
  announceReady({ url })
}

/** The whole API; of a worker its health only, for whoever watches over it. */
async function startHttp(machine: Machine, { isOpen, steps }: { isOpen: () => boolean; steps: ShutdownStep[] }): Promise<string> {
  const { env } = machine
  const http = env.ROLE === 'worker' ? await createHealth(machine, isOpen) : (await createApp(machine, { isOpen })).http
  const url = await http.listen({ host: env.HOST, port: env.PORT })
  steps.push({ name: 'http', run: () => drain(http) })
  return url
}

function startWork(machine: Machine): { close(): Promise<void> } {
  const { env, services, queueStore: store, log } = machine
  return startJobs({ areas: createAreas(machine), services, store, log, concurrency: env.JOBS_AT_ONCE })
}

runProgram(start)
