import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import { inputFor, send } from '../security/support/requests.ts'
import { testApp, type Answer, type SignedInClient, type TestApp } from '../support/app.ts'
import type { MadeLead, MadeTenant, MadeUser } from '../support/make.ts'
import { seededRandom, type Random } from '../support/draws.ts'
import { isNightly } from '../support/size.ts'

const [bodies, raws] = isNightly ? [50_000, 20_000] : [2_000, 500]
const random = seededRandom('fuzz')
const seed = Math.floor(random.next() * 2 ** 31)

let app: TestApp
let geo: Server
let routes: Route[]
let company: MadeTenant, branch: MadeTenant
let lead: string

beforeAll(async () => {
  geo = createServer((_, response) => response.setHeader('content-type', 'application/json').end('{}')).listen(0, '127.0.0.1')
  await new Promise((done) => geo.once('listening', done))
  app = await testApp({ env: { GEO_URL: `http://127.0.0.1:${(geo.address() as AddressInfo).port}` } })
  routes = app.areas.flatMap((area) => area.routes)
  company = await app.make.company()
  branch = await app.make.tenant({ company })
  lead = (await app.make.lead({ tenant: branch })).id
  await app.listen()
})
afterAll(async () => {
  await app.close()
  geo.closeAllConnections()
  geo.close()
})

let caller: SignedInClient
let calls = 0
/** Somebody new every few calls: some of them sign out, or put themselves out of work. */
async function someone(): Promise<SignedInClient> {
  if ((calls += 1) % 40 === 1) caller = await app.as(await app.make.user({ company, role: 'admin' }))
  return caller
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    0,
    -1,
    -0.5,
    2 ** 31,
    2 ** 53,
    1e308,
    [],
    {},
    [[]],
    [null],
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e',
    'x'.repeat(5_000),
    '%',
    '%%',
    '_%\\',
    "' or 1=1 --",
    '"; drop table lead; --',
    '{}',
    '[]',
    '[{"field":"status","op":"eq","value":{}}]',
    '{"$ne":null}',
    'NaN',
    'Infinity',
    '1e999',
    '-9223372036854775809',
    '99999999999999999999',
    '9999-12-31T23:59:59.999Z',
    '+275760-09-13T00:00:00Z',
    '0000-00-00',
    '2024-02-30',
    '-1',
    '../../etc/passwd',
    '<script>',
    '=1+1',
    '\r\nset-cookie: a=b',
    'constructor',
    '__proto__',
    '00000000-0000-0000-0000-000000000000',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.uuid(),
  fc.array(fc.uuid(), { maxLength: 4 }),
)
const mutation = fc.record({
  at: fc.nat(1_000),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap'),
  value: odd,
})
const probe = fc.record({
  route: fc.nat(100_000),
  mutations: fc.array(mutation, { minLength: 1, maxLength: 3 }),
  body: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.jsonValue() }),
})

function mutate(
  input: Record<string, unknown>,
  mutations: readonly { at: number; kind: string; value: unknown }[],
): Record<string, unknown> {
  const changed = { ...input }
  for (const { at, kind, value } of mutations) {
    const keys = Object.keys(changed)
    const key = keys[at % Math.max(1, keys.length)] ?? `extra${at}`
    if (kind === 'remove') delete changed[key]
    else if (kind === 'add') changed[`extra${at % 7}`] = value
    else if (kind === 'wrap') changed[key] = [changed[key]]
    else changed[key] = value
  }
  return changed
}

/** Paths and queries hold text, and a path no half characters; bodies hold everything. */
function sendable({ path, method }: Route, input: Record<string, unknown>): Record<string, unknown> {
  const inPath = [...path.matchAll(/:(\w+)|\*/g)].map(([whole, name]) => name ?? whole)
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      if (method !== 'GET' && !inPath.includes(key)) return [key, value]
      const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
      return [key, inPath.includes(key) ? text.toWellFormed() : text]
    }),
  )
}

const insides =
  /\n\s+at \S|node_modules|\.ts:\d+|syntax error at|relation "|violates |pg_catalog|invalid input syntax|select\b.{1,80}\bfrom\b|insert into/i
const isRefusalOfOurs = ({ body }: Answer) => body.code === 'NOT_CONFIGURED' || body.code === 'GEO_UNAVAILABLE'

/** What is wrong with an answer; undefined when nothing is. */
function faultOf(route: Route, answer: Answer, input: unknown): string | undefined {
  const shown = `${route.method} ${route.path} ${JSON.stringify(input)?.slice(0, 600)} -> ${answer.status} ${answer.text.slice(0, 300)}`
  if (answer.status >= 500 && !isRefusalOfOurs(answer)) return shown
  return answer.status >= 400 && insides.test(answer.text) ? shown : undefined
}

it(
  `${bodies} mutated inputs over the whole route table: no 5xx, nothing of the inside (F23)`,
  async () => {
    const user: MadeUser = await app.make.user({ company, role: 'officer' })
    const spareLead = () => app.make.lead({ tenant: branch })
    const target = {
      side: {
        company,
        branch,
        sibling: branch,
        team: branch,
        spare: branch,
        spareClients: [await app.make.client({ tenant: branch }), await app.make.client({ tenant: branch, deletedAt: new Date() })] as [
          { id: string },
          { id: string },
        ],
        spareLeads: [await spareLead(), await spareLead(), await spareLead(), await spareLead()] as [
          MadeLead,
          MadeLead,
          MadeLead,
          MadeLead,
        ],
        sparePipeline: randomUUID(),
        spareRoles: [randomUUID()],
        product: { id: randomUUID(), categoryId: randomUUID(), versionId: randomUUID(), draftId: randomUUID() },
        spareApplications: [randomUUID(), randomUUID()] as [string, string],
        spareLoan: randomUUID(),
        unpaidLoans: [randomUUID()],
        runningLoans: [randomUUID()],
        apiKey: randomUUID(),
        role: { id: randomUUID(), companyId: company.id, name: 'x' },
        users: { officer: user, admin: user, credit: user, apiUser: user },
      },
      filled: { lead },
      userId: user.id,
      tenantId: branch.id,
    }
    const faults = new Map<string, string>()
    const statuses = new Map<number, number>()
    const probes = fc.sample(probe, { numRuns: bodies, seed })
    for (const [index, { route: at, mutations, body }] of probes.entries()) {
      // Each route in turn, so that none is left out.
      const route = routes[(index + (at % 2)) % routes.length] as Route
      const input = sendable(route, mutate(inputFor(route, target), mutations))
      const client = await someone()
      const answer =
        body === undefined || route.method === 'GET'
          ? await send(client, route, input)
          : await client[route.method === 'PUT' ? 'put' : route.method === 'DELETE' ? 'del' : 'post'](route.path, body)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const fault = faultOf(route, answer, body ?? input)
      if (fault) faults.set(route.name, fault)
    }
    console.log(
      `fuzz: fast-check seed ${seed}, ${routes.length} routes, answers ${JSON.stringify(Object.fromEntries([...statuses].sort(([a], [b]) => a - b)))}`,
    )
    expect([...faults.values()]).toEqual([])
    // It is no fuzz of the guard alone.
    expect(statuses.get(401) ?? 0).toBeLessThan(bodies / 4)
    expect(statuses.get(200) ?? 0).toBeGreaterThan(bodies / 20)
  },
  isNightly ? 1_200_000 : undefined,
)

it(
  `${raws} requests of raw bytes: no 5xx, and the server goes on (F23)`,
  async () => {
    const { token } = await someone()
    const { port } = app.http.server.address() as AddressInfo
    const answers: string[] = []
    const queue = Array.from({ length: raws }, () => rawRequest(random, token))
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let bytes = queue.pop(); bytes; bytes = queue.pop()) answers.push(await speak(port, bytes))
      }),
    )
    const codes = answers.flatMap((text) => [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, code]) => Number(code)))
    expect(codes.filter((code) => code >= 500)).toEqual([])
    expect(answers.filter((text) => insides.test(text))).toEqual([])
    expect(codes.length).toBeGreaterThan(raws / 4)
    expect((await fetch(`${app.http.listeningOrigin}/healthz`)).status).toBe(200)
  },
  isNightly ? 600_000 : 60_000,
)

/** A good request with some bytes changed, cut or doubled, or bytes without any sense. */
function rawRequest(from: Random, token: string): Buffer {
  if (from.chance(0.15)) return randomBytes(Math.floor(from.between(1, 400)))
  const body = JSON.stringify({ firstName: 'A', lastName: 'B', phonenumber: '0712345678' })
  const good = Buffer.from(
    `POST /api/leads?x=${'%41'.repeat(3)} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
  for (let n = 0; n < from.between(1, 6); n += 1) good[Math.floor(from.next() * good.length)] = Math.floor(from.between(0, 256))
  if (from.chance(0.2)) return good.subarray(0, Math.floor(from.next() * good.length))
  return from.chance(0.1) ? Buffer.concat([good, good]) : good
}

function speak(port: number, bytes: Buffer): Promise<string> {
  return new Promise((done) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    // Half a request waits for its other half: that is the business of slow clients.
    const timer = setTimeout(() => socket.destroy(), 400)
    socket
      .on('data', (data) => {
        text += data.toString('latin1')
      })
      .on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      done(text)
    })
  })
}
