import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { createMake } from '../support/make.ts'
import { freePort } from '../support/port.ts'
import { killServers, startServer, type ServerProcess } from '../support/process.ts'
import { until } from '../support/until.ts'
import { accountOf, insist, makeDevice, makeField, missingOf, newPhone, patienceMs, signIn, type Caller } from './field.ts'
import { seededRandom } from '../support/draws.ts'
import { isNightly } from '../support/size.ts'

/** By night so many rounds, each with a company, a verdict and draws of its own: 500 kills. A run that ends early has proven its rounds. */
const rounds = isNightly ? 10 : 1
const [kills, changes] = isNightly ? [50, 10_000] : [5, 1_500]

let database: TestDatabase
let dataDir: string
let server: ServerProcess

beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-kill-'))
})
afterAll(async () => {
  await killServers()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

it.each(Array.from({ length: rounds }, (_, round) => round + 1))(
  `loses and doubles nothing while the server is killed ${kills} times under pushes of devices and writes of the API (sync fault 1, F1; round %i of ${rounds})`,
  async (round) => {
    await killServers()
    const random = seededRandom(`kill ${round}`)
    const PORT = String(await freePort())
    const start = () => startServer({ database, dataDir, env: { PORT } })
    server = await start()
    const { company, branch, officers } = await makeField(createMake(database), 6)
    const callers = await Promise.all(
      officers.map(async (user): Promise<Caller> => ({ url: () => server.url, token: await signIn(server.url, user), user })),
    )
    const devices = callers
      .slice(0, 3)
      .map((caller, n) => makeDevice({ caller, user: officers[n] as (typeof officers)[0], tenant: branch, random }))
    const wanted = changes / devices.length
    let isOver = false
    const pushing = devices.map(async (device) => {
      while (!isOver || device.verdicts.size < wanted) await device.pushBatch(25)
    })
    const created: Created[] = []
    const writing = callers.slice(3).map(async (caller) => {
      while (!isOver) created.push(await createLead(caller))
    })
    const told = () => devices.reduce((sum, { verdicts }) => sum + verdicts.size, 0)
    const away: number[] = []
    for (let n = 0; n < kills; n += 1) {
      // In the midst of work, not while the server still warms up.
      const [before, some] = [told(), (random.between(0.4, 1) * changes) / kills]
      await until(() => told() - before >= some, patienceMs)
      await new Promise((done) => setTimeout(done, random.between(0, 60)))
      const killed = performance.now()
      await server.kill()
      server = await start()
      away.push(Math.round(performance.now() - killed))
    }
    isOver = true
    await Promise.all([...pushing, ...writing])

    const account = await accountOf(database.admin, company.id)
    const broken = devices.reduce((sum, { failed }) => sum + failed.length, 0)
    const late = devices.flatMap(({ verdicts }) => [...verdicts.values()]).filter(({ status }) => status === 'duplicate').length
    console.log(
      `kill, round ${round}: ${account.receipts} receipts, ${created.length} API writes, ${broken} failed pushes, ${late} verdicts told late, ready again after ${away.join(', ')} ms`,
    )
    expect(broken).toBeGreaterThan(0)
    expect(await missingOf(database.admin, company.id, devices)).toEqual([])
    const { counter } = account
    const sent = told()
    expect(sent).toBeGreaterThanOrEqual(changes)
    expect(account).toEqual({
      counter,
      receipts: counter,
      numbers: counter,
      highest: counter,
      applied: counter,
      versions: counter,
      adrift: 0,
    })
    await checkCreated(company.id, created)
    expect(counter).toBe(sent + created.length)
  },
  isNightly ? 2_400_000 : 300_000,
)

interface Created {
  id: string
  status: number
  code: unknown
  tries: number
}

/** The online call with an Id of the client's, repeated with the same Id until somebody says that it is there. */
async function createLead(caller: Caller): Promise<Created> {
  const id = randomUUID()
  const { status, body, failed } = await insist(caller, '/api/leads', {
    Id: id,
    firstName: 'Amina',
    lastName: 'Online',
    phonenumber: newPhone(),
  })
  return { id, status, code: body['code'], tries: failed.length + 1 }
}

/** A first try is answered 200; one that follows a broken try may hear that the record exists: never two, never none. */
async function checkCreated(companyId: string, created: readonly Created[]): Promise<void> {
  const wrong = created.filter(({ status, code, tries }) => status !== 200 && !(tries > 1 && status === 409 && code === 'ALREADY_EXISTS'))
  expect(wrong).toEqual([])
  const { rows } = await database.admin.query<{ id: string; version: number }>(
    'select id, version::int from lead where "companyId" = $1 and "lastName" = $2',
    [companyId, 'Online'],
  )
  expect(rows.map(({ id }) => id).sort()).toEqual(created.map(({ id }) => id).sort())
  expect(rows.filter(({ version }) => version !== 1)).toEqual([])
}
