import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seededRandom } from '../support/draws.ts'
import { isNightly } from '../support/size.ts'
import { checkStream, person, syncWorld, type Device, type SyncWorld } from '../sync/world.ts'

/** `most`: changes of one push. */
const [writers, readers, rows, most] = isNightly ? [32, 20, 100_000, 120] : [16, 6, 2_000, 60]
const random = seededRandom('order of commits')

let world: SyncWorld
beforeAll(async () => {
  world = await syncWorld({ env: { DATABASE_POOL: '24' } })
  // Transactions of every length, so that one that began earlier often ends later.
  await world.app.database.admin.query(`
    create function public.dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(random() * 0.008); return null; end';
    create trigger dawdle after insert or update on lead for each statement execute function public.dawdle()`)
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

it(
  `${readers} pulling clients miss none of ${rows} rows and hear none twice, of ${writers} writers at once, online calls mixed in (sync fault 6)`,
  async () => {
    const makers = await Promise.all(Array.from({ length: writers }, () => world.device()))
    const hearers = await Promise.all(Array.from({ length: readers }, () => world.device()))
    const work = { isOver: false, made: 0 }
    const watch = watchLocks(work)
    const heard = Promise.all(hearers.map((device) => hearAll(device, work)))
    try {
      await Promise.all(makers.map((device, index) => writeOn(device, { work, isOnline: index % 3 === 0 })))
    } finally {
      work.isOver = true
    }
    const versions = await versionsHeld()
    for (const { held, twice } of await heard) {
      expect([...versions].filter(([id, version]) => held.get(id) !== version)).toEqual([])
      expect([held.size, twice]).toEqual([versions.size, []])
    }
    expect(versions.size).toBe(work.made)
    expect(work.made).toBeGreaterThanOrEqual(rows)
    // They really met: while one wrote, others waited with transactions of their own.
    expect(await watch).toBeGreaterThanOrEqual(4)
  },
  isNightly ? 1_800_000 : 120_000,
)

interface Work {
  isOver: boolean
  made: number
}

/** Writes new leads until all writers together have made them all: through the API one by one, or by pushes of any size with edits among them. */
async function writeOn(device: Device, { work, isOnline }: { work: Work; isOnline: boolean }): Promise<void> {
  let last: string | undefined
  while (work.made < rows) {
    await sleep(random.between(0, 8))
    if (isOnline) {
      const lead = person()
      work.made += 1
      await insist(async () => {
        const { status, text } = await device.client.post('/api/leads', lead)
        if (status >= 300) throw new Error(`${status} ${text}`)
      })
      continue
    }
    const inserts = Array.from({ length: Math.ceil(random.between(0, most)) }, () => device.insert(person({ city: 'Thika' })))
    const edit = last ? [device.update(last, 1, { city: ['Thika', 'Nakuru'] })] : []
    work.made += inserts.length
    const { results } = await insist(() => device.push([...edit, ...inserts]))
    expect(results.filter(({ status }) => status !== 'applied')).toEqual([])
    last = inserts[0]?.entityId
  }
}

/** Asks again where the server had waited too long, as devices do. */
async function insist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('503')) throw error
    }
  }
}

/**
 * Pulls on and on, and once more when all is written. `twice`: rows that came again in a version that was there. A page is read after the
 * numbers of its changes: an edit that ends in between comes with the page and once more under its own number.
 */
async function hearAll(device: Device, work: Work): Promise<{ held: Map<string, number>; twice: string[] }> {
  const held = new Map<string, number>()
  const early = new Set<string>()
  const twice: string[] = []
  let cursor: string | undefined
  for (let isLast = false; !isLast;) {
    isLast = work.isOver
    const page = await device.pull(cursor)
    cursor = page.cursor
    for (const { id, t, version } of page.changes) {
      if (t !== 'lead') continue
      const former = held.get(id) ?? 0
      const isEarlyEdit = former === version && version > 1 && !early.has(id)
      if (isEarlyEdit) early.add(id)
      else if (former >= version) twice.push(`${id} ${former} ${version}`)
      held.set(id, version)
    }
    await sleep(isLast ? 0 : random.between(40, 300))
  }
  return { held, twice }
}

async function versionsHeld(): Promise<Map<string, number>> {
  const { rows: found } = await world.app.database.admin.query<{ id: string; version: number }>(
    'select "id", "version"::int from lead where "companyId" = $1',
    [world.company.id],
  )
  return new Map(found.map(({ id, version }) => [id, version]))
}

/** The most transactions of this database that were seen at once, until the work is over. The server's clock is stopped: no token runs out on a slow machine. */
async function watchLocks(work: Work): Promise<number> {
  let [seen, last] = [0, Date.now()]
  while (!work.isOver) {
    const now = Date.now()
    world.app.clock.move((last - now) / 1_000)
    last = now
    const { rows: found } = await world.app.database.admin.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
    )
    seen = Math.max(seen, found[0]?.n ?? 0)
    await sleep(25)
  }
  return seen
}
