import { describe, expect, it } from 'vitest'
import { explainStop, explainTrip } from './explain.ts'
import { metresOf, motionOf } from './motion.ts'
import type { Point } from './point.ts'
import { defaultSettings } from './settings.ts'
import { drive, type Drive } from './testing/drive.ts'

const minute = 60_000
const day: Drive['phases'] = [
  { stand: 1_200 },
  { drive: 8_000, kmh: 50 },
  { stand: 1_800 },
  { drive: 5_000, kmh: 60, course: 180 },
  { stand: 3_600 },
]

describe('trips end where and when the vehicle arrives', () => {
  it.each([
    ['10 s reports', { every: 10 }, 10],
    ['60 s reports', { every: 60 }, 60],
    ['1 s reports', { every: 1 }, 1],
    ['10 s reports without speed and ignition', { every: 10, hasSpeed: false, hasIgnition: false }, 10],
    ['10 s reports with 10 m noise', { every: 10, noise: 10 }, 10],
    ['a device that sleeps with a heartbeat in 30 minutes', { every: 10, everyStanding: 1_800 }, 10],
  ])('%s', (_, how, seconds) => {
    const { points, stands, metres } = drive({ phases: day, ...how })
    const { trips, stops, gaps } = motionOf(points)
    expect(gaps).toEqual([])
    expect([trips.length, stops.length]).toEqual([2, 3])
    for (const [index, trip] of trips.entries()) {
      expect(Math.abs(trip.end.time - (stands[index + 1]?.from ?? 0))).toBeLessThanOrEqual(seconds * 1_000)
      expect(stops[index + 1]?.startTime).toBe(trip.end.time)
    }
    expect(Math.abs(metresOf({ trips, stops }) - metres)).toBeLessThan(0.03 * metres + 60)
  })

  it('and start with the last fix at rest', () => {
    const { points, stands } = drive({ phases: day })
    const { trips, stops } = motionOf(points)
    expect(Math.abs((trips[0]?.startTime ?? 0) - (stands[0]?.to ?? 0))).toBeLessThanOrEqual(10_000)
    expect(stops[0]?.end.time).toBe(trips[0]?.startTime)
    expect(stops.map(({ kind, isOpen }) => [kind, isOpen])).toEqual([
      ['parked', false],
      ['parked', false],
      ['parked', true],
    ])
  })

  it('a stop of four minutes lasts four minutes', () => {
    const { points } = drive({
      phases: [{ stand: 600 }, { drive: 4_000, kmh: 50 }, { stand: 240, ignition: true }, { drive: 4_000, kmh: 50 }, { stand: 600 }],
    })
    const stop = motionOf(points).stops[1]
    expect(stop?.kind).toBe('idling')
    expect(Math.abs((stop?.end.time ?? 0) - (stop?.startTime ?? 0) - 4 * minute)).toBeLessThanOrEqual(10_000)
  })

  it('a halt of 100 s with the ignition off does not split a trip; one of 130 s does', () => {
    const halts = (stand: number) =>
      motionOf(drive({ phases: [{ stand: 600 }, { drive: 4_000, kmh: 50 }, { stand }, { drive: 4_000, kmh: 50 }, { stand: 600 }] }).points)
        .trips
    expect(halts(100)).toHaveLength(1)
    expect(halts(130)).toHaveLength(2)
    expect(halts(130)[0]?.endReason).toBe('ignitionOff')
  })
})

describe('silence', () => {
  const silent = (ms: number, metresOn: number) => {
    const before = drive({ phases: [{ stand: 600 }, { drive: 8_000, kmh: 50 }, { stand: 30, ignition: true }], every: 10 })
    const after = drive({ phases: [{ drive: 8_000, kmh: 50 }, { stand: 600 }], start: (before.points.at(-1)?.time ?? 0) + ms })
    const shift = (before.points.at(-1)?.longitude ?? 0) - 36.82 + metresOn / 111_000
    return { before, points: [...before.points, ...after.points.map((point) => ({ ...point, longitude: (point.longitude ?? 0) + shift }))] }
  }

  it('of 8 hours at one place is a stop there', () => {
    const { before, points } = silent(8 * 60 * minute, 50)
    const { trips, stops, gaps } = motionOf(points)
    expect(gaps).toEqual([])
    expect(trips).toHaveLength(2)
    expect(Math.abs((trips[0]?.end.time ?? 0) - (before.stands[1]?.from ?? 0))).toBeLessThanOrEqual(10_000)
    expect(trips[0]?.endReason).toBe('silent')
    expect(stops[1]).toMatchObject({ kind: 'gap', goneBy: null })
    expect((stops[1]?.end.time ?? 0) - (stops[1]?.startTime ?? 0)).toBeGreaterThanOrEqual(8 * 60 * minute)
  })

  it('of 50 minutes that ends 500 m away: the trip ended at the last fix, the path between is a gap', () => {
    const { before, points } = silent(50 * minute, 500)
    const { trips, stops, gaps } = motionOf(points)
    expect(Math.abs((trips[0]?.end.time ?? 0) - (before.stands[1]?.from ?? 0))).toBeLessThanOrEqual(10_000)
    expect(trips.map(({ endReason, startReason }) => [startReason, endReason])).toEqual([
      ['ignition', 'gap'],
      ['afterGap', 'ignitionOff'],
    ])
    expect(gaps).toMatchObject([{ isWithinTrip: false, reason: 'silent' }])
    expect(gaps[0]?.metres).toBeCloseTo(500, -1)
    expect(stops[1]).toMatchObject({ goneBy: trips[1]?.startTime, isOpen: false, kind: 'gap' })
  })

  it('of 20 minutes crossed at driving speed belongs to the trip, its metres counted separately', () => {
    const { points } = drive({ phases: [{ stand: 600 }, { drive: 60_000, kmh: 60 }, { stand: 600 }] })
    const from = points[0]?.time ?? 0
    const { trips, gaps } = motionOf(points.filter(({ time }) => time < from + 25 * minute || time > from + 45 * minute))
    expect(trips).toHaveLength(1)
    expect(trips[0]?.gapMetres).toBeCloseTo(20_000, -3)
    expect(trips[0]?.metres).toBeCloseTo(40_000, -3)
    expect(gaps).toMatchObject([{ isWithinTrip: true }])
  })
})

describe('noise', () => {
  it.each([
    ['ignition off, speed told', { hasSpeed: true, hasIgnition: true }],
    ['nothing told', { hasSpeed: false, hasIgnition: false }],
    ['speed only', { hasSpeed: true, hasIgnition: false }],
  ])('adds at most 50 m to a parked day: %s', (_, how) => {
    for (const seed of [1, 2, 3]) {
      const { trips, stops } = motionOf(drive({ phases: [{ stand: 86_400 }], every: 10, noise: 10, seed, ...how }).points)
      expect(trips).toEqual([])
      expect(metresOf({ trips, stops })).toBeLessThanOrEqual(50)
      expect(stops).toHaveLength(1)
    }
  })

  it('adds at most 50 m to a day of idling, though ignition on makes starts easy', () => {
    const { trips, stops } = motionOf(drive({ phases: [{ stand: 86_400, ignition: true }], every: 10, noise: 10 }).points)
    expect([trips.length, stops.length]).toEqual([0, 1])
    expect(metresOf({ trips, stops })).toBeLessThanOrEqual(50)
    expect(stops[0]?.kind).toBe('idling')
  })

  it('one outlier adds no distance and no speed', () => {
    const { points } = drive({ phases: day })
    const clean = motionOf(points)
    const [halting, driving] = [points[20], points[150]].map((point) => point as Point) as [Point, Point]
    const wild = points.map((point) =>
      point === halting || point === driving ? { ...point, latitude: (point.latitude ?? 0) + 0.5, speed: 180 } : point,
    )
    const { trips, stops, gaps } = motionOf(wild)
    expect(stops.map((stop) => [stop.startTime, stop.end.time])).toEqual(clean.stops.map((stop) => [stop.startTime, stop.end.time]))
    expect(gaps).toEqual([])
    expect(trips[0]?.metres).toBeCloseTo(clean.trips[0]?.metres ?? 0, -1)
    expect(trips[0]?.maxSpeed).toBe(50)
    expect(trips[0]?.quality).toBeLessThan(1)
  })

  it('a speed more than 20 km/h above both neighbours is not the highest', () => {
    const { points } = drive({ phases: day })
    const { trips } = motionOf(points.map((point, index) => (index === 150 ? { ...point, speed: 140 } : point)))
    expect(trips[0]?.maxSpeed).toBe(50)
  })

  it.each([
    ['invalid', { isValid: false }],
    ['few satellites', { satellites: 3 }],
    ['poor hdop', { hdop: 9 }],
    ['inaccurate', { accuracy: 500 }],
    ['without a place', { latitude: null, longitude: null }],
  ])('a fix that is %s moves nothing', (_, fault) => {
    const { points } = drive({ phases: day })
    const clean = motionOf(points)
    const bad = points.flatMap((point): Point[] => [
      point,
      { ...point, time: point.time + 500, latitude: (point.latitude ?? 0) + 0.003, ...fault },
    ])
    const { trips, stops } = motionOf(bad)
    expect(metresOf({ trips, stops })).toBe(metresOf(clean))
    expect(trips.map((trip) => trip.end.time)).toEqual(clean.trips.map((trip) => trip.end.time))
  })

  it('a move of 150 m is part of the stop, and its metres count', () => {
    const { points } = drive({ phases: [{ stand: 900 }, { drive: 150, kmh: 15 }, { stand: 900 }] })
    const { trips, stops } = motionOf(points)
    expect([trips.length, stops.length]).toEqual([0, 1])
    expect(stops[0]?.metres).toBeGreaterThan(120)
  })
})

describe('motion and engine', () => {
  it('a walk at 4 km/h is a trip, with or without reported speed', () => {
    for (const hasSpeed of [true, false]) {
      const { points, metres } = drive({ phases: [{ stand: 900 }, { drive: 1_500, kmh: 4 }, { stand: 900 }], hasSpeed, hasIgnition: false })
      const { trips, stops } = motionOf(points)
      expect([trips.length, stops.length]).toEqual([1, 2])
      // At each end what lies within the drift, and one report.
      expect(Math.abs((trips[0]?.metres ?? 0) - metres)).toBeLessThan(2 * (defaultSettings.drift + 12))
      const under = motionOf(points.slice(0, -90)).trips
      expect(under).toMatchObject([{ isOpen: true }])
    }
  })

  it('moved with the ignition off is towed', () => {
    const { points } = drive({ phases: day })
    expect(motionOf(points.map((point) => ({ ...point, ignition: false }))).trips.map(({ isTowed }) => isTowed)).toEqual([true, true])
    expect(motionOf(points).trips.map(({ isTowed }) => isTowed)).toEqual([false, false])
    expect(motionOf(points.map((point) => ({ ...point, ignition: null }))).trips.map(({ isTowed }) => isTowed)).toEqual([false, false])
  })

  it('engine sessions come from heartbeats too, and a silence is no running engine', () => {
    const beat = (at: number, ignition: boolean | null): Point => ({
      time: at * minute,
      latitude: null,
      longitude: null,
      isValid: false,
      speed: null,
      accuracy: null,
      ignition,
    })
    const { sessions } = motionOf([
      beat(0, false),
      beat(5, true),
      beat(10, null),
      beat(15, true),
      beat(20, false),
      beat(30, true),
      beat(90, true),
      beat(91, false),
    ])
    expect(sessions.map(({ startTime, endTime, isOpen }) => [startTime / minute, endTime / minute, isOpen])).toEqual([
      [5, 20, false],
      [30, 30, false],
      [90, 91, false],
    ])
  })

  it('sessions split into moving and idle; voltage replaces a missing ignition wire', () => {
    const { points } = drive({ phases: [{ stand: 600 }, { stand: 300, ignition: true }, { drive: 8_000, kmh: 50 }, { stand: 600 }] })
    const [session] = motionOf(points).sessions
    expect((session?.movingMs ?? 0) + (session?.idleMs ?? 0)).toBe((session?.endTime ?? 0) - (session?.startTime ?? 0))
    expect(session?.idleMs).toBeGreaterThanOrEqual(290_000)
    expect(session?.metres).toBeCloseTo(8_000, -3)
    const volts = points.map((point) => ({ ...point, voltage: point.ignition ? 14.1 : 12.4, ignition: null }))
    expect(motionOf(volts).sessions).toEqual([])
    expect(motionOf(volts, { ...defaultSettings, engine: 'voltage' }).sessions).toMatchObject([
      { startTime: session?.startTime, endTime: session?.endTime, source: 'voltage' },
    ])
  })

  it('idling and overspeed are episodes with an end and a maximum', () => {
    const { points } = drive({
      phases: [
        { stand: 600 },
        { stand: 300, ignition: true },
        { drive: 8_000, kmh: 50 },
        { drive: 4_000, kmh: 95 },
        { drive: 3_000, kmh: 50 },
        { stand: 600 },
      ],
    })
    const { idles, overspeeds } = motionOf(points, { ...defaultSettings, speedLimit: 80 })
    expect(idles).toHaveLength(1)
    expect((idles[0]?.endTime ?? 0) - (idles[0]?.startTime ?? 0)).toBeGreaterThanOrEqual(290_000)
    expect(overspeeds).toMatchObject([{ maxSpeed: 95, limit: 80, isOpen: false }])
    expect(overspeeds[0]?.confirmedTime).toBeGreaterThanOrEqual((overspeeds[0]?.startTime ?? 0) + 15_000)
  })
})

it('explains why a trip ended and why there is a stop', () => {
  const { trips, stops } = motionOf(drive({ phases: day }).points)
  expect(explainTrip(trips[0] as never, 'Africa/Nairobi').join(' ')).toMatch(
    /^Started 5 Jan, 09:19:50, the last fix at the old place: ignition on .* Ended 5 Jan, 09:\d\d:\d\d: ignition off for 1 min or more \(certain since/,
  )
  expect(explainStop(stops[2] as never, 'Africa/Nairobi').at(-1)).toMatch(/^Still here/)
})

it('a trip in progress is open, and no input gives no rows', () => {
  const { points } = drive({ phases: [{ stand: 600 }, { drive: 8_000, kmh: 50 }] })
  expect(motionOf(points).trips).toMatchObject([{ isOpen: true, endReason: null, confirmedTime: null }])
  expect(motionOf([])).toEqual({ trips: [], stops: [], gaps: [], sessions: [], idles: [], overspeeds: [] })
})
