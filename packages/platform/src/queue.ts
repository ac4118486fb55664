import { createPostgresBackend, Queue, withBackend, Worker, type Job, type WorkerOptions } from 'bullmq'
import { Redis } from 'ioredis'
import { roleUrl, type RoleSecret } from './db/roles.ts'
import type { Log } from './log.ts'
import { queueSchema } from './db/queue-schema.ts'
import { SteadyClient } from './db/steady-client.ts'
import type { OutboxTicket } from './outbox.ts'
import { startWithRetry } from './start-with-retry.ts'

/** Where the queue stores its jobs: in Postgres by default, in Redis when an address is given. */
export interface QueueStore {
  databaseUrl: string
  secret: RoleSecret
  redisUrl?: string | undefined
}

export interface QueueWorker {
  /** Waits for the running jobs, or for their abort when they listen to their signal. */
  close(): Promise<void>
}
export interface JobQueue {
  /** Safe to repeat: the same try of the same entry runs once. */
  add(tickets: readonly OutboxTicket[]): Promise<void>
  work(run: (ticket: OutboxTicket, signal: AbortSignal) => Promise<void>, options: { concurrency: number }): QueueWorker
  /** False while it starts and while Redis is away: entries then better stay in the outbox than spend their tries. */
  isReady(): boolean
  close(): Promise<void>
}

const postgres = withBackend(createPostgresBackend)

/**
 * A BullMQ queue. The outbox decides about attempts and dead letters, so a job here runs once and is removed soon after; what Redis
 * loses is sent again by the outbox.
 */
export function createQueue(name: string, store: QueueStore, log: Log): JobQueue {
  const redis = store.redisUrl ? new Redis(store.redisUrl, { maxRetriesPerRequest: null }) : undefined
  redis?.on('error', (error) => log.debug({ err: error, queue: name }, 'redis of the queue'))
  const make = () => {
    const queue = redis
      ? new Queue<OutboxTicket, void, string>(name, { connection: redis })
      : new postgres.Queue<OutboxTicket, void, string>(name, { connection: postgresConnection(store, 4) })
    return queue.on('error', (error) => log.warn({ err: error, queue: name }, 'queue'))
  }
  const started = startWithRetry(make, { log, name })
  const options = { removeOnComplete: { age: 600, count: 1_000 }, removeOnFail: { age: 3_600, count: 1_000 }, attempts: 1 }
  return {
    add: async (tickets) => {
      // A repeated id never runs again (security.md M12), so it includes the try.
      await (
        await started.ready
      ).addBulk(tickets.map((data) => ({ name: data.type, data, opts: { jobId: `${data.id}-${data.attempt}`, ...options } })))
    },
    work: (run, { concurrency }) => startWorker({ name, store, log, run, concurrency }),
    isReady: () => started.isReady() && (redis === undefined || redis.status === 'ready'),
    close: async () => {
      await started.close()
      redis?.disconnect()
    },
  }
}

interface StartWorker {
  name: string
  store: QueueStore
  log: Log
  run: (ticket: OutboxTicket, signal: AbortSignal) => Promise<void>
  concurrency: number
}

function startWorker({ name, store, log, run, concurrency }: StartWorker): QueueWorker {
  const closing = new AbortController()
  const process = async (job: Job<OutboxTicket>, _token?: string, signal?: AbortSignal) => {
    await run(job.data, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal)
  }
  const options: Omit<WorkerOptions, 'connection'> = {
    concurrency,
    lockDuration: 30_000,
    maxStalledCount: 1,
    stalledInterval: 15_000,
    drainDelay: 5,
    autorun: false,
    runRetryDelay: 1_000,
  }
  const make = () => {
    const worker = store.redisUrl
      ? new Worker<OutboxTicket, void, string>(name, process, { ...options, connection: redisConnection(store.redisUrl) })
      : new postgres.Worker<OutboxTicket, void, string>(name, process, {
          ...options,
          connection: postgresConnection(store, Math.min(concurrency, 4) + 1),
        })
    worker.on('error', (error) => log.warn({ err: error, queue: name }, 'worker'))
    return worker.on('stalled', (jobId) => log.warn({ jobId, queue: name }, 'job lost its worker'))
  }
  const started = startWithRetry(make, { log, name })
  started.ready
    .then((worker) => worker.run())
    .catch((error: unknown) => {
      if (!closing.signal.aborted) log.error({ err: error, queue: name }, 'the worker stopped')
    })
  return {
    close: async () => {
      closing.abort(new Error('The worker is ending'))
      await started.close()
    },
  }
}

export function redisConnection(url: string) {
  const parsed = new URL(url)
  return {
    host: parsed.hostname,
    port: Number(parsed.port || 6379),
    ...(parsed.username ? { username: decodeURIComponent(parsed.username) } : {}),
    ...(parsed.password ? { password: decodeURIComponent(parsed.password) } : {}),
    ...(parsed.protocol === 'rediss:' ? { tls: {} } : {}),
    db: Number(parsed.pathname.slice(1) || 0),
    maxRetriesPerRequest: null,
    enableOfflineQueue: true,
  }
}

export function postgresConnection({ databaseUrl, secret }: QueueStore, max: number) {
  return {
    connectionString: roleUrl(databaseUrl, 'fx_queue', secret),
    schema: queueSchema,
    max,
    connectionTimeoutMillis: 5_000,
    application_name: 'outpost fx_queue',
    Client: SteadyClient,
  }
}
