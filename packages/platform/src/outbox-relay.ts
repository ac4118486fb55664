import { transactionIn } from './db/context.ts'
import { listen } from './db/listen.ts'
import type { Pools } from './db/pool.ts'
import { roleUrl, type RoleSecret } from './db/roles.ts'
import { sql as statement } from './db/sql.ts'
import { gauge } from './http/metrics.ts'
import type { Log } from './log.ts'
import { enqueue, maxFailures, outboxChannel, type OutboxEntry, type OutboxTicket } from './outbox.ts'
import type { Sql } from './types.ts'

export interface OutboxRelayOptions {
  /** Pool of the role fx_relay. */
  pool: Pools['relay']
  databaseUrl: string
  secret: RoleSecret
  log: Log
  /** False while the queue is away: entries then stay in the table and spend no try. */
  maySend?: () => boolean
  /** Adds tries to the queue; what could not be added is sent again after the lease. */
  send: (tickets: OutboxTicket[]) => Promise<void>
  /** Called when an entry dies here; its result is written in the same transaction. */
  whenDead?: (ticket: OutboxTicket) => OutboxEntry | undefined
  /** How long an entry may stay in the queue, or a running try stay silent, before it is sent again. */
  leaseMs?: number
  /** How often to check for due retries and expired leases. */
  sweepMs?: number
}

/** Shown from the start of a relay on, by no process without one. */
const shown = () => ({
  waiting: gauge('outbox_waiting', 'Entries that are not done, those of a later time included'),
  dead: gauge('outbox_dead', 'Entries given up after their last try'),
  oldest: gauge('outbox_oldest_seconds', 'Age of the oldest entry that is due and not running'),
  lastBatch: gauge('outbox_last_batch', 'Entries the relay moved at once the last time'),
})

const batchSize = 100
/** More would only age in the queue; the others wait in the table. */
const maxInQueue = 1_000
/** Finished entries are kept this long, for inspection. */
const keptDays = 7
const cleanEveryMs = 3_600_000
const measureEveryMs = 15_000
const sendTries = 5
const noContext = { company: null, scope: [], user: null, tenant: null } as const

/**
 * Moves committed outbox entries to the queue until closed: triggered by the commit, and by a timer for retries and lost tries. Several
 * relays may run; each entry goes through one of them. Entries whose last try was lost die here, so that one that kills its worker is
 * not repeated for ever.
 */
export function startOutboxRelay(options: OutboxRelayOptions): { close(): Promise<void>; wake(): void } {
  const { log, sweepMs = 1_000 } = options
  shown()
  let isClosed = false
  let isWanted = true
  let running: Promise<void> | undefined
  const wake = () => {
    isWanted = true
    running ??= run().finally(() => {
      running = undefined
      if (isWanted && !isClosed) wake()
    })
  }
  const run = async () => {
    while (isWanted && !isClosed) {
      isWanted = false
      const moved = await moveBatch(options).catch((error: unknown) => {
        log.warn({ err: error }, 'outbox relay')
        return 0
      })
      if (moved === batchSize) isWanted = true
    }
  }
  const listener = listen({ url: roleUrl(options.databaseUrl, 'fx_relay', options.secret), channel: outboxChannel, log, onSignal: wake })
  const timer = setInterval(wake, sweepMs)
  const cleaning = setInterval(() => {
    removeFinished(options.pool).catch((error: unknown) => log.warn({ err: error }, 'outbox cleaning'))
  }, cleanEveryMs)
  const measuring = setInterval(() => {
    measure(options.pool).catch((error: unknown) => log.warn({ err: error }, 'outbox figures'))
  }, measureEveryMs)
  return {
    wake,
    close: async () => {
      isClosed = true
      clearInterval(measuring)
      clearInterval(timer)
      clearInterval(cleaning)
      await listener.close()
      await running
    },
  }
}

async function moveBatch({ pool, send, log, maySend, whenDead, leaseMs = 60_000 }: OutboxRelayOptions): Promise<number> {
  if (maySend?.() === false) return 0
  const tickets = await transactionIn(pool, noContext, async (sql) => {
    const moved = await takeDue(sql, leaseMs)
    await enqueue(
      sql,
      moved.flatMap((ticket) => (ticket.isDead ? (whenDead?.(ticket) ?? []) : [])),
    )
    return moved
  })
  const alive = tickets.filter((ticket) => !ticket.isDead).map(({ isDead: _, ...ticket }) => ticket)
  for (const dead of tickets.filter((ticket) => ticket.isDead))
    log.error({ outbox: dead.id, type: dead.type }, 'job is dead: its worker was lost on every try')
  if (alive.length > 0) await sendOrReturn({ pool, send, log }, alive)
  shown().lastBatch.set(alive.length)
  return tickets.length
}

/** Takes due entries and marks them as sent; those whose last try was lost are marked as dead instead. */
function takeDue(sql: Sql, leaseMs: number): Promise<(OutboxTicket & { isDead: boolean })[]> {
  return sql.query(statement`
    with due as (
      select "companyId", "id", "status" = 'running' and "failures" + 1 >= ${maxFailures} as "isDead" from outbox
      where ("status" = 'new' and "runAt" <= now()) or ("status" in ('sent', 'running') and "leaseUntil" < now())
      order by "runAt" for update skip locked
      limit least(${batchSize}, greatest(0, ${maxInQueue} - (select count(*) from outbox where "status" = 'sent' and "leaseUntil" >= now())))
    )
    update outbox o set
      "status" = case when due."isDead" then 'dead' else 'sent' end,
      "failures" = o."failures" + case when o."status" = 'running' then 1 else 0 end,
      "lastError" = case when o."status" = 'running' then 'The worker was lost' else o."lastError" end,
      "attempt" = o."attempt" + 1,
      "leaseUntil" = now() + ${leaseMs} * interval '1 millisecond'
    from due where o."companyId" = due."companyId" and o."id" = due."id"
    returning o."companyId", o."id", o."type", o."userId", o."attempt", due."isDead"`)
}

/**
 * Adds tickets to the queue. Its own statements may deadlock with those of another relay or worker, and adding twice is harmless, so it
 * retries. What still cannot be added is due again in a few seconds instead of after its lease.
 */
async function sendOrReturn(
  { pool, send, log }: Pick<OutboxRelayOptions, 'pool' | 'send' | 'log'>,
  tickets: OutboxTicket[],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(tickets)
    } catch (error) {
      if (attempt === sendTries) {
        log.warn({ err: error, count: tickets.length }, 'the queue did not take the jobs')
        break
      }
      await new Promise((done) => setTimeout(done, Math.random() * 25 * 2 ** attempt))
    }
  }
  await transactionIn(pool, noContext, (sql) =>
    sql.exec(statement`
    update outbox set "leaseUntil" = now() + interval '3 seconds'
    where "status" = 'sent' and "id" = any(${tickets.map(({ id }) => id)}::uuid[]) and "companyId" = any(${tickets.map(({ companyId }) => companyId)}::uuid[])`),
  )
}

/** What an operator looks at first when mails or jobs do not come: how many entries wait, since when, and how many are dead. */
export async function measure(pool: OutboxRelayOptions['pool']): Promise<void> {
  const figures = await transactionIn(pool, noContext, (sql) =>
    sql.one<{ waiting: number; dead: number; oldest: number }>(statement`
    select count(*) filter (where "status" <> 'dead')::float8 as waiting, count(*) filter (where "status" = 'dead')::float8 as dead,
      coalesce(extract(epoch from now() - min("runAt") filter (where "status" in ('new', 'sent') and "runAt" <= now())), 0)::float8 as oldest
    from outbox where "status" in ('new', 'sent', 'running', 'dead')`),
  )
  shown().waiting.set(figures.waiting)
  shown().dead.set(figures.dead)
  shown().oldest.set(figures.oldest)
}

/** Removes entries that succeeded long ago; dead ones stay until somebody has looked. Returns their number. */
export async function removeFinished(pool: OutboxRelayOptions['pool']): Promise<number> {
  return transactionIn(pool, noContext, (sql) =>
    sql.exec(statement`
    delete from outbox where "status" in ('done', 'replayed') and "doneAt" < now() - make_interval(days => ${keptDays})`),
  )
}
