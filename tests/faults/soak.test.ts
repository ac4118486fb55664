import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPullPage, type PullPage } from '@outpost/contract/sync/pull'
import { startChaos, type Chaos, type Toxic } from '../support/chaos.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { createMake } from '../support/make.ts'
import { freePort } from '../support/port.ts'
import { killServers, startServer, type ServerProcess } from '../support/process.ts'
import { seededRandom, type Random } from '../support/draws.ts'
import { isNightly } from '../support/size.ts'
import { until } from '../support/until.ts'
import {
  accountOf,
  begin,
  makeDevice,
  makeField,
  missingOf,
  nothingYet,
  signIn,
  wordsOf,
  type Caller,
  type Device,
  type Watch,
} from './field.ts'

/** Devices, and how often something goes wrong; SOAK_SIZE=20,200 gives others, SOAK_HOURS makes it as long as wanted. */
const [crowd = 6, troubles = 10] = (process.env.SOAK_SIZE ?? (isNightly ? '50,1500' : '6,10')).split(',').map(Number)
const isLong = troubles > 10
/** As devices do, they wait longer after each try in vain: what is tried is what they lose, not a storm of their own making. */
const patience = { limitMs: isLong ? 900_000 : 60_000, longestPauseMs: isLong ? 2_000 : 300 }
const lasting = Number(process.env.SOAK_HOURS ?? 0) * 3_600_000

let database: TestDatabase
let dataDir: string
let server: ServerProcess
let chaos: Chaos

beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-soak-'))
})
afterAll(async () => {
  await chaos.close()
  await killServers()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** What a device holds of the server's records, and where its next pull goes on. */
interface Copy {
  rows: Map<string, string>
  cursor: string | undefined
}

/** Pages between two pushes, as the loop of a device has it: who is far behind others that write all the time never reaches the end. */
const pagesAtOnce = 5

/** Pulls until the end, or so many pages; a page that breaks leaves cursor and rows as they were. */
async function pull(
  { url, token }: { url: string; token: string },
  copy: Copy,
  { pages = Infinity, watch }: PullLimits = {},
): Promise<boolean> {
  for (let page = 1; page <= pages; page += 1) {
    begin(watch, `pull, page ${page} of this round, ${copy.rows.size} rows so far`)
    try {
      const answer = await fetch(`${url}/api/sync/pull?limit=200${copy.cursor ? `&cursor=${encodeURIComponent(copy.cursor)}` : ''}`, {
        headers: { authorization: `Bearer ${token}`, connection: 'close' },
        signal: AbortSignal.timeout(10_000),
      })
      if (answer.status !== 200) return false
      const { reset, changes, cursor, more } = readPullPage((await answer.json()) as PullPage)
      if (reset && copy.cursor !== undefined) copy.rows.clear()
      for (const { t, id, op, data } of changes) {
        if (op === 'gone') copy.rows.delete(`${t}/${id}`)
        else copy.rows.set(`${t}/${id}`, JSON.stringify(data))
      }
      copy.cursor = cursor
      if (!more) return true
    } catch {
      // Cut, refused or silent: the next round goes on from the same cursor.
      return false
    }
  }
  return false
}
interface PullLimits {
  pages?: number
  watch?: Watch
}

const kinds = (random: Random): Toxic =>
  random.pick<Toxic>([
    { kind: 'pass' },
    { kind: 'refuse' },
    { kind: 'reset' },
    { kind: 'latency', ms: 40 },
    { kind: 'throttle', bytesPerSecond: 60_000 },
    { kind: 'cut', afterBytes: Math.round(random.between(0, 4_000)) },
    { kind: 'swallow' },
    { kind: 'hold', ms: 300 },
    { kind: 'duplicate' },
    { kind: 'black-hole' },
  ]) ?? { kind: 'pass' }

const memoryOf = async ({ pid }: ServerProcess) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

it(
  `${crowd} devices over a line on which everything goes wrong ${troubles} times, server and database among it: nothing lost, nothing doubled, all hold the same (sync fault 20)`,
  async () => {
    const random = seededRandom('soak')
    const PORT = String(await freePort())
    const start = () => startServer({ database, dataDir, env: { PORT } })
    server = await start()
    chaos = await startChaos(server.url)
    const { company, branch, officers } = await makeField(createMake(database), crowd)
    const url = chaos.through('http://x')
    const callers: Caller[] = []
    for (const user of officers) callers.push({ url: () => url, token: await signIn(server.url, user), user })
    const watches = callers.map(nothingYet)
    const devices = callers.map((caller, n) =>
      makeDevice({
        caller,
        user: officers[n] as (typeof officers)[0],
        tenant: branch,
        random,
        patience: { ...patience, watch: watches[n] },
      }),
    )
    const copies = callers.map((): Copy => ({ rows: new Map(), cursor: undefined }))
    let isOver = false
    let fault: unknown
    const working = devices.map(async (device, n) => {
      try {
        while (!isOver) {
          await device.pushBatch(1 + Math.floor(random.between(0, 12)))
          await pull({ url, token: callers[n]?.token ?? '' }, copies[n] as Copy, { pages: pagesAtOnce, watch: watches[n] })
        }
      } catch (error) {
        fault ??= error
      }
    })
    const memory: number[] = []
    let verdicts = devices.map((device) => device.verdicts.size)
    let kills = 0
    const end = performance.now() + lasting
    for (let n = 0; n < troubles || performance.now() < end; n += 1) {
      if (fault !== undefined) throw fault
      await chaos.set(kinds(random))
      await pause(random.between(30, 350))
      await chaos.set({ kind: 'pass' })
      if (random.chance(0.3)) await cutBackend()
      if (n % 10 === 9) {
        await allGoOn({ devices, before: verdicts, watches, isOver: () => fault !== undefined })
        verdicts = devices.map((device) => device.verdicts.size)
        memory.push(await memoryOf(server))
        await server.kill()
        server = await start()
        kills += 1
        if (isLong && kills % 10 === 0) console.log(`soak: ${n + 1} troubles, memory ${memory.slice(-10).map(Math.round).join(', ')} MB`)
      }
      await goOn(devices)
    }
    isOver = true
    await Promise.all(working)
    if (fault !== undefined) throw fault

    const account = await accountOf(database.admin, company.id)
    const { counter } = account
    const sent = devices.reduce((sum, { verdicts }) => sum + verdicts.size, 0)
    const broken = devices.reduce((sum, { failed }) => sum + failed.length, 0)
    console.log(
      `soak: ${sent} changes of ${crowd} devices, ${broken} failed pushes (${kindsOf(devices)}), ${chaos.bites()} bites, ${kills} kills, memory ${memory.map(Math.round).join(', ')} MB`,
    )
    expect(broken).toBeGreaterThan(0)
    expect(await missingOf(database.admin, company.id, devices)).toEqual([])
    expect(account).toEqual({
      counter,
      receipts: counter,
      numbers: counter,
      highest: counter,
      applied: counter,
      versions: counter,
      adrift: 0,
    })
    expect(counter).toBe(sent)
    await expectSame(callers, copies)
    expect(Math.max(...memory)).toBeLessThan(700)
  },
  isLong ? 14_400_000 + lasting : 400_000,
)

/** Another connection of the server ends in the middle of what it does. */
const cutBackend = () =>
  database.admin.query(
    `select pg_terminate_backend(pid) from (select pid from pg_stat_activity where datname = current_database() and usename like 'fx\\_%' and state <> 'idle' and pid <> pg_backend_pid() order by random() limit 1) s`,
  )

/** Until somebody has had a verdict since: the faults shall not follow each other without work between them. */
async function goOn(devices: readonly Device[]): Promise<void> {
  const told = () => devices.reduce((sum, { verdicts }) => sum + verdicts.size, 0)
  const before = told()
  await until(() => told() > before, patience.limitMs)
}

/** Longer than this a device that waits is told of, so that a slow machine is known from one that hangs. */
const longWaitMs = 60_000

interface Waiting {
  devices: readonly Device[]
  before: readonly number[]
  watches: readonly Watch[]
  isOver: () => boolean
}

/** A line that works reaches everybody: nobody is left behind by those with less to send before the server is killed again. */
async function allGoOn({ devices, before, watches, isOver }: Waiting): Promise<void> {
  const start = performance.now()
  const left = () => devices.flatMap(({ verdicts }, n) => (verdicts.size > (before[n] ?? 0) ? [] : [n]))
  const words = () => left().map((n) => `device ${n}: ${wordsOf(watches[n] ?? nothingYet())}`)
  let tellAt = start + longWaitMs
  for (;;) {
    if (isOver() || left().length === 0) return
    const now = performance.now()
    if (now > start + patience.limitMs)
      throw new Error(`no verdict within ${patience.limitMs} ms:\n${[...words(), ...(await serverWaits())].join('\n')}`)
    if (now > tellAt) {
      console.log(`soak: waits for ${words().join('; ')}\n${(await serverWaits()).join('\n')}`)
      tellAt += longWaitMs
    }
    await pause(20)
  }
}

/** How pushes failed, and how often: a machine that is too slow says 503, a line that is cut says ECONNRESET. */
const kindsOf = (devices: readonly Device[]): string =>
  [
    ...Map.groupBy(
      devices.flatMap(({ failed }) => failed),
      ({ status, code, why }) => code ?? why ?? String(status),
    ),
  ]
    .map(([kind, all]) => `${kind} ${all.length}`)
    .join(', ')

/** What the connections of the server do, and what each waits for. */
async function serverWaits(): Promise<string[]> {
  const { rows } = await database.admin.query<{ line: string }>(`
    select format('%s %s %s %s for %s ms: %s', pid, usename, state, coalesce(wait_event_type || '/' || wait_event, 'runs'),
      round(extract(epoch from clock_timestamp() - coalesce(state_change, backend_start)) * 1000), left(regexp_replace(query, '[[:space:]]+', ' ', 'g'), 120)) as line
    from pg_stat_activity where datname = current_database() and usename like 'fx\\_%' and (state <> 'idle' or wait_event_type = 'Lock') order by state_change limit 20`)
  return rows.map(({ line }) => line)
}

/** I4: what each device holds is what a new one would be given, byte for byte. */
async function expectSame(callers: readonly Caller[], copies: readonly Copy[]): Promise<void> {
  const fresh: Copy = { rows: new Map(), cursor: undefined }
  const token = await signIn(server.url, callers[0]?.user as NonNullable<Caller['user']>)
  expect(await pull({ url: server.url, token }, fresh)).toBe(true)
  const wanted = [...fresh.rows.entries()].toSorted()
  expect(wanted.length).toBeGreaterThan(10)
  for (const [n, copy] of copies.entries()) {
    // Ten minutes after the last sign-in a token has run out.
    const own = await signIn(server.url, callers[n]?.user as NonNullable<Caller['user']>)
    expect(await pull({ url: server.url, token: own }, copy)).toBe(true)
    const held = [...copy.rows.entries()].toSorted()
    expect(held.length).toBe(wanted.length)
    expect(held.filter(([key, row], at) => wanted[at]?.[0] !== key || wanted[at]?.[1] !== row)).toEqual([])
  }
}
