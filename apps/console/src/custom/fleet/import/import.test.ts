import { expect, test } from 'vitest'
import { readDevices } from './read-devices.ts'
import { readFences } from './read-fences.ts'
import { toGeoJson, toKml, toTraccarText } from './write-fences.ts'
import type { Fence, Position } from '../fence/fences.ts'

test('devices are read by the headings that people write, whatever parts them', () => {
  expect(readDevices('Name;IMEI;SIM number\nVan 1;356307042441013;0722 000000\n\nVan 2;;\n')).toEqual([
    { at: 2, values: { name: 'Van 1', uniqueId: '356307042441013', phone: '0722 000000' } },
    { at: 3, values: { name: 'Van 2' } },
  ])
  expect(() => readDevices('Name,Colour\nVan,red')).toThrow('Headings that mean nothing here: Colour')
  expect(() => readDevices('Name,Model\nVan,FMB')).toThrow('The heading IMEI is missing')
  expect(() => readDevices('Name,IMEI\nVan')).toThrow(/^Row 2: /)
  expect(() => readDevices('constructor,IMEI\nVan,1')).toThrow('constructor')
})

const place = { type: 'Point', coordinates: [36.8, -1.3, 1_700] }
const ring: Position[] = [
  [36.8, -1.3],
  [36.9, -1.3],
  [36.9, -1.2],
  [36.8, -1.3],
]

test('GeoJSON: points are points of interest, areas fences, lines corridors, and each part is read by itself', async () => {
  const file = {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { name: 'Gate', description: 'North' }, geometry: place },
      { type: 'Feature', properties: { name: 'Yards' }, geometry: { type: 'MultiPolygon', coordinates: [[ring], [ring]] } },
      { type: 'Feature', properties: null, geometry: { type: 'LineString', coordinates: ring } },
      { type: 'Feature', properties: null, geometry: null },
    ],
  }
  expect(await readFences('city.geojson', JSON.stringify(file))).toEqual([
    { at: 1, values: { name: 'Gate', area: { type: 'Point', coordinates: [36.8, -1.3] }, type: 'poi', radius: 100, description: 'North' } },
    { at: 2, values: { name: 'Yards (1)', area: { type: 'Polygon', coordinates: [ring] }, type: 'geofence' } },
    { at: 2, values: { name: 'Yards (2)', area: { type: 'Polygon', coordinates: [ring] }, type: 'geofence' } },
    { at: 3, values: { name: 'city 3', area: { type: 'LineString', coordinates: ring }, type: 'geofence', radius: 100 } },
  ])
  await expect(readFences('x.json', '{"type":"FeatureCollection","features":[]}')).rejects.toThrow('holds no areas')
  await expect(readFences('x.json', '{"a":')).rejects.toThrow('no GeoJSON')
})

test('Traccar’s text: a fence a line, with its name before it', async () => {
  expect(await readFences('x.txt', 'Yard; CIRCLE (-1.3 36.8, 200)\n\nLINESTRING (-1.3 36.8, -1.2 36.9)\n')).toEqual([
    { at: 1, values: { name: 'Yard', area: 'CIRCLE (-1.3 36.8, 200)' } },
    { at: 3, values: { name: 'Fence 3', area: 'LINESTRING (-1.3 36.8, -1.2 36.9)', radius: 100 } },
  ])
  await expect(readFences('x.txt', 'Yard')).rejects.toThrow('Line 1 is no fence')
})

test('what is exported as GeoJSON or Traccar’s text is imported the same, with its holes', async () => {
  const hole: Position[] = [
    [36.86, -1.27],
    [36.88, -1.27],
    [36.88, -1.25],
    [36.86, -1.27],
  ]
  const fence = { id: '1', description: null, radius: null, speedLimit: null, type: 'geofence' } as const
  const fences: Fence[] = [
    { ...fence, name: 'Yard; north', shape: 'polygon', area: { type: 'Polygon', coordinates: [ring, hole] }, speedLimit: 20 },
    { ...fence, name: 'Gate', type: 'poi', shape: 'circle', area: { type: 'Point', coordinates: [36.8, -1.3] }, radius: 80 },
    { ...fence, name: 'Post', shape: 'circle', area: { type: 'Point', coordinates: [36.8, -1.3] }, radius: 250 },
    { ...fence, name: 'Road', shape: 'route', area: { type: 'LineString', coordinates: ring }, radius: 40 },
  ]
  const read = await readFences('fences.geojson', toGeoJson(fences))
  expect(read.map(({ values }) => values)).toEqual([
    { name: 'Yard; north', area: fences[0]!.area, type: 'geofence', speedLimit: 20 },
    { name: 'Gate', area: fences[1]!.area, type: 'poi', radius: 80 },
    { name: 'Post', area: fences[2]!.area, type: 'geofence', radius: 250 },
    { name: 'Road', area: fences[3]!.area, type: 'geofence', radius: 40 },
  ])
  const [yard, gate, , road] = await readFences('fences.txt', toTraccarText(fences))
  expect(yard?.values.name).toBe('Yard, north')
  expect(yard?.values.area).toMatch(/^POLYGON \(\(-1\.3 36\.8, .*\), \(-1\.27 36\.86, .*\)\)$/)
  expect(gate?.values.area).toBe('CIRCLE (-1.3 36.8, 80)')
  expect(road?.values).toMatchObject({ name: 'Road', radius: 100 })
  const kml = toKml([{ ...fences[0]!, name: 'A & B' }])
  expect(kml).toContain('<name>A &amp; B</name>')
  expect(kml.match(/<innerBoundaryIs>/g)).toHaveLength(1)
})
