import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexPoints, shortCount } from './clusters.ts'
import { bearing, distanceText, lengthOf } from './distance.ts'
import { between, lineName, stepAt } from './ground/graticule-lines.ts'
import { chooseNames } from './ground/name-boxes.ts'
import { idsInside } from './inside.ts'
import { labelsThatFit } from './ground/labels.ts'
import type { MapPoint } from './shapes.ts'
import { boundsOf, hasPlace, parseViewport, viewportText } from './viewport.ts'

const point = (id: string, lat: number, lng: number, more: Partial<MapPoint> = {}): MapPoint => ({ id, lat, lng, label: id, ...more })
const world = { west: -180, south: -85, east: 180, north: 85 }

describe('a viewport in the address', () => {
  it('survives a round trip', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9_000_000, max: 9_000_000 }),
        fc.integer({ min: -18_000_000, max: 18_000_000 }),
        fc.integer({ min: 0, max: 19 }),
        (lat, lng, zoom) => {
          const viewport = { lat: lat / 1e5, lng: lng / 1e5, zoom }
          expect(parseViewport(viewportText(viewport))).toEqual({
            lat: Number(viewport.lat.toFixed(5)),
            lng: Number(viewport.lng.toFixed(5)),
            zoom,
          })
        },
      ),
    )
  })
  it('is undefined when it is invalid', () => {
    for (const text of [undefined, 7, '', '1,2', '91,0,3', '0,181,3', '1,2,3.5', '1,2,20', 'a,b,c', '1,2,3,4'])
      expect(parseViewport(text)).toBeUndefined()
  })
})

describe('points', () => {
  it('without a position are left out', () => {
    expect(
      [
        { lat: 0, lng: 0 },
        { lat: null, lng: 3 },
        { lat: 91, lng: 3 },
        { lat: '1', lng: 2 },
      ].filter(hasPlace),
    ).toEqual([])
    expect(hasPlace({ lat: -1.29, lng: 36.8 })).toBe(true)
  })
  it('are each counted exactly once in the clusters of the world', () => {
    const places = fc.array(fc.tuple(fc.integer({ min: -800, max: 800 }), fc.integer({ min: -1700, max: 1700 })), { maxLength: 60 })
    fc.assert(
      fc.property(places, fc.integer({ min: 0, max: 20 }), (pairs, zoom) => {
        const points = pairs.map(([lat, lng], index) => point(String(index), lat / 10, lng / 10, index % 7 === 0 ? { number: index } : {}))
        const index = indexPoints(points, true)
        const ids = index
          .marksIn(world, zoom)
          .flatMap((mark) => (mark.kind === 'cluster' ? index.members(mark).map(({ id }) => id) : [mark.point.id]))
        expect(ids.toSorted()).toEqual(points.map(({ id }) => id).toSorted())
      }),
    )
  })
  it('of one tone colour their cluster; numbered stops never cluster', () => {
    const marks = indexPoints(
      [point('a', 1, 1, { tone: 'bad' }), point('b', 1, 1, { tone: 'bad' }), point('stop', 1, 1, { number: 1 })],
      true,
    ).marksIn(world, 5)
    expect(marks.map((mark) => (mark.kind === 'cluster' ? `${mark.count} ${mark.tone}` : mark.point.id)).toSorted()).toEqual([
      '2 bad',
      'stop',
    ])
  })
  it('at one place never separate', () => {
    const index = indexPoints([point('a', 1, 1), point('b', 1, 1)], true)
    const [mark] = index.marksIn(world, 19)
    expect(mark?.kind === 'cluster' && index.splitZoom(mark)).toBe(20)
  })
  it('separate at the zoom that their cluster names, and not before', () => {
    const index = indexPoints([point('a', 1, 1), point('b', 1, 1.01), point('c', 1, 1.01)], true)
    const [mark] = index.marksIn(world, 5)
    if (mark?.kind !== 'cluster') throw new Error('they are one cluster')
    const zoom = index.splitZoom(mark)
    expect([index.marksIn(world, zoom - 1).length, index.marksIn(world, zoom).length]).toEqual([1, 2])
  })
  it('have a short count', () => expect([7, 999, 1000, 1250, 23_400].map(shortCount)).toEqual(['7', '999', '1k', '1.3k', '23k']))
  it('have bounds', () => {
    expect(boundsOf([])).toBeUndefined()
    expect(boundsOf([point('a', 1, 2), point('b', -3, 40)])).toEqual({ west: 2, south: -3, east: 40, north: 1 })
  })
})

describe('drawing around', () => {
  const points = [point('in', 1, 1), point('out', 5, 5), point('hollow', 1.9, 1)]
  it('selects the points inside', () =>
    expect(
      idsInside(points, [
        { lat: 0, lng: 0 },
        { lat: 0, lng: 2 },
        { lat: 2, lng: 2 },
        { lat: 1.5, lng: 1 },
        { lat: 2, lng: 0 },
      ]),
    ).toEqual(['in']))
  it('selects nothing with fewer than three corners', () =>
    expect(
      idsInside(points, [
        { lat: 0, lng: 0 },
        { lat: 2, lng: 2 },
      ]),
    ).toEqual([]))
})

describe('labels', () => {
  const placed = (key: string, x: number, y: number, isPoint = true) => ({ key, x, y, isPoint })
  it('are placed where they cover nothing', () => {
    expect([...labelsThatFit([placed('a', 0, 0), placed('b', 400, 0), placed('c', 0, 40)])]).toEqual(['a', 'b', 'c'])
    expect([...labelsThatFit([placed('a', 0, 0), placed('cluster', 80, 5, false)])]).toEqual([])
    expect([...labelsThatFit([placed('a', 0, 0), placed('b', 30, 10)])]).toEqual(['b'])
  })
})

describe('lines and lengths', () => {
  it('are labelled with as many digits as the step needs', () => {
    expect([lineName(-1.2, 0.2, 'lat'), lineName(36.85, 0.05, 'lng'), lineName(0, 10, 'lat'), lineName(-20, 10, 'lng')]).toEqual([
      '1.2° S',
      '36.85° E',
      '0°',
      '20° W',
    ])
  })
  it('are 110 to 275 pixels apart', () => {
    for (let zoom = 2; zoom <= 18; zoom += 1) {
      const pixels = (stepAt(zoom) * 256 * 2 ** zoom) / 360
      expect(pixels).toBeGreaterThanOrEqual(zoom === 2 ? 85 : 110)
      expect(pixels).toBeLessThanOrEqual(285)
    }
  })
  it('between two edges', () => expect(between(-0.25, 0.4, 0.2)).toEqual([-0.2, 0, 0.2]))
  it('have their length as text', () => {
    expect([lengthOf([]), lengthOf([point('a', 0, 0)])]).toEqual([0, 0])
    expect(distanceText(lengthOf([point('a', 0, 0), point('b', 0, 1), point('c', 0, 0)]))).toBe('222 km')
    expect([distanceText(640.4), distanceText(3210)]).toEqual(['640 m', '3.2 km'])
    const from = { lat: -1, lng: 36 }
    expect(
      [
        [0, 36],
        [-1, 37],
        [-2, 36],
        [-1, 35],
      ].map(([lat = 0, lng = 0]) => Math.round(bearing(from, { lat, lng }))),
    ).toEqual([0, 90, 180, 270])
    expect(Math.round(bearing({ lat: 0, lng: 179 }, { lat: 0, lng: -179 }))).toBe(90)
  })
})

describe('chooseNames', () => {
  const at = (name: string, left: number, top = 0) => ({ name, left, top, isCountry: false })
  it('keeps the important names, and others where there is room', () => {
    expect(chooseNames([at('Nairobi', 0), at('Kiambu', 20), at('Thika', 90), at('Ruiru', 20, 30)]).map(({ name }) => name)).toEqual([
      'Nairobi',
      'Thika',
      'Ruiru',
    ])
  })
})
