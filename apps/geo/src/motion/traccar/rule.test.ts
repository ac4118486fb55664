import { expect, it } from 'vitest'
import { traccarDistances, traccarTrips, type TraccarPoint } from './rule.ts'
import { spatialSpans, spatialStep } from './spatial.ts'

const minute = 60_000
/** One point a minute: km/h of each; 1 km more for each minute that moves. */
const points = (speeds: readonly number[]): TraccarPoint[] => {
  let totalDistance = 0
  return speeds.map((speed, index) => ({ time: index * minute, speed, totalDistance: (totalDistance += speed > 0 ? 1_000 : 0) }))
}
const at = (eastMetres: number, time: number) => ({ latitude: 0, longitude: eastMetres / 111_195, time: time * minute })

it('a trip begins where motion began and ends where parking began, once each has lasted', () => {
  const { trips, stops } = traccarTrips(points([0, 0, 0, 0, 0, 0, 60, 60, 60, 0, 60, 60, 0, 0, 0, 0, 0, 0, 0]))
  expect(trips).toEqual([
    { startTime: 6 * minute, endTime: 12 * minute, durationMs: 6 * minute, metres: 4_000, averageSpeed: 40, maxSpeed: 60 },
  ])
  expect(stops.map(({ startTime, endTime }) => [startTime / minute, endTime / minute])).toEqual([
    [0, 6],
    [12, 18],
  ])
})

it('silence ends a trip at the last point; ignition off ends it at once where configured', () => {
  const silent = points([60, 60, 60, 60]).map((point, index) => (index === 3 ? { ...point, time: 90 * minute } : point))
  expect(traccarTrips(silent).trips.map(({ endTime }) => endTime / minute)).toEqual([2])
  const off = points([60, 60, 60, 0, 0]).map((point, index) => ({ ...point, ignition: index < 3 }))
  const settings = {
    minimalTripDistance: 500,
    minimalTripDuration: 5 * minute,
    minimalParkingDuration: 5 * minute,
    minimalNoDataDuration: 60 * minute,
    useIgnition: true,
  }
  expect(traccarTrips(off, settings).trips.map(({ endTime }) => endTime / minute)).toEqual([3])
  expect(traccarTrips(off, { ...settings, useIgnition: false }).trips.map(({ endTime }) => endTime / minute)).toEqual([4])
  expect(traccarTrips([])).toEqual({ trips: [], stops: [] })
})

it('its metres are of a larger earth: 0.112 % more than ours', () => {
  expect(traccarDistances([at(0, 0), at(1_000, 1), at(3_000, 2)]).map((metres) => Math.round(metres * 100) / 100)).toEqual([
    0, 1_001.12, 3_003.36,
  ])
})

it('its spatial rule goes back to where the driving began, and stops when all buffered positions are near', () => {
  const settings = { minDistance: 200, minDuration: 3 * minute, stopGap: 60 * minute }
  const buffer = [at(0, 0), at(0, 1), at(0, 2), at(90, 3)]
  expect(spatialStep({ isMoving: false, buffer, lastEvent: null }, at(250, 4), settings)).toEqual({
    isMoving: true,
    events: [{ type: 'deviceMoving', time: 2 * minute }],
  })
  expect(spatialStep({ isMoving: true, buffer, lastEvent: null }, at(90, 4), settings)).toEqual({
    isMoving: false,
    events: [{ type: 'deviceStopped', time: 4 * minute }],
  })
  expect(
    spatialStep({ isMoving: true, buffer: [at(0, 0)], lastEvent: null }, at(30_000, 120), settings).events.map(({ type }) => type),
  ).toEqual(['deviceStopped', 'deviceMoving', 'deviceStopped'])
  expect(spatialStep({ isMoving: false, buffer: [], lastEvent: null }, at(0, 0), settings)).toEqual({ isMoving: false, events: [] })
})

it('its spatial rule never reports a start before the last reported stop', () => {
  // Facts of NewMotionProcessorTest.testEventsAreChronological (Traccar, Apache-2.0): east metres, a minute apart.
  const places = [0, 0, 0, 100, 220, 0, 60, 320].map((east, index) => at(east, index))
  const told = points([0, 0, 0, 60, 60, 60, 60, 60])
  const settings = { spatial: { minDistance: 200, minDuration: 3 * minute, stopGap: 60 * minute }, counting: { ignoreOdometer: true } }
  const { trips, stops } = spatialSpans(told, places, settings)
  expect(
    [...stops, ...trips].map(({ startTime, endTime }) => [startTime / minute, endTime / minute]).toSorted((a, b) => a[0]! - b[0]!),
  ).toEqual([
    [0, 2],
    [2, 6],
    [6, 7],
  ])
  expect(spatialStep({ isMoving: false, buffer: places.slice(4, 7), lastEvent: places[6]! }, places[7]!, settings.spatial).events).toEqual([
    { type: 'deviceMoving', time: 7 * minute },
  ])
})
