import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import { storableAttributes } from '../../apps/geo/src/ingest/validate-fix.ts'
import type { Attributes, Fix } from '../../apps/geo/src/positions/fix.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { createWriter } from '../../apps/geo/src/ingest/write/writer.ts'
import { knownColumns } from '../../apps/geo/src/positions/attributes.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { fixAt, makeDevice } from './support/devices.ts'

const log = createLog({ level: 'silent' })
let db: TestDatabase
let pools: GeoPools
beforeAll(async () => {
  db = await testDatabase()
  pools = createGeoPools({ url: db.url, secret: db.secret, log, patience: 30 })
})
afterAll(async () => {
  await pools.close()
  await db.drop()
})

const rowsOf = async ({ deviceId }: KnownDevice, admin: pg.Pool = db.admin) =>
  (
    await admin.query(
      `select "fixTime", "deviceTime", "latitude", "longitude", "speed", "isValid", "attributes" from geo.position where "deviceId" = $1 order by 1`,
      [deviceId],
    )
  ).rows
const latestOf = async ({ deviceId }: KnownDevice) =>
  (
    await db.admin.query(
      `select "fixTime", "latitude", "longitude", "speed", "isValid", "attributes", "stateTime" from geo.latest where "deviceId" = $1`,
      [deviceId],
    )
  ).rows
const at = Date.UTC(2026, 10, 20, 8)

it('stores every fix once, however often it is sent, and the newest for the map', async () => {
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 5 })
  const device = await makeDevice(db.admin)
  const fixes = Array.from({ length: 300 }, (_, index) =>
    fixAt(at + index * 1_000, { latitude: -1 - index / 1_000, attributes: { sat: index } }),
  )
  const answers = await Promise.all([
    writer.write(device, fixes),
    writer.write(device, fixes.slice(50)),
    ...fixes.slice(0, 20).map((fix) => writer.write(device, [fix])),
  ])
  expect(new Set(answers)).toEqual(new Set(['stored']))
  expect(await rowsOf(device)).toHaveLength(300)
  const {
    rows: [latest],
  } = await db.admin.query(`select "fixTime", "latitude", "attributes", "state" from geo.latest where "deviceId" = $1`, [device.deviceId])
  expect(latest).toMatchObject({ fixTime: new Date(at + 299_000), latitude: -1.299, attributes: { sat: 299 } })
  const {
    rows: [dirty],
  } = await db.admin.query(`select "since", "until" from geo.dirty where "deviceId" = $1`, [device.deviceId])
  expect(dirty).toEqual({ since: new Date(at), until: new Date(at + 299_000) })
  expect(writer.waiting()).toBe(0)
  await writer.close()
})

it('an older batch keeps the newest position and only adds unknown values', async () => {
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  const device = await makeDevice(db.admin)
  await writer.write(device, [fixAt(at + 60_000, { attributes: { ignition: true, alarm: 'sos' } })])
  await writer.write(device, [fixAt(at, { latitude: 5, attributes: { ignition: false, battery: 4 } })])
  await writer.write(device, [{ ...fixAt(at + 90_000, { attributes: { battery: 3.9 } }), latitude: null, longitude: null }])
  const {
    rows: [latest],
  } = await db.admin.query(`select "fixTime", "latitude", "state", "stateTime" from geo.latest where "deviceId" = $1`, [device.deviceId])
  expect(latest).toEqual({
    fixTime: new Date(at + 60_000),
    latitude: -1.28,
    state: { ignition: true, battery: 3.9 },
    stateTime: new Date(at + 90_000),
  })
  await writer.close()
})

it('values that arrive after the position of their time are merged with it', async () => {
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  const device = await makeDevice(db.admin)
  await writer.write(device, [fixAt(at, { attributes: { ignition: true } })])
  await writer.write(device, [{ ...fixAt(at, { attributes: { sat: 0 } }), latitude: null, longitude: null }])
  expect(await latestOf(device)).toMatchObject([{ latitude: -1.28, attributes: { ignition: true, sat: 0 } }])
  await writer.close()
})

it('reads every attribute as it was sent, in a column or not, and merges messages of one time', async () => {
  const value = fc.oneof(
    fc.boolean(),
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(32_767, 32_768, -32_769, 7.5, -0, 1e21, 1e-7),
  )
  const key = fc.oneof(
    fc.constantFrom(...knownColumns.map(({ name }) => name)),
    fc.constantFrom('alarm', '__proto__', 'io239'),
    fc.string(),
  )
  const told = fc.array(fc.tuple(key, value), { maxLength: 30 }).map((pairs) => storableAttributes(Object.fromEntries(pairs)))
  const device = await makeDevice(db.admin)
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
  let time = at
  await fc.assert(
    fc.asyncProperty(told, told, async (first, second) => {
      const moment = (time += 1_000)
      const read = async () =>
        (
          await db.admin.query<{ attributes: object }>(`select "attributes" from geo.position where "deviceId" = $1 and "fixTime" = $2`, [
            device.deviceId,
            new Date(moment),
          ])
        ).rows[0]?.attributes
      const json = (one: Attributes) => JSON.parse(JSON.stringify(one)) as object
      await writer.write(device, [fixAt(moment, { attributes: first })])
      expect(await read()).toEqual(json(first))
      const others = Object.fromEntries(Object.entries(second).filter(([name]) => !Object.hasOwn(first, name)))
      await writer.write(device, [fixAt(moment, { attributes: others })])
      expect(await read()).toEqual(json({ ...first, ...others }))
    }),
    { numRuns: 150 },
  )
  await writer.close()
})

it('gives the same rows in any order, with any batches and repeats', async () => {
  const anyFix: fc.Arbitrary<Fix> = fc
    .record({
      second: fc.integer({ min: 0, max: 4 }),
      place: fc.option(fc.record({ latitude: fc.integer({ min: -3, max: 3 }), longitude: fc.integer({ min: 30, max: 33 }) })),
      isValid: fc.boolean(),
      speed: fc.option(fc.integer({ min: 0, max: 3 })),
      later: fc.integer({ min: 0, max: 2 }),
      attributes: fc.record(
        {
          alarm: fc.constantFrom('sos', 'powerCut', 'sos,tow'),
          ignition: fc.boolean(),
          sat: fc.constantFrom(0, 3, 3.5, 'three'),
          odometer: fc.constantFrom(1, 2.5),
          io9: fc.integer({ min: 0, max: 3 }),
        },
        { requiredKeys: [] },
      ),
    })
    .map(({ second, place, later, ...one }) => ({
      ...fixAt(at + second * 1_000, {}),
      ...one,
      deviceTime: at + (second + later) * 1_000,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
    }))
  const orders = fc
    .array(anyFix, { minLength: 1, maxLength: 12 })
    .chain((fixes) =>
      fc.tuple(
        fc.constant(fixes),
        fc.shuffledSubarray([...fixes, ...fixes], { minLength: fixes.length * 2 }),
        fc.integer({ min: 1, max: 5 }),
      ),
    )
  await fc.assert(
    fc.asyncProperty(orders, async ([fixes, shuffled, size]) => {
      const [first, second] = [await makeDevice(db.admin), await makeDevice(db.admin)]
      const one = createWriter({ pool: pools.ingest, log, lingerMs: 1 })
      await one.write(first, fixes)
      for (let start = 0; start < shuffled.length; start += size) await one.write(second, shuffled.slice(start, start + size))
      await one.close()
      expect(await rowsOf(second)).toEqual(await rowsOf(first))
      expect(await latestOf(second)).toEqual(await latestOf(first))
    }),
    { numRuns: 60 },
  )
})

it('a row that Postgres refuses does not block others', async () => {
  const writer = createWriter({ pool: pools.ingest, log, lingerMs: 20 })
  const [good, gone] = [await makeDevice(db.admin), { ...(await makeDevice(db.admin)), deviceId: randomUUID() }]
  const answers = await Promise.all([
    writer.write(good, [fixAt(at, {})]),
    writer.write(gone, [fixAt(at, {})]),
    writer.write(good, [fixAt(at + 1_000, { latitude: 91 })]),
    writer.write(good, [fixAt(at + 2_000, {})]),
  ])
  expect(answers).toEqual(['stored', 'outdated', 'refused', 'stored'])
  expect(await rowsOf(good)).toHaveLength(2)
  expect(await rowsOf(gone)).toEqual([])
  await writer.close()
})
