import fc from 'fast-check'
import { expect, it } from 'vitest'
import { metresOf, motionOf } from './motion.ts'
import { inOrder, type Point } from './point.ts'
import {
  applied,
  certainAt,
  rebuild,
  rebuilds,
  windowOf,
  type Before,
  type Dirty,
  type MotionStore,
  type Range,
  type Reach,
} from './rebuild.ts'
import type { MotionRows, Span } from './rows.ts'
import { defaultSettings, type MotionSettings } from './settings.ts'
import { seededRandom, drive, type Phase } from './testing/drive.ts'

const minute = 60_000
const nothing: MotionRows = { trips: [], stops: [], gaps: [], sessions: [], idles: [], overspeeds: [] }
const settings: MotionSettings = { ...defaultSettings, speedLimit: 70 }

const phase: fc.Arbitrary<Phase> = fc.oneof(
  fc.record({
    drive: fc.integer({ min: 30, max: 6_000 }),
    kmh: fc.integer({ min: 4, max: 110 }),
    course: fc.integer({ min: 0, max: 359 }),
  }),
  fc.record({ stand: fc.integer({ min: 5, max: 2_400 }), ignition: fc.boolean() }),
)

interface Made {
  phases: Phase[]
  every: number
  standing: number
  noise: number
  hasSpeed: boolean
  ignition: number
  seed: number
  holes: number
  wild: number
}
const made: fc.Arbitrary<Made> = fc.record({
  phases: fc.array(phase, { minLength: 3, maxLength: 14 }),
  every: fc.integer({ min: 5, max: 60 }),
  standing: fc.integer({ min: 5, max: 1_200 }),
  noise: fc.integer({ min: 0, max: 25 }),
  hasSpeed: fc.boolean(),
  ignition: fc.integer({ min: 0, max: 2 }),
  seed: fc.nat(),
  holes: fc.integer({ min: 0, max: 4 }),
  wild: fc.integer({ min: 0, max: 20 }),
})

/** Messages as in the field: gaps of up to an hour, invalid fixes and outliers, ignition known from heartbeats only. */
function messagesOf({ phases, every, standing, noise, hasSpeed, ignition, seed, holes, wild }: Made): Point[] {
  const next = seededRandom(seed)
  const { points } = drive({ phases, every, everyStationary: standing, noise, hasSpeed, seed })
  const [first, last] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0]
  const gaps = Array.from({ length: holes }, () => first + next() * (last - first)).map((from) => ({
    from,
    to: from + next() * 60 * minute,
  }))
  return points
    .filter(({ time }) => !gaps.some((gap) => time > gap.from && time < gap.to))
    .flatMap((point): Point[] => {
      const told = ignition === 0 ? null : ignition === 1 && next() < 0.8 ? null : point.ignition
      const one: Point = {
        ...point,
        ignition: told,
        isValid: next() > 0.02,
        driver: next() < 0.05 ? `key ${Math.floor(next() * 3)}` : null,
      }
      if (next() * 1_000 < wild)
        Object.assign(one, { latitude: (one.latitude ?? 0) + next() - 0.5, speed: hasSpeed ? Math.round(next() * 200) : null })
      const beat: Point = {
        ...point,
        time: point.time + 400,
        latitude: null,
        longitude: null,
        isValid: false,
        speed: null,
        ignition: ignition === 2 ? null : point.ignition,
      }
      return next() < 0.1 ? [one, beat] : [one]
    })
}

interface Read {
  points: number
  jobs: number
  most: number
}

function storeOf(points: readonly Point[], rows: MotionRows, read: Read): MotionStore {
  const within =
    ({ from, to }: Range) =>
    (time: number) =>
      time >= from && time <= to
  const lastBefore = <Row extends Span>(list: Row[], time: number): Row | null => list.findLast((row) => row.startTime < time) ?? null
  return {
    newest: points.reduce((most, { time }) => Math.max(most, time), -Infinity),
    before: (time): Promise<Before> =>
      Promise.resolve({
        stop: rows.stops.findLast((stop) => certainAt(stop) < time) ?? null,
        sessions: lastBefore(rows.sessions, time),
        idles: lastBefore(rows.idles, time),
        overspeeds: lastBefore(rows.overspeeds, time),
      }),
    next: (time) => Promise.resolve(points.find((point) => point.time > time)?.time ?? NaN),
    points: (range) => {
      const found = points.filter(({ time }) => within(range)(time))
      read.points += found.length
      read.jobs += 1
      read.most = Math.max(read.most, found.length)
      return Promise.resolve(found)
    },
    stops: (range) => Promise.resolve(rows.stops.filter((stop) => within(range)(stop.end.time))),
  }
}

interface Work {
  dirty: Dirty
  reach?: Reach | undefined
  read: Read
}

/** The rows with all pieces of a rebuild in place. */
async function rebuilt(points: readonly Point[], stored: MotionRows, { dirty, reach, read }: Work): Promise<MotionRows> {
  let rows = stored
  const now = () => storeOf(points, rows, read)
  const store: MotionStore = { ...now(), before: (time) => now().before(time), stops: (range) => now().stops(range) }
  // Rows go through the database as JSON.
  for await (const replacement of rebuilds(dirty, store, settings, reach))
    rows = JSON.parse(JSON.stringify(applied(rows, replacement))) as MotionRows
  return rows
}

/** Processes batches one after the other, with a rebuild after each, as the service does. */
async function takeIn(batches: readonly Point[][], reach?: Reach, read: Read = { points: 0, jobs: 0, most: 0 }): Promise<MotionRows> {
  let [rows, points] = [nothing, [] as Point[]]
  for (const batch of batches) {
    if (batch.length === 0) continue
    points = inOrder([...points, ...batch])
    const times = batch.map(({ time }) => time)
    rows = await rebuilt(points, rows, { dirty: { from: Math.min(...times), to: Math.max(...times) }, reach, read })
  }
  return rows
}

/** Some order of arrival: batches of random sizes, some late, some twice. */
function batchesOf(points: readonly Point[], seed: number, isShuffled: boolean): Point[][] {
  const next = seededRandom(seed)
  const batches: Point[][] = []
  for (let at = 0; at < points.length;) {
    const size = 1 + Math.floor(next() * next() * 80)
    batches.push(points.slice(at, at + size))
    at += size
  }
  const late = isShuffled ? 1 : 0.25
  const order = batches.map((batch, index) => ({ batch, place: next() < late ? next() * batches.length * 1.2 : index }))
  const again = order.filter(() => next() < 0.1).map(({ batch }) => ({ batch, place: next() * batches.length * 1.2 }))
  return [...order, ...again].toSorted((a, b) => a.place - b.place).map(({ batch }) => batch)
}

it('gives the same rows for any order of arrival, batches, delays and repetitions', async () => {
  const lengths = fc.constantFrom(undefined, 7 * minute, 45 * minute, 240 * minute)
  await fc.assert(
    fc.asyncProperty(made, fc.nat(), fc.boolean(), lengths, async (one, seed, isShuffled, longest) => {
      const points = messagesOf(one)
      const batches = batchesOf(points, seed, isShuffled)
      // Short reaches make every rebuild prove where it may stop.
      const rows = await takeIn(batches, { reach: [20 * minute, 60 * minute, 180 * minute, Infinity], longest })
      expect(rows).toEqual(JSON.parse(JSON.stringify(motionOf(points, settings))))
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 60) },
  )
})

it('imports a year in pieces: each read stays small, and the rows are those of one piece', async () => {
  const day: Phase[] = [{ drive: 20_000, kmh: 60 }, { stand: 20_000 }, { drive: 20_000, kmh: 60, course: 270 }, { stand: 62_000 }]
  const { points } = drive({ phases: Array.from({ length: 60 }, () => day).flat(), every: 60, everyStationary: 1_200 })
  const read: Read = { points: 0, jobs: 0, most: 0 }
  const rows = await takeIn([points], {}, read)
  expect(rows).toEqual(JSON.parse(JSON.stringify(motionOf(points, settings))))
  expect(read.jobs).toBeGreaterThan(3)
  expect(read.most).toBeLessThan(points.length / 3)
  // Twenty missing days: rows after them are not touched.
  const [from, to] = [points[0]!.time + 5 * 86_400_000, points[0]!.time + 25 * 86_400_000]
  const isMissing = ({ time }: Point) => time >= from && time < to
  const late: Read = { points: 0, jobs: 0, most: 0 }
  const filled = await takeIn([points.filter((point) => !isMissing(point))])
  const now = await rebuilt(points, filled, { dirty: { from, to: to - 60_000 }, read: late })
  expect(now).toEqual(rows)
  expect(late.points).toBeLessThan(0.6 * points.length)
})

it('fully random order, message by message', async () => {
  await fc.assert(
    fc.asyncProperty(made, fc.nat(), async (one, seed) => {
      const next = seededRandom(seed)
      const points = messagesOf({ ...one, phases: one.phases.slice(0, 5), every: 30, standing: 120 }).slice(0, 120)
      const shuffled = points
        .map((point) => ({ point, place: next() }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ point }) => [point])
      expect(await takeIn(shuffled, { reach: [20 * minute, 60 * minute, Infinity] })).toEqual(
        JSON.parse(JSON.stringify(motionOf(points, settings))),
      )
    }),
    { numRuns: 15 },
  )
})

it('the distance is never negative and never more than the sum of the segments', () => {
  fc.assert(
    fc.property(made, (one) => {
      const points = messagesOf(one)
      const rows = motionOf(points, settings)
      expect(metresOf(rows)).toBeGreaterThanOrEqual(0)
      for (const [index, trip] of rows.trips.entries()) {
        expect(trip.metres + trip.gapMetres).toBeGreaterThanOrEqual(settings.minTrip)
        expect(trip.end.time).toBeGreaterThan(trip.startTime)
        expect(rows.trips[index + 1]?.startTime ?? Infinity).toBeGreaterThanOrEqual(trip.end.time)
      }
      for (const [index, stop] of rows.stops.entries()) expect(rows.stops[index + 1]?.startTime ?? Infinity).toBeGreaterThan(stop.end.time)
    }),
    { numRuns: 60 },
  )
})

it('continues a parked day from the stop, and reads a late batch only until stored rows are unchanged', async () => {
  const { points } = drive({
    phases: Array.from({ length: 10 }, () => [{ drive: 8_000, kmh: 50 }, { stand: 7_200 }] as Phase[]).flat(),
    everyStationary: 10,
  })
  const rows = motionOf(points, settings)
  const stop = rows.stops.at(-1)
  const before = { stop: stop ?? null, sessions: rows.sessions.at(-1) ?? null, idles: null, overspeeds: null }
  const now = (points.at(-1)?.time ?? 0) + 10_000
  expect(windowOf({ from: now, to: now }, before, settings).readFrom).toBeGreaterThanOrEqual(now - 50 * minute)
  const read = { points: 0, jobs: 0, most: 0 }
  const time = (rows.trips[4]?.startTime ?? 0) + 95_000
  const late: Point = { time, latitude: null, longitude: null, isValid: false, speed: null, accuracy: null, ignition: true }
  const replacement = await rebuild({ from: time, to: time }, storeOf([...points, late], rows, read), settings)
  expect(read.jobs).toBe(1)
  expect(read.points).toBeLessThan(points.length / 2)
  expect(replacement.ranges.trips.to).toBeLessThan(points.at(-1)?.time ?? 0)
  expect(JSON.parse(JSON.stringify(applied(rows, replacement)))).toEqual(JSON.parse(JSON.stringify(motionOf([...points, late], settings))))
})
