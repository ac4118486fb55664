import { indexFences, fenceDefaults, type Fence } from '../../apps/geo/src/fences/fence-index.ts'
import type { Position } from '../../apps/geo/src/fences/shape.ts'
import type { TrackPoint } from '../../apps/geo/src/fences/track.ts'
import { noFenceState, watchFences } from '../../apps/geo/src/fences/watch.ts'
import { rounded, type Bench } from './support/figure.ts'

const fenceCount = 10_000
const devices = 100
const pointsEach = 1_000

/** Numbers from 0 to 1 that are the same at every run. */
function numbers(): () => number {
  let state = 7
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

/** Fences over the 60 km around Nairobi: half circles, a third polygons of 12 to 60 points, the rest corridors of 20 points. */
function town(next: () => number): Fence[] {
  return Array.from({ length: fenceCount }, (_, id): Fence => {
    const [longitude, latitude] = [36.6 + next() * 0.55, -1.55 + next() * 0.55]
    const common = { id: String(id), since: -1, settings: fenceDefaults }
    if (id % 6 < 3)
      return {
        ...common,
        shape: { type: 'circle', area: { type: 'Point', coordinates: [longitude, latitude] }, radius: 100 + next() * 400 },
      }
    if (id % 6 === 5) {
      const line = Array.from({ length: 20 }, (__, at): Position => [longitude + at * 0.003, latitude + Math.sin(at) * 0.002])
      return { ...common, shape: { type: 'route', area: { type: 'LineString', coordinates: line }, radius: 50 } }
    }
    const [corners, size] = [12 + Math.floor(next() * 48), 0.001 + next() * 0.006]
    const ring = Array.from({ length: corners }, (__, at): Position => [
      longitude + size * Math.cos((2 * Math.PI * at) / corners),
      latitude + size * Math.sin((2 * Math.PI * at) / corners),
    ])
    return { ...common, shape: { type: 'polygon', area: { type: 'Polygon', coordinates: [[...ring, ring[0]!]] }, radius: null } }
  })
}

/** A device that wanders through the town, a place every 10 s. */
function wandering(next: () => number): TrackPoint[] {
  let [longitude, latitude, course] = [36.65 + next() * 0.45, -1.5 + next() * 0.45, next() * 6.28]
  return Array.from({ length: pointsEach }, (_, at) => {
    course += (next() - 0.5) * 0.5 + (latitude > -1 || latitude < -1.55 || longitude < 36.6 || longitude > 37.15 ? Math.PI : 0)
    latitude += Math.cos(course) * 0.0012
    longitude += Math.sin(course) * 0.0012
    return { time: at * 10_000, latitude, longitude, accuracy: 8, hdop: null, speed: 48, isValid: true }
  })
}

/** What one place costs among 10,000 fences of a company, with all states, crossings and transitions. */
export const bench: Bench = {
  name: 'geo-fences',
  leads: 0,
  run: async () => {
    const next = numbers()
    const fences = town(next)
    const start = performance.now()
    const index = indexFences(fences)
    const indexed = performance.now() - start
    const tracks = Array.from({ length: devices }, () => wandering(next))
    const watching = { index, isLinked: () => true }
    const once = () => tracks.reduce((sum, track) => sum + watchFences(watching, noFenceState, track).transitions.length, 0)
    once()
    const begin = performance.now()
    const transitions = once()
    const each = ((performance.now() - begin) * 1000) / (devices * pointsEach)
    return [
      {
        name: `one place among ${fenceCount} fences`,
        value: rounded(each),
        unit: 'µs',
        target: '<= 50',
        detail: `${devices * pointsEach} places, ${transitions} transitions`,
      },
      { name: `index of ${fenceCount} fences`, value: Math.round(indexed), unit: 'ms' },
    ]
  },
}
