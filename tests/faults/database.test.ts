import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { SteadyClient } from '@outpost/platform/db/steady-client'
import { sql } from '@outpost/platform/db/sql'
import { createLog } from '@outpost/platform/log'
import { createQueue } from '@outpost/platform/queue'
import { createRelay } from '@outpost/platform/relay'
import { leadsArea } from '../../apps/server/src/areas/leads/index.ts'
import { tenantsArea } from '../../apps/server/src/areas/tenants/index.ts'
import { rolesArea } from '../../apps/server/src/areas/roles/index.ts'
import { usersArea } from '../../apps/server/src/areas/users/index.ts'
import { defineArea, anySession, route } from '../../apps/server/src/kernel/area.ts'
import { command } from '../../apps/server/src/kernel/resource/operations.ts'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import { startChaos, type Chaos } from '../support/chaos.ts'
import { endConnections } from '../support/connections.ts'
import { testDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'
import { isNightly } from '../support/size.ts'

const silenceMs = isNightly ? 17_000 : 4_000

let chaos: Chaos
let app: TestApp
let officer: SignedInClient
const failedOnce = new Set<number>()

/** Takes two locks in the given order, as two updates of two rows would; and one that fails at its first try. */
const lockArea = defineArea({
  name: 'locks',
  routes: [
    route(
      'locks.take',
      'POST',
      '/api/test/locks',
      anySession,
      command(z.strictObject({ first: z.int(), second: z.int() }), async (ctx, { first, second }) => {
        await ctx.sql.exec(sql`select pg_advisory_xact_lock(${first}::bigint)`)
        await new Promise((done) => setTimeout(done, 15))
        await ctx.sql.exec(sql`select pg_advisory_xact_lock(${second}::bigint)`)
        return { data: {} }
      }),
      { own: true },
    ),
    route(
      'locks.serialize',
      'POST',
      '/api/test/serialize',
      anySession,
      command(z.strictObject({ n: z.int() }), async (ctx, { n }) => {
        const isFirst = !failedOnce.has(n)
        failedOnce.add(n)
        if (isFirst) await ctx.sql.exec(sql`do $$ begin raise exception 'could not serialize' using errcode = '40001'; end $$`)
        return { data: { n } }
      }),
      { own: true },
    ),
  ],
})

beforeAll(async () => {
  // The way to the database leads through the proxy; preparing and looking behind the walls does not.
  const probe = await testDatabase()
  chaos = await startChaos(probe.url)
  await probe.drop()
  app = await testApp({
    env: { DATABASE_POOL: '8', DATABASE_PATIENCE: '2' },
    through: (url) => chaos.through(url),
    areas: (machine) => [tenantsArea, rolesArea, usersArea, leadsArea(machine), lockArea],
  })
  // Who waits for a silent database waits as long as this says; the short form does not wait for it all.
  for (const pool of [app.machine.pools.app, app.machine.pools.auth]) {
    expect(pool.options.query_timeout).toBe(17_000)
    pool.options.query_timeout = silenceMs
  }
  officer = await app.as(await app.make.user({ role: 'officer', tenant: await app.make.tenant() }))
  await app.listen()
})
afterAll(async () => {
  await chaos.set({ kind: 'pass' })
  await app.close()
  await chaos.close()
})

const url = () => app.http.listeningOrigin
const timed = async (path: string) => {
  const started = performance.now()
  const status = await fetch(`${url()}${path}`, {
    headers: { authorization: `Bearer ${officer.token}` },
    signal: AbortSignal.timeout(40_000),
  }).then(async (answer) => {
    await answer.arrayBuffer()
    return answer.status
  })
  return { status, ms: performance.now() - started }
}

it('a database in a black hole: not ready within 5 s, alive, calls end in time, the loop stays free, and all is well after (F7)', async () => {
  expect((await timed('/api/leads?size=5')).status).toBe(200)
  const lag = monitorEventLoopDelay({ resolution: 10 })
  lag.enable()
  await chaos.set({ kind: 'black-hole' })
  // Over connections that were open before, and over more than those: the pool has to open new ones.
  const calls = Promise.all(Array.from({ length: 12 }, () => timed('/api/leads?size=5')))
  const ready = await timed('/readyz')
  expect(ready.status).toBe(503)
  expect(ready.ms).toBeLessThan(5_000)
  const alive: number[] = []
  for (let n = 0; n < 30; n += 1) {
    const { status, ms } = await timed('/healthz')
    expect(status).toBe(200)
    alive.push(ms)
    await new Promise((done) => setTimeout(done, 50))
  }
  const ended = await calls
  lag.disable()
  expect(ended.filter(({ status }) => status !== 503)).toEqual([])
  const slowest = Math.max(...ended.map(({ ms }) => ms))
  expect(slowest).toBeLessThan(silenceMs + 5_000)
  console.log(
    `black hole: calls ended after ${Math.round(Math.min(...ended.map(({ ms }) => ms)))} to ${Math.round(slowest)} ms, /readyz said so after ${Math.round(ready.ms)} ms, loop p99 ${Math.round(lag.percentile(99) / 1e6)} ms`,
  )
  expect(alive.sort((a, b) => a - b)[26]).toBeLessThan(200)
  expect(lag.percentile(99) / 1e6).toBeLessThan(200)

  await chaos.set({ kind: 'pass' })
  await until(async () => (await timed('/api/leads?size=5')).status === 200, 5_000)
  await until(async () => (await timed('/readyz')).status === 200, 5_000)
})

it.each(['refuse', 'reset'] as const)('a database that is gone (%s): 503 at once, and all is well after', async (kind) => {
  await chaos.set({ kind })
  const { status, ms } = await timed('/api/leads?size=5')
  expect(status).toBe(503)
  expect(ms).toBeLessThan(3_000)
  expect((await timed('/readyz')).status).toBe(503)
  expect((await timed('/healthz')).status).toBe(200)
  await chaos.set({ kind: 'pass' })
  await until(async () => (await timed('/api/leads?size=5')).status === 200, 5_000)
})

it('a connection that dies while a pool of somebody else has lent it out ends nothing (F6)', async () => {
  const pool = new pg.Pool({ connectionString: app.database.url, Client: SteadyClient })
  const client = await pool.connect()
  const hasEnded = new Promise((done) => client.once('end', done))
  const {
    rows: [own],
  } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await app.database.admin.query('select pg_terminate_backend($1)', [own?.pid])
  // Without the listener of SteadyClient this is an uncaught error, which fails the run.
  await hasEnded
  client.release(true)
  await pool.end()
})

it('queue, worker and relay that start while the database is away come up by themselves', async () => {
  const [store, log] = [{ databaseUrl: chaos.through(app.database.url), secret: app.database.secret }, createLog({ level: 'silent' })]
  await chaos.set({ kind: 'refuse' })
  const queue = createQueue('late', store, log)
  const ran: string[] = []
  const worker = queue.work(async ({ id }) => void ran.push(id), { concurrency: 2 })
  const [here, there] = [createRelay(store, log), createRelay(store, log)]
  let heard = 0
  there.subscribe('session.changed', () => {
    heard += 1
  })
  await new Promise((done) => setTimeout(done, 700))
  expect(queue.isReady()).toBe(false)
  await chaos.set({ kind: 'pass' })
  await until(() => queue.isReady())
  const id = randomUUID()
  await queue.add([{ id, companyId: id, type: 'late', userId: null, attempt: 1 }])
  await until(() => ran.length === 1)
  await until(async () => {
    here.publish('session.changed', { companyId: id })
    await new Promise((done) => setTimeout(done, 50))
    return heard > 0
  })
  await Promise.all([worker.close(), here.close(), there.close()])
  await queue.close()
})

it('an exhausted pool: 503 with Retry-After within seconds while health answers, and all is well after (F8)', async () => {
  const held = await Promise.all(Array.from({ length: 8 }, () => app.machine.pools.app.connect()))
  const started = performance.now()
  const answers = await Promise.all(Array.from({ length: 20 }, () => officer.get('/api/leads?size=5')))
  expect(performance.now() - started).toBeLessThan(6_000)
  expect(new Set(answers.map(({ status, body, headers }) => `${status} ${body.code} ${headers['retry-after']}`))).toEqual(
    new Set(['503 UNAVAILABLE 2']),
  )
  await until(async () => (await timed('/readyz')).status === 200)
  expect((await timed('/healthz')).ms).toBeLessThan(500)
  for (const client of held) client.release()
  expect((await officer.get('/api/leads?size=5')).status).toBe(200)
})

it(
  'deadlocks and serialization failures are tried again and surface nowhere (F9)',
  async () => {
    const pairs = isNightly ? 500 : 60
    await app.database.admin.query(
      `do $$ begin execute format('alter database %I set deadlock_timeout = ''20ms''', current_database()); end $$`,
    )
    // The setting counts for new connections.
    await endConnections(app.database.admin, `datname = current_database() and usename = 'fx_app'`)
    const deadlocks = async () =>
      Number(
        (await app.database.admin.query<{ deadlocks: string }>('select deadlocks from pg_stat_database where datname = current_database()'))
          .rows[0]?.deadlocks,
      )
    const statuses: number[] = []
    // A pair meets only when both have their first lock before one asks for its second.
    for (let n = 0; n < pairs || (n < pairs * 10 && (await deadlocks()) <= pairs / 4); n += 2) {
      const both = (pair: number) =>
        [
          [pair, pair + 1_000],
          [pair + 1_000, pair],
        ].map(([first, second]) => officer.post('/api/test/locks', { first, second }))
      statuses.push(...(await Promise.all([...both(n), ...both(n + 1)])).map(({ status }) => status))
    }
    for (let n = 0; n < pairs; n += 1) statuses.push((await officer.post('/api/test/serialize', { n })).status)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    await until(async () => (await deadlocks()) > pairs / 4)
  },
  isNightly ? 300_000 : undefined,
)
