import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runAlone } from './tabs.ts'

const day = 86_400_000
const name = () => `outpost:${crypto.randomUUID()}`
let store = ''

beforeEach(() => {
  store = name()
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('document', { visibilityState: 'visible' })
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A tab that has the loop and does not end, as one that froze. `end` lets it go. */
async function frozen(): Promise<{ end: () => void; ran: Promise<unknown> }> {
  const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ran = runAlone(store, async () => {
    started.resolve()
    await ended.promise
  }).catch((error: Error) => error.name)
  await started.promise
  return { end: ended.resolve, ran }
}

describe('one tab at a time', () => {
  it('is the one that shows that it lives', async () => {
    const { end, ran } = await frozen()
    let runs = 0
    expect(await runAlone(store, async () => void (runs += 1))).toBe(false)
    end()
    expect([await ran, runs]).toEqual([true, 0])
  })

  it.each([
    ['is older than 90 s', 90_001],
    ['is a day old by a clock that was set on', day],
    ['lies a day ahead of a clock that was set back', -day],
  ])('is another one where its last sign of life %s (sync faults 7 and 10)', async (_, by) => {
    const { end, ran } = await frozen()
    vi.setSystemTime(Date.now() + by)
    let runs = 0
    const take = () => runAlone(store, async () => void (runs += 1))
    expect(await take()).toBe(true)
    expect([await ran, runs]).toEqual(['AbortError', 1])
    end()
  })
})
