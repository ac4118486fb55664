import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import { deleteExpired } from '../../apps/geo/src/positions/housekeeping.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { fixAt, makeCompany, makeDevice } from './support/devices.ts'
import { eventsOf, fixesOf, storedRows, takeIn } from './support/process.ts'
import { openIngestServices } from './support/ingest-services.ts'

/** Positions go when their company wishes, what was made of them later, and nobody else's with them. */
let db: TestDatabase
let pools: GeoPools
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>
const log = createLog({ level: 'silent' })
const day = 86_400_000
const now = Date.now()

beforeAll(async () => {
  db = await testDatabase()
  pools = createGeoPools({ url: db.url, secret: db.secret, log, patience: 30 })
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(db))
  await db.admin.query(`select geo.ensure_partitions(now() - interval '60 weeks', now())`)
})
afterAll(async () => {
  await closeIngestServices()
  await pools.close()
  await db.drop()
})

const forget = (keepDays: number) => deleteExpired({ pools, log, keepDays })
const ages = [0, 3, 20, 29, 31, 45, 100, 200, 380]
/** A device of a company of its own with positions of all ages, in days. */
async function deviceOf(setting: { keepDays: number | null; keepTripDays?: number | null } | null): Promise<KnownDevice> {
  const companyId = await makeCompany(db.admin)
  if (setting)
    await db.admin.query('insert into geo.company_setting ("companyId", "keepDays", "keepTripDays") values ($1, $2, $3)', [
      companyId,
      setting.keepDays,
      setting.keepTripDays ?? null,
    ])
  const device = await makeDevice(db.admin, { companyId })
  await ingestServices.writer.write(
    device,
    ages.map((age) => fixAt(now - age * day - 60_000, {})),
  )
  return device
}
const kept = async ({ deviceId }: KnownDevice) =>
  (
    await db.admin.query<{ fixTime: Date }>('select "fixTime" from geo.position where "deviceId" = $1 order by 1 desc', [deviceId])
  ).rows.map(({ fixTime }) => Math.floor((now - fixTime.getTime()) / day))
const weeks = async () =>
  Number((await db.admin.query(`select count(*) from pg_inherits where inhparent = 'geo.position'::regclass`)).rows[0].count)

it('each company’s retention applies; weeks that nobody needs any more are dropped as a whole', async () => {
  const [usual, short, longer, forEver] = [
    await deviceOf(null),
    await deviceOf({ keepDays: 30 }),
    await deviceOf({ keepDays: 250 }),
    await deviceOf({ keepDays: 0 }),
  ]
  const before = await weeks()
  await forget(150)
  expect([await kept(usual), await kept(short), await kept(longer), await kept(forEver)]).toEqual([
    ages.filter((age) => age < 150),
    ages.filter((age) => age < 30),
    ages.filter((age) => age < 250),
    ages,
  ])
  expect(await weeks()).toBe(before)
  await db.admin.query('update geo.company_setting set "keepDays" = 40 where "companyId" = $1', [forEver.companyId])
  await forget(150)
  // 250 days are the longest wish now: about fifteen weeks before them are gone.
  expect(before - (await weeks())).toBeGreaterThan(10)
  expect([await kept(usual), await kept(longer), await kept(forEver)]).toEqual([
    ages.filter((age) => age < 150),
    ages.filter((age) => age < 250),
    ages.filter((age) => age < 40),
  ])
  // Nothing of it is done twice, and an installation that keeps all keeps all.
  await forget(0)
  expect(await kept(usual)).toEqual(ages.filter((age) => age < 150))
})

it('trips, visits and events have their own, longer retention; open ones stay', async () => {
  const [chosen, silent] = [await deviceOf({ keepDays: 10, keepTripDays: 100 }), await deviceOf({ keepDays: 10 })]
  for (const { companyId, deviceId } of [chosen, silent]) {
    const {
      rows: [fence],
    } = await db.admin.query<{ id: string }>(
      `insert into geo.geofence ("companyId", "tenantId", "shape", "name", "area") values ($1, $1, 'circle', 'Depot', '{}') returning "id"`,
      [companyId],
    )
    for (const [from, to] of [
      [150, 149],
      [101, 99],
      [50, 49],
      [200, null],
    ] as const) {
      const values = [companyId, deviceId, new Date(now - from * day), to === null ? null : new Date(now - to * day)]
      await db.admin.query(
        `insert into geo.trip ("companyId", "deviceId", "startTime", "endTime", "startLatitude", "startLongitude") values ($1, $2, $3, $4, 0, 0)`,
        values,
      )
      await db.admin.query(
        `insert into geo.stop ("companyId", "deviceId", "startTime", "endTime", "kind", "latitude", "longitude") values ($1, $2, $3, $4, 'parked', 0, 0)`,
        values,
      )
      await db.admin.query(
        `insert into geo.engine_session ("companyId", "deviceId", "startTime", "endTime", "source") values ($1, $2, $3, $4, 'ignition')`,
        values,
      )
      await db.admin.query(
        `insert into geo.episode ("companyId", "deviceId", "startTime", "endTime", "kind") values ($1, $2, $3, $4, 'idle')`,
        values,
      )
      await db.admin.query(
        `insert into geo.visit ("companyId", "deviceId", "enterTime", "exitTime", "geofenceId") values ($1, $2, $3, $4, $5)`,
        [...values, fence?.id],
      )
      await db.admin.query(
        `insert into geo.event ("companyId", "deviceId", "eventTime", "type") values ($1, $2, $3, 'alarm')`,
        values.slice(0, 3),
      )
    }
  }
  await forget(0)
  const left = async ({ deviceId }: KnownDevice, table: string, column = 'startTime') =>
    (
      await db.admin.query<{ at: Date }>(`select "${column}" as at from geo.${table} where "deviceId" = $1 order by 1 desc`, [deviceId])
    ).rows.map(({ at }) => Math.round((now - at.getTime()) / day))
  for (const table of ['trip', 'stop', 'engine_session', 'episode'])
    expect([table, await left(chosen, table), await left(silent, table)]).toEqual([table, [50, 101, 200], [50, 101, 150, 200]])
  expect([
    await left(chosen, 'visit', 'enterTime'),
    await left(chosen, 'event', 'eventTime'),
    await left(silent, 'event', 'eventTime'),
  ]).toEqual([[50, 101, 200], [50], [50, 101, 150, 200]])
  expect([await kept(chosen), await kept(silent)]).toEqual([
    [0, 3],
    [0, 3],
  ])
})

it('rows made of deleted positions stay when a late one of that time arrives', async () => {
  const companyId = await makeCompany(db.admin)
  await db.admin.query('insert into geo.company_setting ("companyId", "keepDays") values ($1, 30)', [companyId])
  const device = await makeDevice(db.admin, { companyId })
  const drive = [{ drive: 20 * 60, kmh: 50 }, { stand: 30 * 60 }, { drive: 20 * 60, kmh: 40 }, { stand: 30 * 60 }]
  const [old, young] = [fixesOf(drive, now - 40 * day), fixesOf(drive, now - 10 * day)]
  await takeIn(pools, device, [old, young])
  const made = async () => [
    await storedRows(db.admin, device, 'trip'),
    await storedRows(db.admin, device, 'stop'),
    await eventsOf(db.admin, device),
  ]
  const before = await made()
  expect(before[0]).toHaveLength(4)
  await forget(0)
  expect((await kept(device)).every((age) => age <= 10)).toBe(true)
  await takeIn(pools, device, [[fixAt(old[30]!.fixTime + 5_000, { speed: 48 })]])
  expect(await made()).toEqual(before)
  expect((await db.admin.query('select from geo.dirty where "deviceId" = $1', [device.deviceId])).rowCount).toBe(0)
  // What comes late of a time that is kept counts as ever.
  await takeIn(pools, device, [fixesOf([{ drive: 20 * 60, kmh: 50 }, { stand: 20 * 60 }], now - 5 * day)])
  expect(await storedRows(db.admin, device, 'trip')).toHaveLength(5)
})
