import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fuelSpent } from './fuel.ts'
import type { Point } from './point.ts'
import { defaultSettings } from './settings.ts'
import { overspeedsOf } from './spans.ts'
import { traccarTrips } from './traccar/rule.ts'
import { spatialStep } from './traccar/spatial.ts'

// Beside the project, or beside the folder of its worktrees.
const files = ['../../../../../shared/fleet-vectors.json', '../../../../../../shared/fleet-vectors.json'].map(
  (path) => new URL(path, import.meta.url),
)
const file = files.find((path) => existsSync(path))
interface Row {
  t: string
  speedKnots: number
  totalDistance: number
}
interface Case {
  test: string
  ignitionOff?: number[]
  positions: Row[]
  onlyFirstAsserted?: boolean
  config: {
    minimalTripDistance: number
    minimalTripDurationS: number
    minimalParkingDurationS: number
    minimalNoDataDurationS: number
    useIgnition: boolean
  }
  trips?: { start: string; end: string; durationMs: number; averageSpeedKnots: number; maxSpeedKnots: number; distanceM: number }[]
  stops?: { start: string; end: string; durationMs: number }[]
}
interface Spatial {
  test: string
  minDistance: number
  minDurationMs: number
  stopGapMs: number | null
  moving: boolean
  movingAfter: boolean
  buffer: { t: string; eastMetres: number }[]
  current: { t: string; eastMetres: number }
  events: string[]
  eventTimes?: string[]
}
interface File {
  trips: { cases: Case[] }
  motionSpatial: { cases: Spatial[] }
  overspeed: {
    limitKnots: number
    minimalDurationMs: number
    steps: { t: string; speed: number; event: boolean; state: boolean; eventSpeed?: number }[]
  }
  fuel: {
    cases: {
      first: { fuel?: number; fuelLevelPct?: number }
      last: { fuel?: number; fuelLevelPct?: number }
      capacityL?: number
      spent: number
    }[]
  }
}
const read = (): File => JSON.parse(readFileSync(file as URL, 'utf8')) as File
const knot = 1.852

describe.skipIf(!file)('vectors of third parties (they lie beside the project: ../shared/fleet-vectors.json)', () => {
  it('splits trips and stops as Traccar did', () => {
    for (const one of read().trips.cases) {
      const { config } = one
      const { trips, stops } = traccarTrips(
        one.positions.map((row, index) => ({
          time: Date.parse(row.t),
          speed: row.speedKnots * knot,
          totalDistance: row.totalDistance,
          ignition: one.ignitionOff ? !one.ignitionOff.includes(index) : null,
        })),
        {
          ...config,
          minimalTripDuration: config.minimalTripDurationS * 1_000,
          minimalParkingDuration: config.minimalParkingDurationS * 1_000,
          minimalNoDataDuration: config.minimalNoDataDurationS * 1_000,
        },
      )
      const told = (rows: { start: string; end: string; durationMs: number }[]) =>
        rows.map((row) => ({ startTime: Date.parse(row.start), endTime: Date.parse(row.end), durationMs: row.durationMs }))
      if (one.stops) expect(one.onlyFirstAsserted ? stops.slice(0, 1) : stops, one.test).toEqual(told(one.stops))
      if (!one.trips) continue
      expect(
        trips.map(({ startTime, endTime, durationMs }) => ({ startTime, endTime, durationMs })),
        one.test,
      ).toEqual(told(one.trips))
      for (const [index, trip] of one.trips.entries()) {
        expect(trips[index]?.metres, one.test).toBe(trip.distanceM)
        expect((trips[index]?.averageSpeed ?? 0) / knot, one.test).toBeCloseTo(trip.averageSpeedKnots, 1)
        expect((trips[index]?.maxSpeed ?? 0) / knot, one.test).toBeCloseTo(trip.maxSpeedKnots, 5)
      }
    }
  })

  it('detects motion as the spatial rule does', () => {
    const at = ({ t, eastMetres }: { t: string; eastMetres: number }) => ({
      time: Date.parse(t),
      latitude: 0,
      longitude: eastMetres / 111_320,
    })
    for (const one of read().motionSpatial.cases) {
      const { events, isMoving } = spatialStep({ isMoving: one.moving, buffer: one.buffer.map(at), lastEvent: null }, at(one.current), {
        minDistance: one.minDistance,
        minDuration: one.minDurationMs,
        stopGap: one.stopGapMs,
      })
      expect(
        events.map(({ type }) => type),
        one.test,
      ).toEqual(one.events)
      expect(isMoving, one.test).toBe(one.movingAfter)
      if (one.eventTimes)
        expect(
          events.map(({ time }) => time),
          one.test,
        ).toEqual(one.eventTimes.map((time) => Date.parse(time)))
    }
  })

  it('raises one overspeed at the fix that confirms it', () => {
    const { limitKnots, minimalDurationMs, steps } = read().overspeed
    const settings = { ...defaultSettings, speedLimit: limitKnots * knot, overspeedAfter: minimalDurationMs }
    const points = steps.map(({ t, speed }): Point => ({
      time: Date.parse(`2026-01-01T${t}Z`),
      latitude: 1,
      longitude: 36,
      isValid: true,
      speed: speed * knot,
      accuracy: null,
      ignition: null,
    }))
    for (const [index, step] of steps.entries()) {
      const now = overspeedsOf(points.slice(0, index + 1), settings, points[index]?.time ?? 0)
      const isNews = now.length > overspeedsOf(points.slice(0, index), settings, points[index]?.time ?? 0).length
      expect(isNews, step.t).toBe(step.event)
      if (step.event) expect((now[0]?.confirmedSpeed ?? 0) / knot).toBeCloseTo(step.eventSpeed ?? 0, 5)
      if (now[0]) expect(now[0].isOpen, step.t).toBe(step.state)
    }
  })

  it('counts fuel', () => {
    for (const { first, last, capacityL, spent } of read().fuel.cases) {
      const told = ({ fuel, fuelLevelPct }: { fuel?: number; fuelLevelPct?: number }) => ({
        fuel: fuel ?? null,
        fuelLevel: fuelLevelPct ?? null,
      })
      expect(fuelSpent(told(first), told(last), capacityL ?? null)).toBeCloseTo(spent, 6)
    }
  })
})
