import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { endConnections } from '../support/connections.ts'
import { createMake } from '../support/make.ts'
import { killServers, startServer, type ServerProcess } from '../support/process.ts'
import { startOwnPostgres, type OwnPostgres } from '../support/process-postgres.ts'
import { until } from '../support/until.ts'
import { accountOf, makeDevice, makeField, missingOf, signIn, type Caller, type Device, type Failed, type Field } from './field.ts'
import { seededRandom } from '../support/draws.ts'
import { isNightly } from '../support/size.ts'

const cuts = isNightly ? 500 : 25

let postgres: OwnPostgres
let dataDir: string
let server: ServerProcess
let field: Field
let callers: Caller[]

beforeAll(async () => {
  postgres = await startOwnPostgres()
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-faults-'))
  server = await startServer({ database: postgres, dataDir })
  field = await makeField(createMake(postgres), 4)
  callers = await Promise.all(field.officers.map(async (user) => ({ url: () => server.url, token: await signIn(server.url, user) })))
})
afterAll(async () => {
  await killServers()
  await postgres.close()
  await rm(dataDir, { recursive: true, force: true })
})

const ours = `usename like 'fx\\_%' and pid <> pg_backend_pid()`
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

it('survives cuts in its first moments, when nothing of it has connected yet, and hears and works afterwards', async () => {
  const before = server
  server = await startServer({ database: postgres, dataDir })
  await before.kill()
  for (let n = 0; n < 12; n += 1) {
    await postgres.admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${ours}`)
    await wait(25)
  }
  expect((await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(2_000) })).status).toBe(200)
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200, 5_000)
  await runsJobs()
  expect(server.isRunning()).toBe(true)
})

it('tries once more at most when every connection of its pools is cut, and never answers 500 (F6)', async () => {
  const [caller] = callers as [Caller]
  const counts: number[] = []
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 6 }, () => readLeads(caller)))
    await endConnections(postgres.admin, ours)
    const tries = await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let n = 1; ; n += 1) {
          const { status, code } = await readLeads(caller)
          if (status === 200) return n
          expect([status, code]).toEqual([503, 'UNAVAILABLE'])
          expect(n).toBeLessThan(4)
        }
      }),
    )
    counts.push(...tries)
  }
  expect(counts.filter((tries) => tries > 2)).toEqual([])
  console.log(`cuts: ${counts.filter((tries) => tries > 1).length} of ${counts.length} calls needed a second try`)
  expect(server.isRunning()).toBe(true)
})

it(
  `loses and doubles nothing while ${cuts} backends are cut at random and Postgres crashes once; errors end with the fault (sync fault 2, F5)`,
  async () => {
    const random = seededRandom('postgres')
    const devices = callers.map((caller, n) =>
      makeDevice({ caller, user: field.officers[n] as Field['officers'][0], tenant: field.branch, random }),
    )
    let isOver = false
    const pushing = devices.map(async (device) => {
      while (!isOver) await device.pushBatch(20)
    })
    for (let n = 0; n < cuts; n += 1) {
      await wait(random.between(20, 120))
      await postgres.admin.query(
        `select pg_terminate_backend(pid) from (select pid from pg_stat_activity where ${ours} and state <> 'idle' order by random() limit 1) s`,
      )
    }
    const down = performance.now()
    await postgres.crash()
    const up = performance.now()
    await untilAllGoOn(devices, up)
    isOver = true
    await Promise.all(pushing)

    const failed = devices.flatMap((device) => device.failed)
    const account = await accountOf(postgres.admin, field.company.id)
    const { counter } = account
    console.log(
      `postgres: ${counter} changes, ${failed.length} failed pushes, Postgres away for ${Math.round(up - down)} ms, errors until ${Math.round(lastOf(failed) - up)} ms after`,
    )
    expect(server.isRunning()).toBe(true)
    expect(failed.filter(({ status }) => status !== 503)).toEqual([])
    expect(lastOf(failed) - up).toBeLessThan(5_000)
    expect(counter).toBe(devices.reduce((sum, { verdicts }) => sum + verdicts.size, 0))
    expect(account).toEqual({
      counter,
      receipts: counter,
      numbers: counter,
      highest: counter,
      applied: counter,
      versions: counter,
      adrift: 0,
    })
    expect(await missingOf(postgres.admin, field.company.id, devices)).toEqual([])
    // Within the five seconds that F5 gives a server after its database is back.
    await until(async () => (await fetch(`${server.url}/readyz`)).status === 200, 5_000)
    await runsJobs()
  },
  isNightly ? 600_000 : 150_000,
)

/**
 * Jobs that are asked for now are done: relay, queue and workers have come back. One whose worker was cut off in the middle is given to
 * another when its lease of a minute is over.
 */
async function runsJobs(): Promise<void> {
  const { companyId, id: tenantId } = field.branch
  await postgres.admin.query(
    `insert into outbox ("companyId", id, type, "userId", payload) select $1, uuidv7(), 'leads.sendConsent', $2, jsonb_build_object('consentId', uuidv7(), 'tenantId', $3::text) from generate_series(1, 20)`,
    [companyId, field.officers[0]?.id, tenantId],
  )
  await until(async () => (await postgres.admin.query(`select from outbox where status <> 'done'`)).rowCount === 0, 75_000)
}

const lastOf = (failed: readonly Failed[]) => Math.max(0, ...failed.map(({ at }) => at))

/** Until each device has had verdicts after the crash. */
async function untilAllGoOn(devices: readonly Device[], up: number): Promise<void> {
  const before = devices.map(({ verdicts }) => verdicts.size)
  while (!devices.every(({ verdicts }, n) => verdicts.size > (before[n] ?? 0) + 20)) {
    if (performance.now() > up + 20_000) throw new Error('a device had no verdict within 20 s after Postgres came back')
    await wait(20)
  }
}

async function readLeads({ url, token }: Caller): Promise<{ status: number; code?: string }> {
  const answer = await fetch(`${url()}/api/leads?size=5`, { headers: { authorization: `Bearer ${token}` } })
  const { code } = (await answer.json()) as { code?: string }
  return { status: answer.status, ...(code ? { code } : {}) }
}
