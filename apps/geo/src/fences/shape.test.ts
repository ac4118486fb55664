import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { metresBetween } from '@outpost/rules/places/distance'
import { squareMetres } from './area.ts'
import { metresToEdge } from './distance.ts'
import { readShape } from './read-shape.ts'
import { intervalsInside } from './segment.ts'
import { compileShape, type CompiledShape, type FenceShape, type Position } from './shape.ts'
import { readTraccarText, toTraccarText } from './traccar-text.ts'

const beside = ['../../../../../shared/fleet-vectors.json', '../../../../../../shared/fleet-vectors.json'].map(
  (path) => new URL(path, import.meta.url),
)
const vectorsFile = beside.find((file) => existsSync(file))
interface Case {
  wkt: string
  polylineDistance?: number
  contains?: [number, number, boolean][]
  intersectsSegment?: [number, number, number, number, boolean][]
  areaKm2?: number
  areaToleranceKm2?: number
}

function made(area: unknown, radius?: number, type?: string): CompiledShape {
  const { shape, problems } = readShape({ area, radius, type })
  if (!shape) throw new Error(problems.map(({ message }) => message).join())
  return compileShape(shape)
}
const at = (latitude: number, longitude: number) => ({ latitude, longitude })
const isInside = (shape: CompiledShape, latitude: number, longitude: number) => metresToEdge(shape, at(latitude, longitude)) <= 0

describe.skipIf(!vectorsFile)('fence vectors of third parties (skipped where ../shared/fleet-vectors.json is not there)', () => {
  const cases: Case[] = vectorsFile ? JSON.parse(readFileSync(vectorsFile, 'utf8')).geofence.cases : []
  it('are there', () => expect(cases.length).toBeGreaterThanOrEqual(5))
  it.each(cases)('$wkt', ({ wkt, polylineDistance, contains = [], intersectsSegment = [], areaKm2, areaToleranceKm2 }) => {
    const shape = made(wkt, polylineDistance)
    for (const [latitude, longitude, expected] of contains) expect(isInside(shape, latitude, longitude)).toBe(expected)
    for (const [lat1, lon1, lat2, lon2, expected] of intersectsSegment)
      expect(intervalsInside(shape, at(lat1, lon1), at(lat2, lon2)).length > 0).toBe(expected)
    if (areaKm2 !== undefined) expect(Math.abs(squareMetres(shape) / 1e6 - areaKm2)).toBeLessThanOrEqual(areaToleranceKm2!)
  })
})

// A square of about 1.1 km in Nairobi with a hole of 220 m in its middle.
const square: Position[] = [
  [36.82, -1.3],
  [36.83, -1.3],
  [36.83, -1.29],
  [36.82, -1.29],
  [36.82, -1.3],
]
const hole: Position[] = [
  [36.824, -1.296],
  [36.826, -1.296],
  [36.826, -1.294],
  [36.824, -1.294],
  [36.824, -1.296],
]
const ringed = { type: 'Polygon', coordinates: [square, hole] }

describe('distance to the edge', () => {
  it('is in metres, negative inside, positive in a hole and outside', () => {
    const shape = made(ringed)
    expect(metresToEdge(shape, at(-1.295, 36.822))).toBeCloseTo(-222.3, 0)
    expect(metresToEdge(shape, at(-1.295, 36.825))).toBeCloseTo(111.2, 0)
    expect(metresToEdge(shape, at(-1.295, 36.831))).toBeCloseTo(111.2, 0)
    expect(metresToEdge(made({ type: 'Point', coordinates: [36.82, -1.3] }, 100), at(-1.3, 36.82))).toBe(-100)
  })
  it('of a corridor is measured from its line', () => {
    const shape = made(
      {
        type: 'LineString',
        coordinates: [
          [36.8, -1.3],
          [36.9, -1.3],
        ],
      },
      50,
    )
    expect(metresToEdge(shape, at(-1.3, 36.85))).toBeCloseTo(-50, 6)
    expect(metresToEdge(shape, at(-1.301, 36.85))).toBeCloseTo(61.2, 0)
    expect(metresToEdge(shape, at(-1.3, 36.901))).toBeCloseTo(61.2, 0)
  })
  it('is right across Greenwich and the antimeridian, however the longitude is written', () => {
    for (const middle of [0, 180, -180]) {
      const shape = made({
        type: 'Polygon',
        coordinates: [
          [
            [middle - 0.01, 10],
            [middle + 0.01, 10],
            [middle + 0.01, 10.02],
            [middle - 0.01, 10.02],
          ],
        ],
      })
      for (const longitude of [middle, middle - 360, middle + 360, middle + 0.005, middle - 0.005])
        expect(isInside(shape, 10.01, longitude)).toBe(true)
      for (const longitude of [middle + 0.02, middle - 0.02, 90, -90]) expect(isInside(shape, 10.01, longitude)).toBe(false)
    }
  })
  it('of a polygon around a circle of points is the distance to the circle', () => {
    const centre = at(-1.3, 36.8)
    const ring = Array.from({ length: 361 }, (_, degree): Position => [
      36.8 + (0.01 / Math.cos((-1.3 * Math.PI) / 180)) * Math.cos((degree * Math.PI) / 180),
      -1.3 + 0.01 * Math.sin((degree * Math.PI) / 180),
    ])
    const shape = made({ type: 'Polygon', coordinates: [ring] })
    fc.assert(
      fc.property(fc.double({ min: -0.02, max: 0.02, noNaN: true }), fc.double({ min: -0.02, max: 0.02, noNaN: true }), (north, east) => {
        const place = at(-1.3 + north, 36.8 + east)
        expect(Math.abs(metresToEdge(shape, place) - (metresBetween(centre, place) - 1111.95))).toBeLessThan(1)
      }),
    )
  })
})

describe('the path through a fence', () => {
  const near = fc.record({
    latitude: fc.double({ min: -1.305, max: -1.285, noNaN: true }),
    longitude: fc.double({ min: 36.815, max: 36.835, noNaN: true }),
  })
  const shapes: [string, CompiledShape][] = [
    ['polygon with a hole', made(ringed)],
    ['circle', made({ type: 'Point', coordinates: [36.825, -1.295] }, 400)],
    [
      'corridor',
      made(
        {
          type: 'LineString',
          coordinates: [
            [36.82, -1.3],
            [36.825, -1.29],
            [36.83, -1.3],
          ],
        },
        120,
      ),
    ],
  ]
  it.each(shapes)('is inside exactly where its places are (%s)', (_, shape) => {
    fc.assert(
      fc.property(near, near, (from, to) => {
        const stretches = intervalsInside(shape, from, to)
        for (let share = 0; share <= 1; share += 0.05) {
          const edge = metresToEdge(
            shape,
            at(from.latitude + share * (to.latitude - from.latitude), from.longitude + share * (to.longitude - from.longitude)),
          )
          if (Math.abs(edge) < 0.5) continue
          expect(stretches.some(([begin, end]) => begin <= share && share <= end)).toBe(edge < 0)
        }
      }),
    )
  })
  it('crosses the antimeridian the short way', () => {
    const shape = made({ type: 'Point', coordinates: [180, 10] }, 500)
    const [stretch] = intervalsInside(shape, at(10, 179.98), at(10, -179.98))
    expect(stretch![0]).toBeCloseTo(0.5 - 500 / 4380, 2)
    expect(stretch![1]).toBeCloseTo(0.5 + 500 / 4380, 2)
    expect(intervalsInside(shape, at(10, 170), at(10, 160))).toEqual([])
  })
})

describe('reading a shape', () => {
  const problem = (input: Parameters<typeof readShape>[0]) =>
    readShape(input)
      .problems?.map(({ field, message }) => `${field}: ${message}`)
      .join('; ')
  it.each([
    [
      'area: Point 2 of the outline has latitude 136.9, which is not between -90 and 90 (longitude comes first)',
      {
        area: {
          type: 'Polygon',
          coordinates: [
            [
              [36, -1],
              [-1.3, 136.9],
              [36, -2],
            ],
          ],
        },
      },
    ],
    [
      'area: The point has latitude 99, which is not between -90 and 90 (longitude comes first)',
      { area: { type: 'Point', coordinates: [-1, 99] } },
    ],
    [
      'area: The outline crosses itself between its points 1 and 2 (with the line from point 3 to 4)',
      {
        area: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [2, 2],
              [2, 0],
              [0, 2],
              [0, 0],
            ],
          ],
        },
      },
    ],
    [
      'area: The outline has fewer than three different points',
      {
        area: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [2, 2],
              [0, 0],
            ],
          ],
        },
      },
    ],
    [
      'area: Hole 1 lies outside the outline',
      {
        area: {
          type: 'Polygon',
          coordinates: [
            square,
            [
              [1, 1],
              [2, 1],
              [2, 2],
            ],
          ],
        },
      },
    ],
    [
      'area: Hole 1 crosses the outline between points 2 and 3',
      {
        area: {
          type: 'Polygon',
          coordinates: [
            square,
            [
              [36.825, -1.295],
              [36.826, -1.293],
              [36.827, -1.285],
              [36.822, -1.285],
            ],
          ],
        },
      },
    ],
    [
      'area: Hole 2 lies within hole 1',
      {
        area: {
          type: 'Polygon',
          coordinates: [
            square,
            hole,
            [
              [36.8245, -1.2955],
              [36.8255, -1.2955],
              [36.8255, -1.2945],
            ],
          ],
        },
      },
    ],
    [
      'area: A route has at least two different points',
      {
        area: {
          type: 'LineString',
          coordinates: [
            [1, 1],
            [1, 1],
          ],
        },
      },
    ],
    [
      'area: A fence of type poi has a Point as its area, not a LineString',
      {
        type: 'poi',
        area: {
          type: 'LineString',
          coordinates: [
            [1, 1],
            [2, 1],
          ],
        },
      },
    ],
    ['radius: The radius of a circle is between 1 and 500,000 metres', { area: { type: 'Point', coordinates: [1, 1] }, radius: 0 }],
    ['radius: The radius of a circle is between 1 and 500,000 metres', { area: { type: 'Point', coordinates: [1, 1] }, radius: 'far' }],
    ['type: The type of a fence is circle, polygon, route or poi', { type: 'constructor', area: { type: 'Point', coordinates: [1, 1] } }],
    ['area: Give the area as GeoJSON (Point, LineString or Polygon) or as CIRCLE, POLYGON or LINESTRING text', { area: null }],
    ['area: Point 2 is no place on earth (latitude comes first here)', { area: 'LINESTRING (1 1, 120 1)' }],
    [
      'area: Write the area as CIRCLE (lat lon, metres), POLYGON ((lat lon, lat lon, ...)) or LINESTRING (lat lon, lat lon, ...)',
      { area: 'CIRCLE (1, 2, 3)' },
    ],
  ])('%s', (expected, input) => expect(problem(input)).toBe(expected))

  it('accepts 10,000 points and no more', () => {
    const ring = (count: number) =>
      Array.from({ length: count }, (_, point) => [Math.cos((2 * Math.PI * point) / count), Math.sin((2 * Math.PI * point) / count)])
    expect(problem({ area: { type: 'Polygon', coordinates: [ring(9_999)] } })).toBeUndefined()
    expect(problem({ area: { type: 'Polygon', coordinates: [ring(10_000)] } })).toBe(
      'area: The area has 10,001 points; a fence may have 10,000',
    )
  })
  it('closes rings, drops repeated points, and derives the type from the area', () => {
    const { shape } = readShape({
      type: 'geofence',
      area: {
        type: 'Feature',
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [0, 0],
              [1, 0],
              [1, 1, 250],
            ],
          ],
        },
      },
    })
    expect(shape).toEqual({
      type: 'polygon',
      area: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
      radius: null,
    })
    expect(readShape({ type: 'poi', area: { type: 'Point', coordinates: [1, 1] } }).shape?.radius).toBe(100)
  })
  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (type, area, radius) => {
        readShape({ type, area, radius: typeof radius === 'object' ? null : radius })
      }),
    )
    fc.assert(
      fc.property(fc.constantFrom('Point', 'LineString', 'Polygon', 'Feature'), fc.jsonValue(), (type, coordinates) => {
        readShape({ area: { type, coordinates } })
      }),
    )
  })
})

describe("Traccar's text", () => {
  it('survives a round trip, latitude first', () => {
    for (const text of [
      'CIRCLE (-1.3 36.8, 250)',
      'LINESTRING (-1.3 36.8, -1.31 36.9)',
      'POLYGON ((-1.3 36.8, -1.3 36.9, -1.2 36.9, -1.3 36.8))',
    ]) {
      expect(toTraccarText(readShape({ area: text }).shape!).text).toBe(text)
    }
  })
  it('accepts exponents and odd spaces, and names what it cannot express', () => {
    expect(readTraccarText('circle( -1.5e0  36 ,1E2 )')).toEqual({ geometry: { type: 'Point', coordinates: [36, -1.5] }, radius: 100 })
    expect(readTraccarText('POLYGON ((0 0, x 1, 1 1))')).toEqual({ message: 'Point 2 is not a latitude and a longitude parted by a space' })
    const shape: FenceShape = readShape({ area: ringed }).shape!
    expect(toTraccarText(shape).lost).toBe('1 hole(s)')
    expect(toTraccarText(readShape({ area: 'LINESTRING (0 0, 1 1)', radius: 40 }).shape!).attributes).toEqual({ polylineDistance: 40 })
  })
})
