import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { browserFlags, browserPath } from './support/browser.ts'
import { serveConsole } from './support/serve.ts'
import { buildStorePage } from './support/store-page.ts'
import { seededRandom } from '../support/draws.ts'
import { isNightly } from '../support/size.ts'

/** How often Chromium is killed while it writes. */
const kills = isNightly ? 200 : 20
const random = seededRandom('browser kills')

/** What the page knows of the product's database helper. */
interface Helper {
  commit(steps: object[]): Promise<unknown[]>
  read<T>(run: (db: { getAll(store: string): Promise<T> }) => Promise<T>): Promise<T>
}
declare const openDatabase: (name: string) => Promise<Helper>

interface Store {
  append(edit: object): Promise<unknown>
  applyPage(answer: object, point: object): Promise<void>
  all(type: string): Promise<object[]>
  summary(): Promise<{ count: number }>
}
declare const openStore: (owner: object, key: CryptoKey) => Promise<Store>

let site: Awaited<ReturnType<typeof serveConsole>>
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-store-'))
  await buildStorePage(folder)
  site = await serveConsole(folder)
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

interface Running {
  page: Page
  kill: () => Promise<void>
}

/** Everything that was started and has not ended; nothing of it outlives its test, however that ends. */
const running = new Set<() => Promise<void>>()
afterEach(async () => {
  for (const end of running) await end()
})

/** A Chromium with a profile on disk, so that it can be killed and opened again. */
async function startChromium(profile: string): Promise<Running> {
  const context = await chromium.launchPersistentContext(profile, { executablePath: browserPath, args: browserFlags })
  const close = () => context.close()
  running.add(close)
  const page = await context.newPage()
  await page.goto(site.url)
  await page.waitForFunction(() => 'openDatabase' in globalThis)
  const kill = async () => {
    const isClosed = new Promise((resolve) => {
      context.once('close', resolve)
    })
    for (const pid of processesOf(profile)) stopAtOnce(pid)
    await isClosed
    running.delete(close)
  }
  return { page, kill }
}

/** Chromium is several processes, and all of them must die at once: those that name the profile, or were started by one that does. */
function processesOf(profile: string): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = / \(.*\) \S (\d+)/.exec(` ${readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^\d+/, '')}`)?.[1]
        return [
          {
            pid: Number(name),
            parent: Number(parent),
            isNamed: readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(`--user-data-dir=${profile}`),
          },
        ]
      } catch {
        // It ended while we read.
        return []
      }
    })
  const found = new Set(all.filter(({ isNamed }) => isNamed).map(({ pid }) => pid))
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

function stopAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // Its parent's end may have ended it.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

describe('the one way to write, in a real browser', () => {
  it('writes nothing of a transaction of which one part cannot be stored', async () => {
    const { page, kill } = await startChromium(await mkdtemp(join(folder, 'profile-')))
    const result = await page.evaluate(async () => {
      const db = await openDatabase('atomic')
      const meta = (name: string, value: unknown) => ({ in: 'meta', put: { name, value } })
      const nameOf = (work: Promise<unknown>) =>
        work.then(
          () => 'written',
          (error: Error) => error.name,
        )
      return {
        uncloneable: await nameOf(db.commit([meta('a', 1), meta('b', () => undefined)])),
        // Said by a getter, after a part that was put already.
        late: await nameOf(
          db.commit([
            meta('c', 1),
            {
              in: 'meta',
              put: {
                name: 'd',
                get value() {
                  return () => undefined
                },
              },
            },
          ]),
        ),
        constraint: await nameOf(
          db.commit([meta('e', 1), { in: 'attention', add: { changeId: 'x' } }, { in: 'attention', add: { changeId: 'x' } }]),
        ),
        noKey: await nameOf(db.commit([meta('f', 1), { in: 'entities', put: { gen: 0 } }])),
        kept: [await db.read((raw) => raw.getAll('meta')), await db.read((raw) => raw.getAll('attention'))],
      }
    })
    await kill()
    expect(result).toEqual({
      uncloneable: 'DataCloneError',
      late: 'DataCloneError',
      constraint: 'ConstraintError',
      noKey: 'DataError',
      kept: [[], []],
    })
  })

  it(
    `loses no acknowledged write and leaves no half of one when the browser is killed ${kills} times (sync fault 9)`,
    async () => {
      const profile = await mkdtemp(join(folder, 'profile-'))
      const acknowledged: number[] = []
      for (let round = 0; round < kills; round++) {
        const { page, kill } = await startChromium(profile)
        await expectWhole(page, acknowledged)
        await page.exposeFunction('acknowledge', (n: number) => {
          acknowledged.push(n)
        })
        const before = acknowledged.length
        const writing = page.evaluate(writeOnAndOn, round * 10_000).catch(() => 'killed')
        await expect.poll(() => acknowledged.length - before, { interval: 5 }).toBeGreaterThan(random.between(5, 60))
        await kill()
        expect(await writing).toBe('killed')
      }
      const { page, kill } = await startChromium(profile)
      const written = await expectWhole(page, acknowledged)
      await kill()
      console.log(`browser: ${kills} kills, ${acknowledged.length} acknowledged of ${written} writes, none lost, none half`)
    },
    isNightly ? 1_800_000 : 400_000,
  )
})

/** Writes of two parts without an end, each acknowledged when it is on the disk. */
async function writeOnAndOn(from: number): Promise<void> {
  const db = await openDatabase('strict')
  for (let n = from; ; n++) {
    await db.commit([
      { in: 'meta', put: { name: `log ${n}`, value: n } },
      { in: 'attention', put: { changeId: `entity ${n}`, n } },
    ])
    await (globalThis as unknown as { acknowledge: (n: number) => Promise<void> }).acknowledge(n)
  }
}

/** Everything that was acknowledged is there, each with both parts; gives how many are. */
async function expectWhole(page: Page, acknowledged: readonly number[]): Promise<number> {
  const kept = await page.evaluate(async () => {
    const db = await openDatabase('strict')
    const log = (await db.read((raw) => raw.getAll('meta'))) as unknown as { value: number }[]
    const entities = (await db.read((raw) => raw.getAll('attention'))) as unknown as { n: number }[]
    return { log: log.map((row) => row.value).toSorted((a, b) => a - b), entities: entities.map((row) => row.n).toSorted((a, b) => a - b) }
  })
  expect(kept.entities).toEqual(kept.log)
  const held = new Set(kept.log)
  expect(acknowledged.filter((n) => !held.has(n))).toEqual([])
  return kept.log.length
}

describe('a device without room (sync fault 17)', () => {
  it('says so in words and pretends nothing: what was not kept is not there, what was kept stays', async () => {
    const { page, kill } = await startChromium(await mkdtemp(join(folder, 'profile-')))
    const cdp = await page.context().newCDPSession(page)
    const origin = new URL(site.url).origin
    // Before the first write: the browser remembers for a while how much room there was.
    await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 500_000 })
    await page.evaluate(async () => {
      const db = await openDatabase('full')
      await db.commit([{ in: 'meta', put: { name: 'kept', value: 1 } }])
    })
    const full = await page.evaluate(async () => {
      const db = await openDatabase('full')
      const said = await db
        .commit([
          { in: 'meta', put: { name: 'large', value: crypto.getRandomValues(new Uint8Array(65_536)) } },
          ...Array.from({ length: 40 }, (_, n) => ({
            in: 'attention',
            put: { changeId: `${n}`, bytes: crypto.getRandomValues(new Uint8Array(65_536)) },
          })),
        ])
        .then(
          () => 'kept',
          (error: Error) => error.message,
        )
      return { said, held: [await db.read((raw) => raw.getAll('meta')), await db.read((raw) => raw.getAll('attention'))] }
    })
    expect(full).toEqual({
      said: 'There is no room left on this device: this was not kept. Connect and sync, or free some space.',
      held: [[{ name: 'kept', value: 1 }], []],
    })
    await cdp.send('Storage.overrideQuotaForOrigin', { origin })
    const again = await page.evaluate(async () => {
      const db = await openDatabase('full')
      await db.commit([{ in: 'meta', put: { name: 'after', value: 2 } }])
      return (await db.read((raw) => raw.getAll('meta'))) as unknown as { name: string }[]
    })
    await kill()
    expect(again.map(({ name }) => name).toSorted()).toEqual(['after', 'kept'])
  })

  it('opens a database that was closed under it again, once each time and at once, and goes on writing', async () => {
    const { page, kill } = await startChromium(await mkdtemp(join(folder, 'profile-')))
    const found = await page.evaluate(async () => {
      const db = await openDatabase('lost')
      await db.commit([{ in: 'meta', put: { name: 'a', value: 1 } }])
      let opened = 0
      const open = indexedDB.open.bind(indexedDB)
      indexedDB.open = (...named) => {
        opened += 1
        return open(...named)
      }
      // Who waits before trying again would have to set a timer.
      let waits = 0
      const setTimer = setTimeout
      Object.assign(globalThis, { setTimeout: (...given: Parameters<typeof setTimeout>) => ((waits += 1), setTimer(...given)) })
      for (let n = 0; n < 20; n++) {
        // As a phone does with what a page had open, when it comes back to the front.
        await db.read(async (raw) => (raw as unknown as { close(): void }).close())
        await db.commit([{ in: 'meta', put: { name: `n${n}`, value: n } }])
      }
      return { opened, waits, held: ((await db.read((raw) => raw.getAll('meta'))) as unknown as object[]).length }
    })
    await kill()
    expect(found).toEqual({ opened: 20, waits: 0, held: 21 })
  })
})

it('takes in the first sync of 10,000 records, and each write after it waits to be sent', async () => {
  const { page, kill } = await startChromium(await mkdtemp(join(folder, 'profile-')))
  const held = await page.evaluate(async () => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    const store = await openStore(
      { userId: 'u', companyId: 'c', deviceId: crypto.randomUUID(), country: () => 'KE', tenantId: () => 't' },
      key,
    )
    const values = (n: number) => ({
      firstName: `Amina ${n}`,
      lastName: 'Otieno',
      phonenumber: `07${String(n).padStart(8, '0')}`,
      trimmedPhonenumber: `2547${String(n).padStart(8, '0')}`,
      city: 'Nairobi',
      status: 'New',
    })
    for (let page = 0; page < 5; page++) {
      const changes = Array.from({ length: 2_000 }, (_, n) => ({
        t: 'lead',
        id: `r${page * 2_000 + n}`,
        seq: page * 2_000 + n + 1,
        op: 'put',
        version: 1,
        data: values(page * 2_000 + n),
      }))
      await store.applyPage({ changes, cursor: `c${page}`, more: page < 4, serverNow: '' }, { cursor: null, isFull: false })
    }
    const rows = (await store.all('lead')).length
    for (let n = 0; n < 100; n++) await store.append({ type: 'lead', id: `new ${n}`, kind: 'create', values: values(20_000 + n) })
    return { rows, after: (await store.all('lead')).length, pending: (await store.summary()).count }
  })
  await kill()
  expect(held).toEqual({ rows: 10_000, after: 10_100, pending: 100 })
})
