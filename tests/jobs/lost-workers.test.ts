import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { transactionIn } from '@outpost/platform/db/context'
import { createLog } from '@outpost/platform/log'
import { enqueue } from '@outpost/platform/outbox'
import { createRelay, type Relay } from '@outpost/platform/relay'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { createMake, type MadeTenant, type MadeUser } from '../support/make.ts'
import { until } from '../support/until.ts'

interface Worker {
  child: ChildProcess
  said: { begun?: number; ended?: number; outcome?: string }[]
}

let db: TestDatabase
let company: MadeTenant
let officer: MadeUser
let folder: string
let relay: Relay
const workers: Worker[] = []
const heard: string[] = []

beforeAll(async () => {
  db = await testDatabase()
  const make = createMake(db)
  company = await make.company()
  officer = await make.user({ company, role: 'officer' })
  relay = createRelay({ databaseUrl: db.url, secret: db.secret }, createLog({ level: 'silent' }))
  relay.subscribe('user.message', ({ data }) => void heard.push((data as { message: string }).message))
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-jobs-'))
  heard.length = 0
  await db.admin.query('delete from error_log; delete from outbox; update app_user set "lastSeenAt" = null')
})
afterEach(async () => {
  await Promise.all(
    workers.splice(0).map(async ({ child }) => {
      if (child.exitCode === null && child.signalCode === null) {
        const isGone = once(child, 'exit')
        child.kill('SIGKILL')
        await isGone
      }
    }),
  )
  await rm(folder, { recursive: true, force: true })
})
afterAll(async () => {
  await relay.close()
  await db.drop()
})

async function startWorker(): Promise<Worker> {
  // Only giveUp ends a lease here, however slow the machine is.
  const env = { ...process.env, LEASE_MS: '60000' }
  const child = fork(join(import.meta.dirname, 'worker.ts'), [db.url, db.secret, '', folder], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const worker: Worker = { child, said: [] }
  workers.push(worker)
  await once(child, 'message')
  child.on('message', (message) => void worker.said.push(message as Worker['said'][number]))
  return worker
}

const put = (type: string, payload: Record<string, unknown>) =>
  transactionIn(db.pools.app, { company: company.id, scope: '*', user: null, tenant: null }, (sql) =>
    enqueue(sql, { companyId: company.id, userId: officer.id, type, payload }),
  )
/** As if the worker had been silent for as long as its lease. */
const giveUp = () => db.admin.query(`update outbox set "leaseUntil" = now() where status = 'running'`)
const outbox = async () =>
  (await db.admin.query<{ type: string; status: string }>('select type, status from outbox order by "dateCreated"')).rows
const rows = async (kind: string) =>
  (await db.admin.query<{ errorDetail: string }>('select "errorDetail" from error_log where "entityType" = $1', [kind])).rows.map(
    ({ errorDetail }) => errorDetail,
  )
const letters = async () =>
  Promise.all((await readdir(folder)).map(async (file) => /Subject: try (\d)/.exec(await readFile(join(folder, file), 'utf8'))?.[1]))

/** What of each effect arrived, by the number of its try. */
const arrived: Record<string, () => Promise<unknown>> = {
  row: () => rows('effect'),
  mail: letters,
  message: async () => [...heard],
}

/** The first worker is frozen in its job until the second has begun it anew; then both go on at once. */
async function freezeAndThaw(effect: string): Promise<{ lost: Worker; owner: Worker }> {
  const lost = await startWorker()
  await put('test.frozen', { effect })
  await until(() => lost.said.some(({ begun }) => begun !== undefined))
  lost.child.kill('SIGSTOP')
  await giveUp()
  const owner = await startWorker()
  await until(() => owner.said.some(({ begun }) => begun !== undefined))
  await db.admin.query(
    `insert into error_log ("companyId", id, "tenantId", "userId", "entityType", "errorDetail") values ($1, uuidv7(), $1, $2, 'go', '')`,
    [company.id, officer.id],
  )
  lost.child.kill('SIGCONT')
  await until(() => [lost, owner].every(({ said }) => said.some(({ ended }) => ended !== undefined)))
  await until(async () => (await outbox()).every(({ status }) => status === 'done'))
  return { lost, owner }
}

for (const effect of ['row', 'mail', 'message']) {
  test(`a frozen worker that wakes up leaves no ${effect}: its job belongs to another by then`, async () => {
    const { lost, owner } = await freezeAndThaw(effect)
    const attempt = String(owner.said.find(({ ended }) => ended !== undefined)?.ended)
    await until(async () => (await (arrived[effect] as () => Promise<unknown[]>)()).length > 0)
    expect(await (arrived[effect] as () => Promise<unknown>)()).toEqual([attempt])
    if (effect !== 'message') expect(lost.said.find(({ ended }) => ended !== undefined)?.outcome).toBe('LostTry')
  })
}

test('what a frozen worker would write through another door is refused too', async () => {
  const { lost, owner } = await freezeAndThaw('account')
  expect(owner.said.find(({ ended }) => ended !== undefined)?.outcome).toBe('done')
  expect(lost.said.find(({ ended }) => ended !== undefined)?.outcome).toBe('LostTry')
})

test('a job that takes its worker along dies after five tries, and its own ending is run once', async () => {
  await put('test.poison', { n: 7 })
  // Three are lost already; each takes a second.
  await db.admin.query('update outbox set failures = 3')
  for (let n = 0; n < 2; n += 1) {
    const { child } = await startWorker()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    expect(child.signalCode).toBe('SIGKILL')
    await giveUp()
  }
  await startWorker()
  await until(async () => (await outbox()).map(({ type, status }) => `${type} ${status}`).join() === 'test.poison dead,jobs.dead done')
  expect(await rows('dead')).toEqual(['7 The worker was lost'])
})
