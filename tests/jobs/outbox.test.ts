import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { transactionIn } from '@outpost/platform/db/context'
import { sql } from '@outpost/platform/db/sql'
import { createLog } from '@outpost/platform/log'
import { enqueue, failOutbox, finishOutbox, retryDelaysMs, startOutbox, type OutboxTicket } from '@outpost/platform/outbox'
import { registry } from '@outpost/platform/http/metrics'
import { measure, startOutboxRelay } from '@outpost/platform/outbox-relay'
import { createQueue } from '@outpost/platform/queue'
import type { Sql } from '@outpost/platform/types'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'

let db: TestDatabase
const log = createLog({ level: 'warn' })
const companyId = randomUUID()
const inCompany = { company: companyId, scope: '*', user: null, tenant: null } as const

beforeAll(async () => {
  db = await testDatabase()
})
// What is left in the queue would be sent again by the relay of a later test.
afterEach(() => db.admin.query('delete from outbox'))
afterAll(() => db.drop())

const inTransaction = <Result>(run: (sql: Sql) => Promise<Result>) => transactionIn(db.pools.app, inCompany, run)
const put = (type: string, count = 1) =>
  transactionIn(db.pools.app, inCompany, (sql) =>
    enqueue(
      sql,
      Array.from({ length: count }, (_, n) => ({ companyId, userId: null, type, payload: { n } })),
    ),
  )

const states = async (type: string) =>
  (await db.admin.query<{ status: string; attempt: number }>('select status, attempt from outbox where type = $1', [type])).rows

test('an operator sees how many entries wait, since when, how many are dead, and who holds connections', async () => {
  const value = async (name: string, labels = '') =>
    Number(new RegExp(`^${name}${labels} (.+)$`, 'm').exec(await registry.metrics())?.[1] ?? Number.NaN)
  await db.admin.query(`delete from outbox`)
  await put('test.figures', 3)
  await db.admin.query(`update outbox set "runAt" = now() - interval '90 seconds', "status" = 'sent' where "type" = 'test.figures'`)
  await db.admin.query(`update outbox set "status" = 'dead' where "id" = (select "id" from outbox limit 1)`)
  await measure(db.pools.relay)
  expect([await value('outbox_waiting'), await value('outbox_dead')]).toEqual([2, 1])
  expect(await value('outbox_oldest_seconds')).toBeGreaterThanOrEqual(90)
  expect(await value('database_connections', '{role="fx_relay",state="idle"}')).toBeGreaterThanOrEqual(1)
  await db.admin.query(`delete from outbox`)
})

test('a committed entry reaches the relay without its sweep, a rolled back one never', async () => {
  const sent: OutboxTicket[] = []
  const relay = startOutboxRelay({ ...relayOptions(), sweepMs: 60_000, send: async (tickets) => void sent.push(...tickets) })
  await new Promise((done) => setTimeout(done, 100))
  const roll = transactionIn(db.pools.app, inCompany, async (sql) => {
    await enqueue(sql, { companyId, userId: null, type: 'test.rolledBack', payload: {} })
    throw new Error('no')
  })
  await expect(roll).rejects.toThrow('no')
  await put('test.quick')
  // Long before the minute of the sweep.
  await until(() => sent.length === 1, 10_000)
  expect(sent.map((ticket) => ticket.type)).toEqual(['test.quick'])
  await relay.close()
})

test('1,000 entries through two relays, the queue and two workers: each runs once', async () => {
  const store = { databaseUrl: db.url, secret: db.secret }
  const queue = createQueue('many', store, log)
  const ran = new Map<string, number>()
  const run = async (ticket: OutboxTicket) => {
    await transactionIn(db.pools.app, inCompany, async (sql) => {
      const started = await startOutbox(sql, ticket, 60_000)
      if (!started) return
      ran.set(ticket.id, (ran.get(ticket.id) ?? 0) + 1)
      await finishOutbox(sql, started.ticket)
    })
  }
  const workers = [queue.work(run, { concurrency: 4 }), queue.work(run, { concurrency: 4 })]
  const relays = [1, 2].map(() => startOutboxRelay({ ...relayOptions(), send: queue.add }))
  await put('test.many', 1_000)
  await until(async () => (await states('test.many')).every((row) => row.status === 'done'), 50_000)
  expect(ran.size).toBe(1_000)
  expect([...ran.values()].every((count) => count === 1)).toBe(true)
  await Promise.all([...relays, ...workers].map((part) => part.close()))
  await queue.close()
})

test('a try whose worker fell silent is sent again, and can no longer finish or fail', async () => {
  const sent: OutboxTicket[] = []
  const relay = startOutboxRelay({ ...relayOptions(), leaseMs: 50, sweepMs: 20, send: async (tickets) => void sent.push(...tickets) })
  await put('test.lost')
  await until(() => sent.length === 1)
  const one = await inTransaction((sql) => startOutbox(sql, sent[0] as OutboxTicket, 50))
  await until(() => sent.length >= 2)
  await relay.close()
  const two = await inTransaction((sql) => startOutbox(sql, sent[1] as OutboxTicket, 60_000))
  expect(await inTransaction((sql) => startOutbox(sql, sent[0] as OutboxTicket, 60_000))).toBeUndefined()
  expect(await inTransaction((sql) => finishOutbox(sql, one?.ticket as OutboxTicket))).toBe(false)
  expect(await inTransaction((sql) => failOutbox(sql, one?.ticket as OutboxTicket, 'late'))).toBeUndefined()
  expect(await inTransaction((sql) => finishOutbox(sql, two?.ticket as OutboxTicket))).toBe(true)
})

test('an entry whose worker is lost on every try dies after five', async () => {
  let count = 0
  const send = async (tickets: OutboxTicket[]) => {
    for (const ticket of tickets.filter(({ type }) => type === 'test.poison')) {
      count += 1
      await transactionIn(db.pools.app, inCompany, (sql) => startOutbox(sql, ticket, 20))
    }
  }
  const relay = startOutboxRelay({ ...relayOptions(), log: createLog({ level: 'silent' }), leaseMs: 20, sweepMs: 20, send })
  await put('test.poison')
  await until(async () => (await states('test.poison'))[0]?.status === 'dead')
  expect(count).toBe(5)
  await relay.close()
})

test('an entry that only waits in the queue is sent again and never dies of it', async () => {
  const sent: OutboxTicket[] = []
  const relay = startOutboxRelay({
    ...relayOptions(),
    leaseMs: 10,
    sweepMs: 10,
    send: async (tickets) => void sent.push(...tickets.filter(({ type }) => type === 'test.queued')),
  })
  await put('test.queued')
  await until(() => sent.length >= 8)
  await relay.close()
  // The oldest ticket comes out of the queue first, and is as good as the newest.
  const started = await inTransaction((sql) => startOutbox(sql, sent[0] as OutboxTicket, 60_000))
  expect(started?.payload).toEqual({ n: 0 })
  expect(await inTransaction((sql) => startOutbox(sql, sent.at(-1) as OutboxTicket, 60_000))).toBeUndefined()
  expect(await inTransaction((sql) => finishOutbox(sql, started?.ticket as OutboxTicket))).toBe(true)
})

test('a failing try waits longer each time and is dead after the fifth', async () => {
  const [id = ''] = await put('test.failing')
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await db.admin.query(`update outbox set status = 'running', attempt = $2 where id = $1`, [id, attempt])
    const ticket = { companyId, id, type: 'test.failing', userId: null, attempt }
    const [state, { wait }] = await transactionIn(db.pools.app, inCompany, async (inner) => [
      await failOutbox(inner, ticket, 'broken'),
      await inner.one<{ wait: number }>(
        sql`select extract(epoch from "runAt" - now()::timestamptz(3))::float8 as wait from outbox where id = ${id}::uuid`,
      ),
    ])
    expect([state, wait]).toEqual([attempt === 5 ? 'dead' : 'new', (retryDelaysMs[attempt - 1] ?? 0) / 1_000])
  }
  const isLost = await transactionIn(db.pools.app, inCompany, (sql) =>
    failOutbox(sql, { companyId, id, type: 'test.failing', userId: null, attempt: 1 }, 'late'),
  )
  expect(isLost).toBeUndefined()
})

test('what the queue refuses is tried again at once, and soon after when it goes on refusing', async () => {
  const sent: OutboxTicket[] = []
  let refusals = 7
  const send = async (tickets: OutboxTicket[]) => {
    if (refusals-- > 0) throw new Error('deadlock detected')
    sent.push(...tickets)
  }
  const relay = startOutboxRelay({ ...relayOptions(), log: createLog({ level: 'silent' }), sweepMs: 50, send })
  const started = performance.now()
  await put('test.refused')
  await until(() => sent.some(({ type }) => type === 'test.refused'))
  expect(performance.now() - started).toBeLessThan(8_000)
  await relay.close()
})

test('entries wait while the queue is away and spend no try', async () => {
  let isThere = false
  const sent: OutboxTicket[] = []
  const relay = startOutboxRelay({
    ...relayOptions(),
    sweepMs: 20,
    maySend: () => isThere,
    send: async (tickets) => void sent.push(...tickets),
  })
  await put('test.waiting')
  await new Promise((done) => setTimeout(done, 150))
  expect(await states('test.waiting')).toEqual([{ status: 'new', attempt: 0 }])
  isThere = true
  await until(() => sent.length === 1)
  expect(sent[0]?.attempt).toBe(1)
  await relay.close()
})

function relayOptions() {
  return { pool: db.pools.relay, databaseUrl: db.url, secret: db.secret, log }
}
