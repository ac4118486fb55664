import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { metresBetween } from './distance.ts'
import type { Fix } from './fix-quality.ts'
import { phaseOf, watchLimits, watchOff, watchStep, type ReadingError, type Watch, type WatchEvent } from './location-watch.ts'

const start = Date.parse('2026-11-21T08:00:00Z')
const fix = (north: number, at = start): Fix => ({ latitude: -1.28 + north / 111_195, longitude: 36.82, accuracy: 8, at })
const play = (...events: WatchEvent[]) =>
  events.reduce<{ watch: Watch; stored: Fix[] }>(
    ({ watch, stored }, event) => {
      const step = watchStep(watch, event)
      return { watch: step.watch, stored: step.store ? [...stored, step.store] : stored }
    },
    { watch: watchOff, stored: [] },
  )
const on: WatchEvent = { kind: 'start', at: start }
const seen = (north: number, at = start): WatchEvent => ({ kind: 'fix', fix: fix(north, at), at })
const failed = (error: ReadingError = 'timeout', at = start): WatchEvent => ({ kind: 'error', error, at })
const wait = ({ watch }: { watch: Watch }) => (watch.nextAt ?? NaN) - start

describe('the location watcher', () => {
  it('reads with high accuracy, 5 s of patience and nothing older than 5 s', () => {
    expect(watchLimits.reading).toEqual({ enableHighAccuracy: true, timeout: 5_000, maximumAge: 5_000 })
  })

  it('reads at once when it starts, and 30 s after a success', () => {
    expect(wait(play(on))).toBe(0)
    expect(wait(play(on, seen(0)))).toBe(30_000)
  })

  it('stores the first position, and then every move of 50 m since the last stored one', () => {
    expect(play(on, seen(0)).stored).toHaveLength(1)
    expect(play(on, seen(0), seen(49)).stored).toHaveLength(1)
    expect(play(on, seen(0), seen(50.1)).stored).toHaveLength(2)
    // A slow move counts too: the distance is measured from the last stored position, not from the last reading.
    expect(play(on, seen(0), seen(20), seen(40), seen(60), seen(80), seen(100), seen(120)).stored).toHaveLength(3)
  })

  it('waits 30 s after up to five consecutive failures, then 15 minutes, and resets at a success', () => {
    const failures = (count: number) => Array.from({ length: count }, () => failed())
    for (const count of [1, 5]) expect(wait(play(on, ...failures(count)))).toBe(30_000)
    expect(wait(play(on, ...failures(6)))).toBe(15 * 60_000)
    expect(wait(play(on, ...failures(9), seen(0), failed()))).toBe(30_000)
  })

  it('does not count a denial as a failure, and asks again after 5 minutes', () => {
    const denied = play(on, ...Array.from({ length: 8 }, () => failed('denied')))
    expect([wait(denied), denied.watch.failures, phaseOf(denied.watch)]).toEqual([5 * 60_000, 0, 'denied'])
    expect(phaseOf(play(on, failed('denied'), seen(0)).watch)).toBe('live')
    expect(play(on, failed(), failed('denied'), failed()).watch.failures).toBe(2)
  })

  it.each(['unavailable', 'timeout', 'unknown'] as const)('counts %s', (error) => expect(play(on, failed(error)).watch.failures).toBe(1))

  it('continues from what an earlier day stored on this device, and stops with the day', () => {
    expect(play({ kind: 'start', at: start, stored: fix(0), last: fix(0) }, seen(10)).stored).toEqual([])
    const ended = play(on, seen(0), { kind: 'stop' }, seen(500), failed(), { kind: 'wake', at: start })
    expect([ended.stored.length, ended.watch.nextAt, phaseOf(ended.watch)]).toEqual([1, null, 'off'])
    // Starting it twice gives one watch.
    expect(play(on, seen(0), { kind: 'start', at: start + 1_000 }).watch.nextAt).toBe(start + 30_000)
  })

  it('reports its phase', () => {
    expect(phaseOf(play(on).watch)).toBe('searching')
    expect(phaseOf(play(on, seen(0), failed()).watch)).toBe('searching')
    expect(phaseOf(play(on, failed()).watch)).toBe('lost')
    expect(phaseOf(play(on, seen(0), ...Array.from({ length: 6 }, () => failed())).watch)).toBe('lost')
  })

  it('never stores two positions within 50 m of each other in a row, nor misses a move', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -2_000, max: 2_000, noNaN: true }), { maxLength: 60 }), (norths) => {
        const { stored, watch } = play(on, ...norths.map((north) => seen(north)))
        stored.slice(1).forEach((next, index) => expect(metresBetween(stored[index] as Fix, next)).toBeGreaterThanOrEqual(50))
        if (watch.last && watch.stored) expect(metresBetween(watch.stored, watch.last)).toBeLessThan(50)
      }),
    )
  })
})
