import fc from 'fast-check'
import { expect, it } from 'vitest'
import { daysBetween } from '@outpost/rules/time-zone'
import { daysOf, daySums, daysRange } from './days.ts'
import { metresOf, motionOf } from './motion.ts'
import { odometerOf } from './odometer.ts'
import type { Trip } from './rows.ts'
import { drive } from './testing/drive.ts'

const hour = 3_600_000

it("a day is the tenant's: 25 hours when the clock goes back", () => {
  expect(daysRange('2026-01-05', '2026-01-05', 'Africa/Nairobi')).toEqual({ from: Date.UTC(2026, 0, 4, 21), to: Date.UTC(2026, 0, 5, 21) })
  const { from, to } = daysRange('2026-10-25', '2026-10-25', 'Europe/Berlin')
  expect((to - from) / hour).toBe(25)
})

it('days add up to the whole, wherever midnight is', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 24 * 60 }),
      fc.integer(),
      fc.constantFrom('Africa/Nairobi', 'Pacific/Auckland', 'UTC'),
      (minutes, seed, timeZone) => {
        const { points } = drive({
          phases: [
            { stand: 3_000 },
            { drive: 30_000, kmh: 60 },
            { stand: 400, ignition: true },
            { drive: 20_000, kmh: 40 },
            { stand: 9_000 },
          ],
          every: 20,
          noise: 4,
          seed,
          start: Date.UTC(2026, 2, 3) + minutes * 60_000,
        })
        const rows = motionOf(points)
        const days = daysBetween('2026-03-02', '2026-03-06')
        const sums = daySums(rows, { days, timeZone, pointsOf: () => points })
        const total = (key: 'metres' | 'movingMs' | 'stoppedMs' | 'engineMs' | 'trips') => sums.reduce((sum, day) => sum + day[key], 0)
        expect(total('trips')).toBe(2)
        expect(total('metres')).toBeCloseTo(
          rows.trips.reduce((sum, trip) => sum + trip.metres, 0),
          3,
        )
        expect(total('movingMs')).toBe(rows.trips.reduce((sum, trip) => sum + trip.movingMs, 0))
        expect(total('stoppedMs')).toBe(rows.stops.reduce((sum, stop) => sum + stop.end.time - stop.startTime, 0))
        expect(total('engineMs')).toBe(rows.sessions.reduce((sum, session) => sum + session.endTime - session.startTime, 0))
      },
    ),
    { numRuns: 40 },
  )
})

it('reads the fixes only of trips across midnight', () => {
  const { points } = drive({
    phases: [{ stand: 600 }, { drive: 8_000, kmh: 50 }, { stand: 39_000 }, { drive: 60_000, kmh: 60 }, { stand: 600 }],
    start: Date.UTC(2026, 0, 5, 9),
  })
  const rows = motionOf(points)
  const asked: Trip[] = []
  daySums(rows, { days: ['2026-01-05', '2026-01-06'], timeZone: 'Africa/Nairobi', pointsOf: (trip) => (asked.push(trip), points) })
  expect(new Set(asked.map((trip) => trip.startTime))).toEqual(new Set([rows.trips[1]?.startTime]))
  expect(daysOf(rows.trips[1] as Trip, 'Africa/Nairobi')).toEqual(['2026-01-05', '2026-01-06'])
})

it("the odometer adds the distance to its base, and trusts the device's counter only when it is consistent", () => {
  const { points } = drive({ phases: [{ stand: 600 }, { drive: 120_000, kmh: 90 }, { stand: 600 }], every: 30 })
  const first = points[0]?.time ?? 0
  const withCounter = (factor: number) =>
    motionOf(points.map((point) => ({ ...point, odometer: Math.max(0, 50_000 + ((point.longitude ?? 0) - 36.82) * 111_167 * factor) })))
  const base = { metres: 1_000_000, time: first, device: 50_000 }
  const rows = withCounter(1)
  expect(odometerOf(base, rows)).toMatchObject({ source: 'device' })
  expect(odometerOf(base, rows).metres).toBeCloseTo(1_120_000, -3)
  expect(odometerOf({ ...base, device: null }, rows)).toEqual({ source: 'gps', metres: 1_000_000 + metresOf(rows) })
  expect(odometerOf(base, withCounter(1.3))).toMatchObject({ source: 'gps' })
  expect(odometerOf(base, withCounter(-0.1))).toMatchObject({ source: 'gps' })
})
