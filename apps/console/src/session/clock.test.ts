import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepSessionAlive } from './keep-alive.ts'
import { changeSession } from './store.ts'
import { getTokenExpiry, onSessionEnd, serverNow, setServerNow, setToken, storeSession } from './token.ts'

const [minute, day] = [60_000, 86_400_000]
/** The server's clock: what really passes, whatever the device's clock says. */
let passed = 0
const start = Date.parse('2026-11-28T08:00:00Z')
const serverTime = () => new Date(start + passed).toISOString()
const tokenFor = (seconds: number) => `x.${btoa(JSON.stringify({ exp: (start + passed) / 1_000 + seconds }))}.x`
let [renewals, ends]: [number, string[]] = [0, []]
/** What listens to the person's hands. */
let touch = (): void => undefined
let isReachable = true
let stops: (() => void)[] = []

/** Lets time pass, which the device's clock shows too, from wherever it was set. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 5_000) {
    passed += Math.min(left, 5_000)
    await vi.advanceTimersByTimeAsync(Math.min(left, 5_000))
  }
}

/** Signed in ten minutes' worth, on a device whose clock is off by so much. */
function signInAt(skew: number, policy: 'field' | 'office' = 'field'): void {
  vi.setSystemTime(start + skew)
  stops = [
    keepSessionAlive(),
    onSessionEnd((reason) => {
      ends.push(reason)
      changeSession({ phase: 'out' })
    }),
  ]
  storeSession({ token: tokenFor(600), serverNow: serverTime(), sessionEndsAt: new Date(start + 30 * day).toISOString(), policy })
  changeSession({ phase: 'in', isOfflineSession: false })
}

beforeEach(() => {
  ;[passed, renewals, ends, isReachable] = [0, 0, [], true]
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', (name: string, run: () => void) => {
    if (name === 'keydown') touch = run
  })
  vi.stubGlobal('removeEventListener', () => undefined)
  vi.stubGlobal('fetch', async (url: string) => {
    if (!isReachable) throw new TypeError('no network')
    if (url === '/api/ping') return Response.json({ success: true, data: { now: serverTime() } })
    renewals += 1
    return Response.json({ success: true, data: { token: tokenFor(600), serverNow: serverTime() } })
  })
})
afterEach(() => {
  changeSession({ phase: 'out', endsAt: null })
  for (const stop of stops) stop()
  setToken(null)
  setServerNow(new Date().toISOString())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a session under a clock that is off (sync fault 7)', () => {
  it.each([
    ['a day ahead', day],
    ['a day behind', -day],
    ['right', 0],
  ])('%s: the token is renewed a minute before it ends, by the server’s time', async (_, skew) => {
    signInAt(skew)
    expect([serverNow(), getTokenExpiry()]).toEqual([start, start + 10 * minute])
    await pass(9 * minute - 5_000)
    expect(renewals).toBe(0)
    await pass(10_000)
    expect([renewals, getTokenExpiry()]).toEqual([1, start + 19 * minute])
    await pass(30 * minute)
    expect([renewals, ends]).toEqual([4, []])
  })

  it.each([
    ['on', day],
    ['back', -day],
  ])('that is set %s by a day in the middle: it is renewed in time, stays, and knows the server’s time again', async (_, by) => {
    signInAt(0)
    await pass(4 * minute)
    vi.setSystemTime(Date.now() + by)
    await pass(5 * minute + 5_000)
    expect([renewals, ends]).toEqual([1, []])
    expect(Math.abs(serverNow() - Date.parse(serverTime()))).toBeLessThanOrEqual(5_000)
    await pass(30 * minute)
    expect([renewals, ends]).toEqual([4, []])
  })
})

/** The computer sleeps: its clock goes on, the page does not. */
function sleep(ms: number): void {
  passed += ms
  vi.setSystemTime(Date.now() + ms)
}

describe('the end of an office session without use (sync fault 7)', () => {
  it.each([
    ['ahead', day],
    ['ahead by more than the hour', 61 * minute],
    ['back', -day],
  ])('comes after an hour that really passed, though the clock is set %s', async (_, by) => {
    signInAt(0, 'office')
    await pass(10 * minute)
    vi.setSystemTime(Date.now() + by)
    await pass(49 * minute)
    expect(ends).toEqual([])
    await pass(2 * minute)
    expect(ends).toEqual(['expired'])
  })

  it.each([
    ['back', -2 * day],
    ['ahead', 2 * day],
  ])('comes an hour after the last use, also where that follows at once on a clock that is set %s', async (_, by) => {
    signInAt(0, 'office')
    await pass(10 * minute)
    vi.setSystemTime(Date.now() + by)
    touch()
    await pass(59 * minute)
    expect(ends).toEqual([])
    await pass(2 * minute)
    expect(ends).toEqual(['expired'])
  })

  it('goes by the server’s time, also where an answer of the server comes before anybody saw that the clock was set back', async () => {
    signInAt(0, 'office')
    vi.setSystemTime(Date.now() - 2 * day)
    setServerNow(serverTime())
    await pass(10_000)
    expect(serverNow()).toBe(Date.parse(serverTime()))
  })

  it('comes when the computer slept through the hour', async () => {
    signInAt(0, 'office')
    await pass(10 * minute)
    sleep(55 * minute)
    await pass(5_000)
    expect(ends).toEqual(['expired'])
  })

  it('comes at once where nobody can say whether the clock was set or the computer slept', async () => {
    signInAt(0, 'office')
    await pass(10 * minute)
    isReachable = false
    vi.setSystemTime(Date.now() + 61 * minute)
    await pass(10_000)
    expect(ends).toEqual(['expired'])
  })

  it('is not put off by use under a clock that is set ahead and back again', async () => {
    signInAt(0, 'office')
    isReachable = false
    vi.setSystemTime(Date.now() + 50 * minute)
    await pass(5_000)
    touch()
    vi.setSystemTime(Date.now() - 50 * minute)
    isReachable = true
    await pass(61 * minute)
    expect(ends).toEqual(['expired'])
  })
})
