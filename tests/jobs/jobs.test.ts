import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionIn } from '@outpost/platform/db/context'
import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import { removeFinished } from '@outpost/platform/outbox-relay'
import { defineArea } from '../../apps/server/src/kernel/area.ts'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import type { JobDefinition } from '../../apps/server/src/kernel/types.ts'
import { testApp, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'
import { startRedis } from '../support/redis.ts'
import { salesAreas } from '../support/sales-areas.ts'
import { isNightly } from '../support/size.ts'
import { until } from '../support/until.ts'

let app: TestApp
let company: MadeTenant
let admin: MadeUser
const ran: string[] = []
let isBroken = true
let finishLong = () => undefined as void

const testJobs: JobDefinition[] = [
  {
    name: 'test.effect',
    run: async (ctx, { n }) => {
      await ctx.sql.exec(sql`insert into error_log ("companyId", "id", "tenantId", "userId", "entityType", "errorDetail")
      values (${ctx.company.id}::uuid, uuidv7(), ${ctx.tenant.id}::uuid, ${ctx.user.id}::uuid, 'effect', ${String(n)})`)
    },
  },
  {
    name: 'test.half',
    run: async (ctx) => {
      await ctx.sql.exec(sql`insert into error_log ("companyId", "id", "tenantId", "userId", "entityType", "errorDetail")
      values (${ctx.company.id}::uuid, uuidv7(), ${ctx.tenant.id}::uuid, ${ctx.user.id}::uuid, 'half', 'x')`)
      throw new Error('half done')
    },
  },
  {
    name: 'test.flaky',
    run: async () => {
      ran.push('flaky')
      if (isBroken) throw new Error('still broken')
    },
  },
  {
    name: 'test.long',
    ownTransaction: true,
    run: async (_ctx, _data, { signal }) => {
      ran.push('long')
      await new Promise((done, refuse) => {
        finishLong = () => done(undefined)
        signal.addEventListener('abort', () => refuse(signal.reason as Error))
      })
      ran.push('long done')
    },
  },
]
const areas = () => [...app.areas, defineArea({ name: 'test', jobs: testJobs })]

beforeAll(async () => {
  app = await testApp({ areas: salesAreas })
  company = await app.make.company()
  admin = await app.make.user({ company, role: 'admin' })
})
afterAll(() => app.close())

function put(type: string, payloads: object[] = [{}], userId: string | null = admin.id): Promise<string[]> {
  return transactionIn(app.database.pools.app, { company: company.id, scope: '*', user: null, tenant: null }, (inner) =>
    enqueue(
      inner,
      payloads.map((payload) => ({ companyId: company.id, userId, type, payload: { ...payload } })),
    ),
  )
}
const start = (more: { leaseMs?: number } = {}) => {
  const { services, queueStore, log } = app.machine
  return startJobs({ areas: areas(), services, store: queueStore, log, sweepMs: 50, ...more })
}
const rows = async (type: string) =>
  (
    await app.database.admin.query<{ id: string; status: string; attempt: number; lastError: string | null; lease: string | null }>(
      'select id, status, attempt, "lastError", "leaseUntil"::text as lease from outbox where type = $1 order by id',
      [type],
    )
  ).rows
const effects = async (kind: string) =>
  (await app.database.admin.query<{ errorDetail: string }>('select "errorDetail" from error_log where "entityType" = $1', [kind])).rows

test('effect and done commit together; a failing job leaves no half', async () => {
  const jobs = start()
  await put('test.effect', [{ n: 1 }, { n: 2 }])
  await put('test.half')
  await until(async () => (await rows('test.effect')).every(({ status }) => status === 'done'))
  expect((await effects('effect')).map(({ errorDetail }) => errorDetail).sort()).toEqual(['1', '2'])
  await until(async () => (await rows('test.half'))[0]?.lastError !== null)
  expect((await rows('test.half'))[0]).toMatchObject({ status: 'new', attempt: 2, lastError: 'Error: half done' })
  expect(await effects('half')).toEqual([])
  await jobs.close()
})

test('a job for a user who may not work there any more, and one nobody knows, die at once', async () => {
  const jobs = start()
  const gone = await app.make.user({ company, role: 'officer', status: 0 })
  await put('test.effect', [{ n: 'gone' }], gone.id)
  await put('test.unknown')
  await until(
    async () => [...(await rows('test.effect')), ...(await rows('test.unknown'))].filter(({ status }) => status === 'dead').length === 2,
  )
  expect((await effects('effect')).some(({ errorDetail }) => errorDetail === 'gone')).toBe(false)
  await jobs.close()
})

test('dead jobs are seen and replayed by an administrator of their company only', async () => {
  const jobs = start()
  const [id = ''] = await put('test.flaky')
  for (let n = 1; n <= 5; n += 1) {
    await until(async () => (await rows('test.flaky')).some(({ status, attempt }) => ['new', 'dead'].includes(status) && attempt === 2 * n))
    if (n < 5) await app.database.admin.query(`update outbox set "runAt" = now() where id = $1`, [id])
  }
  expect((await rows('test.flaky'))[0]?.status).toBe('dead')
  const client = await app.as(admin)
  const dead = (await client.get<{ jobs: { Id: string; type: string; lastError: string }[] }>('/api/jobs/dead')).body.data.jobs
  expect(dead.find(({ Id }) => Id === id)).toMatchObject({ type: 'test.flaky', lastError: 'Error: still broken' })
  const stranger = await app.as(await app.make.user({ company: await app.make.company(), role: 'admin' }))
  expect((await stranger.get<{ jobs: unknown[] }>('/api/jobs/dead')).body.data.jobs).toEqual([])
  expect((await stranger.post('/api/jobs/replay', { ids: [id] })).status).toBe(404)
  expect((await (await app.as(await app.make.user({ company, role: 'officer' }))).get('/api/jobs/dead')).status).toBe(403)
  isBroken = false
  expect((await client.post('/api/jobs/replay', { ids: [id] })).status).toBe(200)
  await until(async () => (await rows('test.flaky')).map(({ status }) => status).join() === 'replayed,done')
  expect((await client.post('/api/jobs/replay', { ids: [id] })).status).toBe(404)
  await jobs.close()
})

test('a long job keeps its lease; one whose worker ends is given to another', async () => {
  const leaseMs = 4_500
  const jobs = start({ leaseMs })
  await put('test.long')
  const leases = new Set<string | null | undefined>()
  const renewals = async () => {
    const [row] = await rows('test.long')
    return row?.status === 'running' ? leases.add(row.lease).size - 1 : 0
  }
  // Three are as long as the first lease.
  await until(async () => (await renewals()) >= 3)
  finishLong()
  await until(async () => (await rows('test.long'))[0]?.status === 'done')
  expect(ran.filter((name) => name === 'long')).toHaveLength(1)
  const [id = ''] = await put('test.long')
  await until(() => ran.filter((name) => name === 'long').length === 2)
  await jobs.close()
  expect(ran.filter((name) => name === 'long done')).toHaveLength(1)
  await app.database.admin.query(`update outbox set "runAt" = now() where id = $1`, [id])
  const next = start({ leaseMs })
  await until(() => ran.filter((name) => name === 'long').length === 3)
  finishLong()
  await until(() => ran.filter((name) => name === 'long done').length === 2)
  await next.close()
})

test('entries that ended long ago are removed, dead and waiting ones stay', async () => {
  await app.database.admin.query(`update outbox set "doneAt" = now() - interval '8 days' where status = 'done'`)
  await put('test.effect', [{ n: 'later' }])
  expect(await removeFinished(app.database.pools.relay)).toBeGreaterThan(0)
  const left = (await app.database.admin.query<{ status: string }>('select distinct status from outbox')).rows.map(({ status }) => status)
  expect(left).not.toContain('done')
  expect(left).toContain('dead')
  await app.database.admin.query(`delete from outbox`)
})

const killRounds = isNightly ? 4 : 2

for (const store of ['Postgres', 'Redis'] as const) {
  test(`${killRounds * 125} jobs while workers are killed${store === 'Redis' ? ' and Redis is flushed' : ''} (${store}): none lost, none twice`, async () => {
    const redis = store === 'Redis' ? await startRedis() : undefined
    await app.database.admin.query(`delete from error_log; delete from outbox`)
    const workers: ChildProcess[] = []
    const startWorker = async () => {
      const worker = fork(join(import.meta.dirname, 'worker.ts'), [app.database.url, app.database.secret, redis?.url ?? ''], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      workers.push(worker)
      await once(worker, 'message')
      return worker
    }
    let current = await startWorker()
    for (let round = 0; round < killRounds; round += 1) {
      await put(
        'test.counted',
        Array.from({ length: 125 }, (_, n) => ({ n: round * 125 + n })),
      )
      await new Promise((done) => setTimeout(done, 60))
      current.kill('SIGKILL')
      await redis?.flush()
      current = await startWorker()
    }
    await until(async () => (await rows('test.counted')).every(({ status }) => status === 'done'), 60_000)
    const found = (await effects('counted')).map(({ errorDetail }) => Number(errorDetail)).sort((one, other) => one - other)
    expect(found).toEqual(Array.from({ length: killRounds * 125 }, (_, n) => n))
    for (const worker of workers) worker.kill('SIGKILL')
    await redis?.kill()
  })
}
