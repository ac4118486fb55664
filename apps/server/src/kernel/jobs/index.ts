import type { Log } from '@outpost/platform/log'
import { startOutboxRelay } from '@outpost/platform/outbox-relay'
import type { OutboxTicket } from '@outpost/platform/outbox'
import { createQueue, type JobQueue, type QueueStore } from '@outpost/platform/queue'
import { loadDeclarations } from '../session/program.ts'
import type { SessionServices } from '../session/services.ts'
import type { Area } from '../types.ts'
import { deadJob, endingOf } from './dead.ts'
import { runTicket, type JobRunner } from './run.ts'
import type { JobDefinition } from './types.ts'

export interface JobsOptions {
  areas: readonly Area[]
  services: SessionServices
  store: QueueStore
  log: Log
  /** Jobs at once, besides reports. */
  concurrency?: number
  leaseMs?: number
  sweepMs?: number
}

/** Long jobs have a queue of their own, so that a report never keeps a mail waiting. */
const queueNames = ['jobs', 'reports', 'outgoing'] as const
type QueueName = (typeof queueNames)[number]
const queueOf = (type: string, definition: JobDefinition | undefined): QueueName =>
  type.startsWith('reports.') ? 'reports' : definition?.isOutgoing ? 'outgoing' : 'jobs'

/**
 * Starts what runs beside requests: the relay from the outbox to the queues and the workers behind them. Gives what
 * ends it: the relay first, then the running jobs are waited for.
 */
export function startJobs(options: JobsOptions): { close(): Promise<void> } {
  const { areas, services, store, log, concurrency = 8, leaseMs = 60_000, sweepMs = 1_000 } = options
  loadDeclarations(services.program, areas)
  const definitions = definitionsOf(areas)
  const runner: JobRunner = { services, definitions, log, leaseMs }
  const queues = Object.fromEntries(queueNames.map((name) => [name, createQueue(name, store, log)])) as Record<QueueName, JobQueue>
  const run = (ticket: OutboxTicket, signal: AbortSignal) => runTicket(runner, ticket, signal)
  const workers = [
    queues.jobs.work(run, { concurrency }),
    queues.reports.work(run, { concurrency: 2 }),
    queues.outgoing.work(run, { concurrency }),
  ]
  const relay = startOutboxRelay({
    pool: services.pools.relay,
    databaseUrl: store.databaseUrl,
    secret: store.secret,
    log,
    leaseMs,
    sweepMs,
    whenDead: (ticket) => endingOf(definitions, ticket),
    maySend: () => queueNames.every((name) => queues[name].isReady()),
    send: async (tickets) => {
      await Promise.all(
        queueNames.map((name) => {
          const own = tickets.filter((ticket) => queueOf(ticket.type, definitions.get(ticket.type)) === name)
          return own.length > 0 ? queues[name].add(own) : undefined
        }),
      )
    },
  })
  return {
    close: async () => {
      await relay.close()
      await Promise.all(workers.map((worker) => worker.close()))
      await Promise.all(queueNames.map((name) => queues[name].close()))
    },
  }
}

/** The jobs of all areas, and the one that ends those that died. */
function definitionsOf(areas: readonly Area[]): Map<string, JobDefinition> {
  const definitions = new Map(areas.flatMap((area) => area.jobs).map((job) => [job.name, job]))
  const ending = deadJob(definitions)
  return definitions.set(ending.name, ending)
}
