import { transactionIn } from './db/context.ts'
import { listen } from './db/listen.ts'
import type { Pools } from './db/pool.ts'
import { roleUrl } from './db/roles.ts'
import { sql as statement } from './db/sql.ts'
import { gauge } from './http/metrics.ts'
import type { Log } from './log.ts'
import { maxAttempts, outboxChannel, type OutboxTicket } from './outbox.ts'

export interface OutboxRelayOptions {
  /** Pool of the role fx_relay. */
  pool: Pools['relay']
  databaseUrl: string
  secret: string
  log: Log
  /** False while the queue is away: entries then wait where they are and spend no try. */
  maySend?: () => boolean
  /** Puts tries into the queue; what it could not put there is sent again after the lease. */
  send: (tickets: OutboxTicket[]) => Promise<void>
  /** How long a try may stay silent before the entry is sent again. Running jobs extend it. */
  leaseMs?: number
  /** How often to look for retries that are due and leases that ran out. */
  sweepMs?: number
}

const batchSize = 100
const nobody = { company: null, scope: [], user: null, tenant: null } as const

/**
 * Moves committed outbox entries to the queue until closed: woken by the commit, and by the clock for retries and
 * lost tries. Several relays may run; each entry goes through one of them. Entries whose last try was lost die here,
 * so that one that kills its worker is not tried for ever.
 */
export function startOutboxRelay(options: OutboxRelayOptions): { close(): Promise<void>, wake(): void } {
  const { log, sweepMs = 1_000 } = options
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
  return {
    wake,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await listener.close()
      await running
    },
  }
}

async function moveBatch({ pool, send, log, maySend, leaseMs = 60_000 }: OutboxRelayOptions): Promise<number> {
  if (maySend?.() === false) return 0
  const tickets = await transactionIn(pool, nobody, (sql) => sql.query<OutboxTicket & { isDead: boolean }>(statement`
    with due as (
      select "companyId", "id" from outbox
      where ("status" = 'new' and "runAt" <= now()) or ("status" = 'sent' and "leaseUntil" < now())
      order by "runAt" limit ${batchSize} for update skip locked
    )
    update outbox o set
      "status" = case when o."attempt" >= ${maxAttempts} then 'dead' else 'sent' end,
      "lastError" = case when o."attempt" >= ${maxAttempts} then coalesce(o."lastError", 'The worker was lost on every try') else o."lastError" end,
      "attempt" = least(o."attempt" + 1, ${maxAttempts}),
      "leaseUntil" = now() + ${leaseMs} * interval '1 millisecond'
    from due where o."companyId" = due."companyId" and o."id" = due."id"
    returning o."companyId", o."id", o."type", o."userId", o."attempt", o."status" = 'dead' as "isDead"`))
  const alive = tickets.filter((ticket) => !ticket.isDead).map(({ isDead: _, ...ticket }) => ticket)
  for (const dead of tickets.filter((ticket) => ticket.isDead)) log.error({ outbox: dead.id, type: dead.type }, 'job is dead: its worker was lost on every try')
  if (alive.length > 0) await send(alive)
  gauge('outbox_last_batch', 'Entries the relay moved at once the last time').set(alive.length)
  return tickets.length
}
