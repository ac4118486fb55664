import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { transactionIn } from '@outpost/platform/db/context'
import { enqueue } from '@outpost/platform/outbox'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { createMake } from '../support/make.ts'
import { killServers, startServer } from '../support/process.ts'
import { dial } from '../support/socket.ts'
import { until } from '../support/until.ts'
import { insist, signIn } from './field.ts'

let database: TestDatabase
let dataDir: string

beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-ending-'))
})
afterAll(async () => {
  await killServers()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const states = async () =>
  Object.fromEntries(
    (await database.admin.query<{ status: string; n: number }>('select status, count(*)::int as n from outbox group by 1')).rows.map(
      ({ status, n }) => [status, n],
    ),
  )

it('SIGTERM with requests, sockets and jobs under way: each request is answered, sockets hear 1012, no job is cut, exit code 0 (F25)', async () => {
  const server = await startServer({ database, dataDir })
  const make = createMake(database)
  const branch = await make.tenant()
  const users = await Promise.all(Array.from({ length: 5 }, () => make.user({ role: 'officer', tenant: branch })))
  const callers = await Promise.all(users.map(async (user) => ({ user, url: () => server.url, token: await signIn(server.url, user) })))
  const sockets = await Promise.all(
    callers.map(async (caller) => {
      const { body } = await insist(caller, '/api/auth/ticket', {})
      return dial(server.url, ['outpost', `ticket.${(body['data'] as { ticket: string }).ticket}`])
    }),
  )
  // More than can be done before the signal comes.
  await transactionIn(database.pools.app, { company: branch.companyId, scope: '*', user: null, tenant: null }, (sql) =>
    enqueue(
      sql,
      Array.from({ length: 400 }, () => ({
        companyId: branch.companyId,
        userId: users[0]?.id ?? null,
        type: 'leads.sendConsent',
        payload: { consentId: randomUUID(), tenantId: branch.id },
      })),
    ),
  )
  // Two hashes at once: most are still waiting when the signal comes, and all have arrived.
  let answered = 0
  const open = users
    .flatMap((user) => Array.from({ length: 8 }, () => user))
    .map(async ({ emailAddress, password }) => {
      const { status } = await fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-native': '1' },
        body: JSON.stringify({ email: emailAddress, password }),
      })
      answered += 1
      return status
    })
  await until(() => answered >= 4)
  const [started, early] = [performance.now(), answered]
  const ended = server.kill('SIGTERM')
  expect(await Promise.all(open)).toEqual(open.map(() => 200))
  expect(await ended).toEqual({ code: 0 })
  console.log(
    `ending: ${Math.round(performance.now() - started)} ms, ${early} of ${open.length} requests answered before, outbox ${JSON.stringify(await states())}`,
  )
  expect(performance.now() - started).toBeLessThan(20_000)
  expect(await Promise.all(sockets.map((socket) => socket.isClosed()))).toEqual([1012, 1012, 1012, 1012, 1012])
  expect(Object.keys(await states())).not.toContain('running')

  const next = await startServer({ database, dataDir })
  await until(async () => Object.keys(await states()).every((state) => state === 'done'), 60_000)
  const { rows } = await database.admin.query<{ attempts: number }>('select max(failures)::int as attempts from outbox')
  expect(rows[0]?.attempts).toBe(0)
  expect(await next.kill('SIGTERM')).toEqual({ code: 0 })
})
