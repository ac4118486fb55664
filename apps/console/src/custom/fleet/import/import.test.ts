import { expect, test } from 'vitest'
import { readDevices } from './read-devices.ts'
import { readFences } from './read-fences.ts'

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
const ring = [
  [36.8, -1.3],
  [36.9, -1.3],
  [36.9, -1.2],
  [36.8, -1.3],
]

test('GeoJSON: points are points of interest, areas fences, lines corridors, and each part stands alone', async () => {
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
