import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowOfShape } from '../../apps/geo/src/fences/row.ts'
import type { FenceShape } from '../../apps/geo/src/fences/shape.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { makeCompany } from './support/devices.ts'

const migration = new URL('../../prisma/migrations/20261206030001_fence_size/migration.sql', import.meta.url)

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())

type Ring = [longitude: number, latitude: number][]
const polygon = (...coordinates: Ring[]): FenceShape => ({ type: 'polygon', area: { type: 'Polygon', coordinates }, radius: null })
const route = (coordinates: Ring, radius: number): FenceShape => ({ type: 'route', area: { type: 'LineString', coordinates }, radius })
const square = (west: number, south: number, side: number): Ring => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const shapes: Readonly<Record<string, FenceShape>> = {
  circle: { type: 'circle', area: { type: 'Point', coordinates: [36.8, -1.3] }, radius: 250 },
  'point of interest': { type: 'poi', area: { type: 'Point', coordinates: [36.8, -1.3] }, radius: 40 },
  area: polygon(square(36.8, -1.3, 0.01)),
  'area the other way round': polygon(square(36.8, -1.3, 0.01).toReversed()),
  'area with two holes': polygon(square(36.8, -1.3, 0.02), square(36.802, -1.298, 0.004), square(36.81, -1.29, 0.003).toReversed()),
  'area across the date line': polygon([
    [179.98, -17],
    [-179.97, -17],
    [-179.97, -16.95],
    [179.98, -16.95],
    [179.98, -17],
  ]),
  'area far in the north': polygon(square(18.9, 69.6, 0.5)),
  corridor: route(
    [
      [36.8, -1.3],
      [36.82, -1.31],
      [36.9, -1.25],
    ],
    75,
  ),
  'corridor across the date line': route(
    [
      [179.9, 10],
      [-179.9, 10.1],
    ],
    200,
  ),
}

test('fences that were there before got the sizes that new ones get', async () => {
  const companyId = await makeCompany(db.admin)
  const client = await db.admin.connect()
  try {
    await client.query('begin')
    await client.query('alter table geo.geofence drop column "squareMetres", drop column "edgeMetres"')
    for (const [name, given] of Object.entries(shapes)) {
      const { type, shape, area, radius } = rowOfShape(given)
      await client.query(
        `insert into geo.geofence ("companyId", "tenantId", "name", "type", "shape", "area", "radius") values ($1, $1, $2, $3, $4, $5, $6)`,
        [companyId, name, type, shape, JSON.stringify(area), radius],
      )
    }
    await client.query(await readFile(migration, 'utf8'))
    const { rows } = await client.query<{ name: string; squareMetres: number; edgeMetres: number }>(
      `select "name", "squareMetres", "edgeMetres" from geo.geofence where "companyId" = $1`,
      [companyId],
    )
    expect(rows).toHaveLength(Object.keys(shapes).length)
    for (const { name, squareMetres, edgeMetres } of rows) {
      const wanted = rowOfShape(shapes[name]!)
      expect([name, squareMetres / wanted.squareMetres]).toEqual([name, expect.closeTo(1, 9)])
      expect([name, edgeMetres / wanted.edgeMetres]).toEqual([name, expect.closeTo(1, 9)])
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
})
