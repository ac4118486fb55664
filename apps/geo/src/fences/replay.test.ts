import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { catchUpFences, type StoredFences } from './catch-up.ts'
import { indexFences, fenceDefaults, type Fence } from './fence-index.ts'
import { changesBetween, snapshotBefore } from './replay.ts'
import type { TrackPoint } from './track.ts'
import { keyOf, type Transition } from './transition.ts'
import { visitsOf } from './visits.ts'
import { noFenceState, watchFences } from './watch.ts'

const degrees = (metres: number) => metres / 111_194.93
const circle = (id: string, east: number, radius: number): Fence => ({
  id,
  since: -1,
  settings: { ...fenceDefaults, dwells: [300] },
  shape: { type: 'circle', area: { type: 'Point', coordinates: [degrees(east), 0] }, radius },
})
const watching = {
  index: indexFences([circle('a', 0, 200), circle('b', 150, 100), circle('c', 900, 300), circle('tiny', 500, 20)]),
  isLinked: () => true,
}

/** The service's work with arrays in place of tables; stored state goes through JSON, as it does through Postgres. */
function store() {
  const points = new Map<number, TrackPoint>()
  let rows: Transition[] = []
  let stored: StoredFences = { now: noFenceState, snapshots: [] }
  const told: string[] = []
  return {
    rows: () => rows,
    told,
    snapshots: () => stored.snapshots,
    async take(batch: readonly TrackPoint[]) {
      const news = batch.filter(({ time }) => !points.has(time))
      if (news.length === 0) return
      for (const point of news) points.set(point.time, point)
      const done = await catchUpFences({
        watching,
        stored,
        since: Math.min(...news.map(({ time }) => time)),
        async *readPlaces(after) {
          const places = [...points.values()].filter(({ time }) => time > after).toSorted((a, b) => a.time - b.time)
          yield places.slice(0, 10)
          yield places.slice(10)
        },
        readStored: async (after) => rows.filter(({ confirmedAt }) => confirmedAt > after),
      })
      const { insert, retract, correct } = done.changes
      const gone = new Set([...retract, ...correct.map((pair) => pair.from)])
      rows = [...rows.filter((row) => !gone.has(row)), ...insert, ...correct.map(({ to }) => to)]
      told.push(...insert.map(keyOf))
      stored = JSON.parse(JSON.stringify(done.stored)) as StoredFences
    },
  }
}

const track = fc
  .array(
    fc.record({
      step: fc.integer({ min: 1, max: 1300 }),
      move: fc.integer({ min: -500, max: 500 }),
      accuracy: fc.constantFrom(null, 5, 80),
      speed: fc.constantFrom(null, 0, 60),
      isValid: fc.boolean(),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((steps) => {
    let [time, east] = [0, -400]
    return steps.map(({ step, move, isValid, ...rest }): TrackPoint => {
      time += step * 1000
      east = Math.max(-1200, Math.min(1500, east + move))
      return { time, latitude: 0, longitude: degrees(east), hdop: null, isValid: isValid || step % 5 > 0, ...rest }
    })
  })

const sorted = (rows: readonly Transition[]) => rows.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))

describe('late positions', () => {
  it('give the same rows in any order, with any delays, duplicates and batches', async () => {
    const scrambled = track.chain((points) =>
      fc.record({
        points: fc.constant(points),
        order: fc.shuffledSubarray([...points, ...points], { minLength: points.length * 2 }),
        sizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(scrambled, async ({ points, order, sizes }) => {
        const expected = watchFences(watching, noFenceState, points).transitions
        const stored = store()
        for (let at = 0, turn = 0; at < order.length; turn++) {
          const size = sizes[turn % sizes.length]!
          await stored.take(order.slice(at, at + size))
          at += size
        }
        expect(sorted(stored.rows())).toEqual(sorted(expected))
        expect(visitsOf(stored.rows())).toEqual(visitsOf(expected))
      }),
      { numRuns: 300 },
    )
  })
  it('are replayed from the last snapshot before them', async () => {
    const stored = store()
    const points = Array.from({ length: 300 }, (_, at): TrackPoint => ({
      time: at * 60_000,
      latitude: 0,
      longitude: degrees((at % 40) * 50 - 800),
      accuracy: null,
      hdop: null,
      speed: 30,
      isValid: true,
    }))
    for (const point of points) await stored.take([point])
    expect(stored.snapshots()).toHaveLength(5)
    expect(snapshotBefore(stored.snapshots(), 10_000_000).last!.time).toBe(7_200_000)
    expect(snapshotBefore(stored.snapshots(), 0)).toBe(noFenceState)
  })
  it('report a crossing that shifts by seconds only once', async () => {
    const stored = store()
    const at = (second: number, east: number): TrackPoint => ({
      time: second * 1000,
      latitude: 0,
      longitude: degrees(east),
      accuracy: null,
      hdop: null,
      speed: 40,
      isValid: true,
    })
    await stored.take([at(0, -900), at(60, -100), at(120, -100)])
    const [first] = stored.rows()
    await stored.take([at(50, -210)])
    expect(stored.rows()).toHaveLength(1)
    expect(stored.rows()[0]!.at).not.toBe(first!.at)
    expect(stored.told).toEqual([keyOf(first!)])
  })
  it('retract wrong transitions and insert right ones', () => {
    const crossed: Transition = {
      fenceId: 'a',
      kind: 'crossed',
      at: 1_000_000,
      until: 1_060_000,
      dwell: null,
      window: null,
      confirmedAt: 1_100_000,
      latitude: 0,
      longitude: 0,
    }
    const enter: Transition = { ...crossed, kind: 'enter', until: null }
    expect(changesBetween([crossed], [enter])).toEqual({ insert: [enter], retract: [crossed], correct: [] })
    expect(changesBetween([enter], [{ ...enter, at: 1_120_000 }]).correct).toHaveLength(1)
    expect(changesBetween([enter], [{ ...enter, at: 1_120_001 }])).toMatchObject({ insert: [{}], retract: [{}], correct: [] })
    expect(changesBetween([enter], [enter])).toEqual({ insert: [], retract: [], correct: [] })
  })
})
