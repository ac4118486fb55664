import { randomUUID } from 'node:crypto'
import type { CDPSession, Page } from 'playwright'
import { demoId } from '../../../prisma/seed/random.ts'
import { fillLog, type LongStore } from '../../console/support/long-log.ts'
import { machineLoad, median, percentile, rounded, spread, type Figure } from './figure.ts'
import type { House } from './house.ts'

const waiting = 100_000
/** Batches of 500 that are sent and measured; all of them would take minutes and say the same. */
const [batchesAtOnce, batchesOnSlowLine] = [20, 4]
const slowLine = { offline: false, latency: 200, downloadThroughput: 125_000, uploadThroughput: 125_000 }
const noLine = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

declare const longStore: LongStore
declare const emptyStore: LongStore
declare const device: {
  createLoop(ports: object): { start(): void; stop(): void; trigger(why: string): Promise<void> }
  refusalOf: unknown
  push(changes: object[], report: object): Promise<object>
  storeSession(answer: object): void
}

/** A phone on which a hundred thousand changes wait, beside one on which none does: what a write and the next batch cost, and how fast they arrive. */
export async function longLog(house: House, page: Page, email: string): Promise<Figure[]> {
  const session = await page.context().newCDPSession(page)
  await fill(page, 0, '070')
  await page.evaluate(() => Object.assign(globalThis, { emptyStore: longStore }))
  const heap = watchHeap(session)
  try {
    await fill(page, waiting, '071')
    const { long, empty, heads } = await page.evaluate(measure)
    const quick = await drain(page, await house.signIn(email), batchesAtOnce)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', slowLine)
    const slow = await drain(page, await house.signIn(email), batchesOnSlowLine)
    await session.send('Network.emulateNetworkConditions', noLine)
    return figuresOf({ long, empty, heads, quick, slow, most: await heap.stop() })
  } finally {
    // A watch that goes on would keep the program from ending.
    await heap.stop()
  }
}

interface Measured {
  long: number[][]
  empty: number[][]
  heads: number[]
  quick: Rate
  slow: Rate
  most: number
}

function figuresOf({ long, empty, heads, quick, slow, most }: Measured): Figure[] {
  const p95 = (rounds: number[][]) => rounds.map((times) => percentile(times, 0.95))
  const ratios = p95(long).map((time, n) => time / (p95(empty)[n] ?? 1))
  const of = '100,000 changes waiting'
  const beside = `${rounded(median(p95(long)))} / ${rounded(median(p95(empty)))} ms`
  return [
    { name: `${of}: a write, p95`, value: rounded(median(p95(long))), unit: 'ms', target: '<= 10', detail: detailOf(long.flat()) },
    {
      name: `${of} / none: a write, p95`,
      value: rounded(median(ratios)),
      unit: 'x',
      target: '<= 1.5',
      detail: `${spread(ratios, ' x')}; ${beside}`,
    },
    { name: `${of}: the next 500`, value: rounded(median(heads)), unit: 'ms', target: '<= 20', detail: detailOf(heads) },
    { name: `${of}: sent, loopback`, value: Math.round(quick.perSecond), unit: 'changes/s', target: '>= 3333', detail: ofServer(quick) },
    {
      name: `${of}: sent, 1 Mbit/s and 200 ms`,
      value: Math.round(slow.perSecond),
      unit: 'changes/s',
      target: '>= 333',
      detail: ofServer(slow),
    },
    { name: `${of}: memory of the page, most`, value: Math.round(most / 1e6), unit: 'MB', target: '< 200', detail: 'JavaScript heap' },
  ]
}

const ofServer = ({ waitingShare }: Rate) => `${Math.round(waitingShare * 100)} % of it waiting for the server; ${machineLoad()}`
const detailOf = (times: number[]) => `${spread(times, ' ms')}; ${machineLoad()}`

function fill(page: Page, count: number, phones: string): Promise<void> {
  const owner = { userId: demoId('sunrise officer'), companyId: randomUUID(), deviceId: randomUUID(), tenantId: demoId('NBO-W') }
  return page.evaluate(fillLog, { count, owner, phones })
}

/** The most that the page held at once until it is stopped. */
function watchHeap(session: CDPSession): { stop(): Promise<number> } {
  let [most, isOver] = [0, false]
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, (await session.send('Runtime.getHeapUsage')).usedSize)
      await new Promise((done) => setTimeout(done, 200))
    }
  })().catch(() => undefined)
  return {
    stop: async () => {
      isOver = true
      await watching
      return most
    },
  }
}

/** In the page: single writes on disk in either store, round by round, and the batch that would go next. */
async function measure(): Promise<{ long: number[][]; empty: number[][]; heads: number[] }> {
  const timed = async (run: () => Promise<unknown>) => {
    const begun = performance.now()
    await run()
    return performance.now() - begun
  }
  let written = 0
  const write = (store: LongStore) => {
    const values = { firstName: 'Late', lastName: 'Otieno', phonenumber: `073${String((written += 1)).padStart(7, '0')}`, city: 'Thika' }
    return timed(() => store.append({ type: 'lead', id: crypto.randomUUID(), kind: 'create', values }))
  }
  const writes = async (store: LongStore) => {
    const times: number[] = []
    for (let n = 0; n < 100; n += 1) times.push(await write(store))
    return times
  }
  const [long, empty]: [number[][], number[][]] = [[], []]
  for (let round = 0; round < 5; round += 1) {
    long.push(await writes(longStore))
    empty.push(await writes(emptyStore))
  }
  const heads: number[] = []
  // The first marks its changes as sent; the same ones are read again after it, as after a lost answer.
  for (let n = 0; n < 21; n += 1) heads.push(await timed(() => longStore.takeBatch({ limit: 500, blocked: new Set() })))
  return { long, empty, heads: heads.slice(1) }
}

interface Rate {
  perSecond: number
  /** Of the time, waiting for the answers. */
  waitingShare: number
}

/** Signed in for it, as filling the store takes longer than a token lasts. What the office takes by the product's loop and calls, until the line is cut after so many batches. */
function drain(page: Page, headers: Record<string, string>, batches: number): Promise<Rate> {
  return page.evaluate(
    async ({ token, deviceId, most }) => {
      device.storeSession({ token, serverNow: new Date().toISOString() })
      let [done, message, sent, waited] = [0, '', 0, 0]
      const before = await longStore.summary()
      const loop = device.createLoop({
        now: Date.now,
        setTimer: () => () => undefined,
        isOnline: async () => true,
        hasRoom: async () => true,
        push: async (changes: object[], summary: object) => {
          if (done === most) throw new Error('enough')
          const asked = performance.now()
          const answer = await device.push(changes, { summary, deviceId, persisted: true, lastError: null, attention: 0 })
          done += 1
          sent += changes.length
          waited += performance.now() - asked
          return answer
        },
        pull: async () => ({ changes: [], cursor: 'c', more: false, serverNow: '' }),
        refusalOf: (error: Error) =>
          error.message === 'enough' ? { status: 0, message: 'enough' } : (device.refusalOf as (e: Error) => unknown)(error),
        sendFiles: async () => 0,
        store: longStore,
        alone: async (run: () => Promise<void>) => {
          await run()
          return true
        },
        report: (progress: { message?: string }) => {
          message ||= progress.message ?? ''
        },
      })
      loop.start()
      const begun = performance.now()
      await loop.trigger('asked')
      const took = (performance.now() - begun) / 1_000
      loop.stop()
      const { count } = await longStore.summary()
      if (done < most || before.count - count !== sent) throw new Error(`${before.count - count} of ${sent} in ${done} batches: ${message}`)
      return { perSecond: sent / took, waitingShare: waited / took / 1_000 }
    },
    { token: (headers['authorization'] ?? '').replace('Bearer ', ''), deviceId: randomUUID(), most: batches },
  )
}
