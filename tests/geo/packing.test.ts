import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { packWeeks } from '../../apps/geo/src/positions/packing.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'
import { makeDevice } from './support/devices.ts'

const monday = Date.UTC(2026, 9, 5)
const day = 86_400_000
const rounds = 40
const trackers = 400
let db: TestDatabase
let pools: GeoPools

beforeAll(async () => {
  db = await testDatabase()
  pools = createGeoPools({ url: db.url, secret: db.secret, patience: 30 })
  await pools.ingest.query('select geo.ensure_partitions($1, $2)', [new Date(monday), new Date(monday + 8 * day)])
  await fill(db.admin)
})
afterAll(async () => {
  await pools.close()
  await db.drop()
})

/** Every tracker sends in turn, as on the road: each goes on in the middle of the index. */
async function fill(admin: pg.Pool): Promise<void> {
  const { companyId } = await makeDevice(admin)
  await admin.query(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") select $1, $1, 'packed ' || n, 'Tracker' from generate_series(1, $2::int) n`,
    [companyId, trackers],
  )
  for (const week of [monday, monday + 7 * day]) {
    for (let round = 0; round < rounds; round += 1) {
      await admin.query(
        `insert into geo.position ("companyId", "deviceId", "fixTime", "isValid", "sat") select "companyId", "id", $2, false, 7 from geo.device where "companyId" = $1`,
        [companyId, new Date(week + round * 60_000)],
      )
    }
  }
}

const weightOf = async (week: string) =>
  Number(
    (
      await db.admin.query<{ size: string }>(
        `select pg_relation_size(indexrelid) as size from pg_index where indisprimary and indrelid = $1::regclass`,
        [week],
      )
    ).rows[0]?.size,
  )
const count = async () =>
  (await db.admin.query<{ n: string; sum: string }>('select count(*) as n, sum("sat") as sum from geo.position')).rows[0]
const pack = (now: number, signal = new AbortController().signal) => packWeeks(pools.ingest, { now, signal })

it('packs ended weeks, once, and does not touch the current week', async () => {
  const before = {
    first: await weightOf('parts.geo_position_2026w41'),
    second: await weightOf('parts.geo_position_2026w42'),
    rows: await count(),
  }
  expect(await pack(monday + 8 * day)).toBe(0)
  expect(await pack(monday + 11 * day)).toBe(1)
  expect(await weightOf('parts.geo_position_2026w41')).toBeLessThan(before.first * 0.8)
  expect(await weightOf('parts.geo_position_2026w42')).toBe(before.second)
  expect(await count()).toEqual(before.rows)
  expect(await pack(monday + 11 * day)).toBe(0)
})

it('one process packs, and stops on request', async () => {
  const client = await db.admin.connect()
  await client.query(`select pg_advisory_lock(hashtext('geo packing'))`)
  expect(await pack(monday + 18 * day)).toBe(0)
  await client.query(`select pg_advisory_unlock(hashtext('geo packing'))`)
  client.release()
  const ended = new AbortController()
  ended.abort()
  await expect(pack(monday + 18 * day, ended.signal)).rejects.toThrow()
  const holder = await db.admin.connect()
  await holder.query('begin')
  await holder.query('lock table parts.geo_position_2026w42 in share update exclusive mode')
  const stopped = new AbortController()
  const packing = pack(monday + 18 * day, stopped.signal)
  const waiting = async () =>
    (
      await db.admin.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'vacuum%'`,
      )
    ).rowCount
  await until(async () => (await waiting()) === 1)
  stopped.abort()
  await expect(packing).rejects.toThrow('user request')
  await until(async () => (await waiting()) === 0)
  holder.release(true)
})

it('cleans up after an interrupted packing', async () => {
  // What "reindex concurrently" leaves when the database stops under it.
  await db.admin.query('create index geo_position_2026w42_pkey_ccnew on parts.geo_position_2026w42 ("deviceId", "fixTime")')
  await db.admin.query(`update pg_index set indisvalid = false where indexrelid = 'parts.geo_position_2026w42_pkey_ccnew'::regclass`)
  expect(await pack(monday + 18 * day)).toBe(1)
  expect((await db.admin.query(`select to_regclass('parts.geo_position_2026w42_pkey_ccnew') as name`)).rows).toEqual([{ name: null }])
})

it('the ingest role may maintain the partitions, not read them', async () => {
  await expect(pools.ingest.query('select count(*) from parts.geo_position_2026w41')).rejects.toThrow('permission denied')
  await expect(pools.geo.query('select count(*) from parts.geo_position_2026w41')).rejects.toThrow('permission denied')
})
