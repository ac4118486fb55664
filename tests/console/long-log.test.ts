import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isNightly } from '../support/size.ts'
import { launchProfile } from './support/browser.ts'
import { fillLog, type LongStore } from './support/long-log.ts'
import { serveConsole } from './support/serve.ts'
import { buildStorePage } from './support/store-page.ts'

const waiting = isNightly ? 100_000 : 3_000

let site: Awaited<ReturnType<typeof serveConsole>>
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-log-'))
  await buildStorePage(folder)
  site = await serveConsole(folder)
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

interface Change {
  changeId: string
  clientSeq: number
  entityId: string
  snapshot?: object
}
declare const longStore: LongStore
declare const createLoop: (ports: object) => { start(): void; trigger(why: string): Promise<void> }

it(
  `sends ${waiting} changes that wait in their order, each once, in batches that are bounded and shrink where they are too large, while more are written (sync fault 11)`,
  async () => {
    const context = await launchProfile(await mkdtemp(join(folder, 'profile-')), {})
    const page = await context.newPage()
    await page.goto(site.url)
    await page.waitForFunction(() => 'openStore' in globalThis)
    const owner = { userId: crypto.randomUUID(), companyId: 'c', deviceId: crypto.randomUUID(), tenantId: crypto.randomUUID() }
    await page.evaluate(fillLog, { count: waiting, owner, phones: '07' })
    const seen = await page.evaluate(drain, waiting)
    await context.close()
    expect(seen.message).toBeUndefined()
    const written = Array.from({ length: waiting + seen.written }, (_, n) => n + 1)
    // One by one: a difference of a hundred thousand numbers says nothing.
    expect(seen.numbers.length).toBe(written.length)
    expect(seen.numbers.findIndex((number, n) => number !== written[n])).toBe(-1)
    expect([seen.distinct, seen.left, seen.written > 0]).toEqual([written.length, 0, true])
    expect(seen.mostChanges).toBe(500)
    expect(seen.mostBytes).toBeLessThanOrEqual(1_000_000)
    expect(seen.sizesAfterRefusal.slice(0, 3)).toEqual([250, 125, 125])
  },
  isNightly ? 900_000 : 400_000,
)

/** In the page: the product's loop sends all of it to an office that takes 200 changes at once from the third batch on. */
async function drain(waiting: number) {
  const numbers: number[] = []
  const ids = new Set<string>()
  const sizesAfterRefusal: number[] = []
  let [pushes, mostChanges, mostBytes, written]: number[] = [0, 0, 0, 0]
  let message: string | undefined
  const verdict = ({ changeId, entityId, snapshot }: Change) => ({
    changeId,
    status: 'applied',
    version: 1,
    seq: 1,
    fields: { Id: entityId, ...snapshot },
  })
  const push = async (changes: Change[]) => {
    pushes! += 1
    mostChanges = Math.max(mostChanges!, changes.length)
    mostBytes = Math.max(mostBytes!, JSON.stringify(changes).length)
    const isLimited = pushes! >= 3 && numbers.length < waiting / 2
    if (sizesAfterRefusal.length > 0 || isLimited) sizesAfterRefusal.push(changes.length)
    if (isLimited && changes.length > 200) throw new Error('413')
    for (const { clientSeq, changeId } of changes) {
      numbers.push(clientSeq)
      ids.add(changeId)
    }
    if (pushes! % 4 === 0 && numbers.length < waiting) {
      written! += 1
      const values = { firstName: 'Late', lastName: 'Otieno', phonenumber: `08${String(written).padStart(8, '0')}` }
      await longStore.append({ type: 'lead', id: crypto.randomUUID(), kind: 'create', values })
    }
    return { serverNow: '', results: changes.map(verdict) }
  }
  const loop = createLoop({
    now: Date.now,
    setTimer: () => () => undefined,
    isOnline: async () => true,
    hasRoom: async () => true,
    push,
    pull: async () => ({ changes: [], cursor: 'c', more: false, serverNow: '' }),
    refusalOf: (error: Error) => (error.message === '413' ? { status: 413, message: 'too large' } : null),
    sendFiles: async () => 0,
    store: longStore,
    alone: async (run: () => Promise<void>) => {
      await run()
      return true
    },
    report: (progress: { message?: string }) => {
      message ??= progress.message
    },
  })
  loop.start()
  await loop.trigger('asked')
  const left = (await longStore.summary()).count
  return {
    numbers,
    distinct: ids.size,
    left,
    written: written!,
    mostChanges,
    mostBytes,
    sizesAfterRefusal: sizesAfterRefusal.slice(1),
    message,
  }
}
