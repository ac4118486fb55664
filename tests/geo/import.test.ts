import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGeoWorld, newIdentity, square, type GeoWorld } from './support/api-world.ts'

interface Outcome {
  dryRun: boolean
  made: number
  refused: number
  rows: { row: number; name: string; problems: { field: string; message: string }[] }[]
}

let world: GeoWorld
beforeAll(async () => {
  world = await makeGeoWorld()
})
afterAll(() => world.stack.close())

const send = (kind: 'devices' | 'geofences', rows: object[], dryRun: boolean, who = world.admin) =>
  who.post<Outcome>(`/geo/${kind}/import`, { dryRun, rows })
const count = async (kind: 'devices' | 'geofences', who = world.admin) => (await who.get(`/geo/${kind}`)).body.meta?.total as number
const audited = async () =>
  (
    await world.sent(`select count(*)::int as count from audit_log where "companyId" = $1 and "action" = 'geo.geoDevice.create'`, [
      world.company.id,
    ])
  ).rows[0].count as number

test('a dry run says what would become of each row and leaves nothing behind', async () => {
  const taken = newIdentity()
  await world.makeDevice(world.admin, { uniqueId: taken })
  const twice = newIdentity()
  const [before, audits] = [await count('devices'), await audited()]
  const rows = [
    { name: 'One', uniqueId: newIdentity(), model: 'FMB920' },
    { name: 'Taken', uniqueId: taken },
    { name: 'Twice', uniqueId: twice },
    { name: 'Twice again', uniqueId: twice },
    { name: '', uniqueId: 'not an identifier' },
    { name: 'Odd', uniqueId: newIdentity(), colour: 'red' },
    { name: 'Key', uniqueId: newIdentity(), token: 'a secret of sixteen' },
    { name: 'Afar', uniqueId: newIdentity(), tenantId: world.stranger.id },
  ]
  const { status, body } = await send('devices', rows, true)
  expect(status).toBe(200)
  expect(body.data.rows.map(({ problems }) => problems.map(({ field }) => field))).toEqual([
    [],
    ['uniqueId'],
    [],
    ['uniqueId'],
    ['uniqueId', 'name'],
    ['colour'],
    ['token'],
    ['tenantId'],
  ])
  expect(body.data).toMatchObject({ dryRun: true, made: 2, refused: 6 })
  expect([await count('devices'), await audited()]).toEqual([before, audits])
  // With a refused row, the commit is taken back whole, and says so.
  expect((await send('devices', rows, false)).body.data).toMatchObject({ dryRun: true, made: 2, refused: 6 })
  expect([await count('devices'), await audited()]).toEqual([before, audits])
})

test('good rows are made together, each audited; the same file again is refused row by row', async () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({ name: `Van ${index}`, uniqueId: newIdentity() }))
  const [before, audits] = [await count('devices'), await audited()]
  expect((await send('devices', rows, false)).body.data).toMatchObject({ dryRun: false, made: 40, refused: 0 })
  expect([await count('devices'), await audited()]).toEqual([before + 40, audits + 40])
  expect((await send('devices', rows, false)).body.data).toMatchObject({ made: 0, refused: 40 })
  expect(await count('devices', world.foreign)).toBe(0)
})

test('the same file five times at once is made once', async () => {
  const before = await count('devices')
  const rows = [
    { name: 'A', uniqueId: newIdentity() },
    { name: 'B', uniqueId: newIdentity() },
  ]
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('devices', rows, false)))
  expect(answers.map(({ body }) => body.data.made).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 2])
  expect(await count('devices')).toBe(before + 2)
})

test('fences come as GeoJSON and as Traccar’s text; a wrong outline is named', async () => {
  const before = await count('geofences')
  const rows = [
    { name: 'Square', area: square },
    { name: 'Yard', area: 'CIRCLE (-1.3 36.8, 200)' },
    { name: 'Gate', type: 'poi', area: { type: 'Point', coordinates: [36.8, -1.3] }, radius: 100 },
  ]
  const wrong = await send('geofences', [...rows, { name: 'Nowhere', area: 'CIRCLE (-1.3)' }], true)
  expect(wrong.body.data.rows[3]).toMatchObject({ row: 4, name: 'Nowhere', problems: [{ field: 'area' }] })
  expect((await send('geofences', rows, false)).body.data).toMatchObject({ made: 3, refused: 0 })
  expect(await count('geofences')).toBe(before + 3)
})

test('who may not add is refused, and so are no rows and too many', async () => {
  expect((await send('devices', [{ name: 'X', uniqueId: newIdentity() }], true, world.viewer)).status).toBe(403)
  expect((await send('devices', [], true)).status).toBe(422)
  expect(
    (
      await send(
        'devices',
        Array.from({ length: 501 }, () => ({})),
        true,
      )
    ).status,
  ).toBe(422)
})
