import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readIn, transactionIn } from '@outpost/platform/db/context'
import { createPool } from '@outpost/platform/db/pool'
import { roleUrl } from '@outpost/platform/db/roles'
import { sql } from '@outpost/platform/db/sql'
import type { DbContext } from '@outpost/platform/types'
import { testDatabase, type TestDatabase } from '../support/db.ts'

let db: TestDatabase
let geo: pg.Pool
let ingest: pg.Pool
const [sunrise, copper] = [randomUUID(), randomUUID()]
const branches = { nairobi: randomUUID(), kisumu: randomUUID() }
const devices = { nairobi: randomUUID(), kisumu: randomUUID(), copper: randomUUID() }
const whole = (company: string | null): DbContext => ({ company, scope: '*', user: null, tenant: null })
const nairobiOnly: DbContext = { ...whole(sunrise), scope: [branches.nairobi] }

/** Tables of the schema; partitions are elsewhere. */
const tables = `select c.oid, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'geo' and c.relkind in ('r', 'p')`
const what = async (text: string) => (await db.admin.query<{ what: string }>(text)).rows.map((row) => row.what)

beforeAll(async () => {
  db = await testDatabase()
  geo = createPool({ url: roleUrl(db.url, 'fx_geo', db.secret), name: 'fx_geo', max: 4, log: console })
  ingest = createPool({ url: roleUrl(db.url, 'fx_ingest', db.secret), name: 'fx_ingest', max: 4, log: console })
  const tenant = `insert into tenant ("companyId", "id", "parentId", "type", "name", "shortCode") values ($1, $2, $3, $4, $5, $5)`
  for (const company of [sunrise, copper]) await db.admin.query(tenant, [company, company, null, 2, company])
  for (const branch of Object.values(branches)) await db.admin.query(tenant, [sunrise, branch, sunrise, 3, branch])
  const device = `insert into geo.device ("companyId", "id", "tenantId", "uniqueId", "name") values ($1, $2, $3, $4, $4)`
  await db.admin.query(device, [sunrise, devices.nairobi, branches.nairobi, 'nairobi'])
  await db.admin.query(device, [sunrise, devices.kisumu, branches.kisumu, 'kisumu'])
  await db.admin.query(device, [copper, devices.copper, copper, 'copper'])
  for (const [company, id] of [
    [sunrise, devices.nairobi],
    [sunrise, devices.kisumu],
    [copper, devices.copper],
  ]) {
    await ingest.query(
      `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "isValid") values ($1, $2, now(), -1.28, 36.8, true)`,
      [company, id],
    )
    await ingest.query(`insert into geo.latest ("companyId", "deviceId", "fixTime") values ($1, $2, now())`, [company, id])
  }
})
afterAll(async () => {
  await Promise.all([geo.end(), ingest.end()])
  await db.drop()
})

describe('the shape of the geo schema', () => {
  it('has row-level security for company and tenant on every table, forced', async () => {
    expect(
      await what(
        `select t.relname as what from (${tables}) t join pg_class c on c.oid = t.oid where not (c.relrowsecurity and c.relforcerowsecurity)`,
      ),
    ).toEqual([])
    expect(
      await what(`select t.relname as what from (${tables}) t where not exists (select 1 from pg_policy p where p.polrelid = t.oid and p.polname = 'company_wall' and p.polpermissive and p.polcmd = '*'
      and pg_get_expr(p.polqual, p.polrelid) = '("companyId" = ( SELECT ctx.company() AS company))' and pg_get_expr(p.polwithcheck, p.polrelid) = '("companyId" = ( SELECT ctx.company() AS company))')`),
    ).toEqual([])
    expect(
      await what(`select distinct t.relname as what from (${tables}) t join pg_attribute a on a.attrelid = t.oid and a.attname in ('tenantId', 'deviceId') where not exists (
      select 1 from pg_policy p where p.polrelid = t.oid and p.polname = 'scope_wall' and not p.polpermissive and p.polcmd = '*' and p.polwithcheck is not null)`),
    ).toEqual([])
  })

  it('grants access only to its own two roles, and to the bridge to the server within a company', async () => {
    // The walls of assets and of working time only take away from the geo service; what they ask (who sees the asset that a device is on, whose phone it is) is read as fx_search.
    const hides = `r::regrole::text = 'fx_geo' and p.polname in ('asset_wall', 'work_wall') and not p.polpermissive`
    const decides = `r::regrole::text = 'fx_search' and p.polname = 'search_wall' and p.polcmd = 'r' and t.relname in ('device_asset', 'device')`
    expect(
      await what(`select distinct p.polrelid::regclass || ' ' || r::regrole as what from pg_policy p join (${tables}) t on t.oid = p.polrelid, unnest(p.polroles) r
      where not (${hides}) and not (${decides}) and not (r::regrole::text = 'fx_geo' and p.polname in ('company_wall', 'scope_wall')) and not (r::regrole::text = 'fx_ingest' and p.polname = 'ingest_wall') and not (p.polname = 'search_wall' and t.relname = 'unlinked')
      and not (r::regrole::text = 'fx_bridge' and p.polname = 'bridge_wall' and pg_get_expr(p.polqual, p.polrelid) = '("companyId" = ( SELECT ctx.company() AS company))')`),
    ).toEqual([])
    expect(
      await what(
        `select r.rolname || ' ' || t.relname as what from (${tables}) t, pg_roles r where r.rolname in ('fx_app', 'fx_auth', 'fx_relay', 'fx_report', 'fx_public', 'fx_queue') and has_any_column_privilege(r.oid, t.oid, 'select, insert, update')`,
      ),
    ).toEqual([])
    expect(
      await what(
        `select privilege_type || ' ' || column_name as what from information_schema.column_privileges where grantee = 'fx_search' and table_schema = 'geo' and table_name in ('device_asset', 'device') order by table_name desc, 1`,
      ),
    ).toEqual(
      ['assetId', 'companyId', 'deviceId', 'since', 'until', 'companyId', 'deletedAt', 'id', 'name', 'protocol', 'userId'].map(
        (column) => `SELECT ${column}`,
      ),
    )
    expect(
      await what(
        `select r.rolname || ' ' || t.relname as what from (${tables}) t, pg_roles r where r.rolname in ('fx_geo', 'fx_ingest') and has_table_privilege(r.oid, t.oid, 'truncate, references, trigger')`,
      ),
    ).toEqual([])
    expect(
      await what(`select r.rolname || ' ' || c.relname as what from pg_class c join pg_namespace n on n.oid = c.relnamespace, pg_roles r where n.nspname = 'public' and c.relkind in ('r', 'p')
      and r.rolname in ('fx_geo', 'fx_ingest') and has_any_column_privilege(r.oid, c.oid, 'select, insert, update') order by 1`),
    ).toEqual(['app_user', 'asset', 'audit_log', 'tenant', 'user_position', 'user_tenant'].map((table) => `fx_geo ${table}`))
    expect(
      await what(
        `select c.relname as what from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> 'audit_log' and has_any_column_privilege('fx_geo', c.oid, 'insert, update')`,
      ),
    ).toEqual([])
    expect(
      await what(
        `select column_name as what from information_schema.column_privileges where grantee = 'fx_geo' and table_schema = 'public' and table_name in ('app_user', 'asset', 'audit_log') and privilege_type = 'SELECT' order by table_name, 1`,
      ),
    ).toEqual([
      ...['companyId', 'deletedAt', 'firstName', 'id', 'lastName', 'status'],
      ...['companyId', 'deletedAt', 'engineHoursAt', 'id', 'odometerAt', 'tenantId'],
      ...['companyId', 'hash', 'seq'],
    ])
  })

  it('carries the company in every foreign key and index', async () => {
    expect(
      await what(`select f.conname as what from pg_constraint f join (${tables}) t on t.oid = f.conrelid where f.contype = 'f' and not exists (
      select 1 from unnest(f.conkey) k join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k and a.attname = 'companyId')`),
    ).toEqual([])
    expect(
      await what(
        `select i.indexrelid::regclass::text as what from (${tables}) t join pg_index i on i.indrelid = t.oid join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0] where a.attname <> 'companyId' order by 1`,
      ),
    )
      // Positions: a sixth of their weight; ids of devices are unique across companies for that.
      .toEqual(['geo.device_id', 'geo.device_unique', 'geo.feed_token', 'geo.position_pkey', 'geo.unlinked_pkey', 'geo.unlinked_seen'])
  })

  it('has functions that run as their owner for one role each, with a search path of their own', async () => {
    expect(
      await what(`select p.proname || ' ' || p.proowner::regrole || ': ' || string_agg(a.grantee::regrole::text, ',' order by a.grantee::regrole::text) as what
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace, aclexplode(p.proacl) a where n.nspname = 'geo' and p.prosecdef and a.grantee <> p.proowner and p.proconfig @> array['search_path=""']
      group by p.oid order by 1`),
    ).toEqual([
      'drop_partitions fx_owner: fx_ingest',
      'ensure_partitions fx_owner: fx_ingest',
      'hand_over fx_bridge: fx_geo',
      'loose_weeks fx_owner: fx_ingest',
      'note_reaction fx_bridge: fx_app',
      'reaction_facts fx_bridge: fx_app',
      'unlinked_named fx_search: fx_geo',
    ])
    expect(
      await what(
        `select p.proname as what from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'geo' and p.prosecdef order by 1`,
      ),
    ).toHaveLength(7)
    expect(
      await what(
        `select r.rolname as what from pg_roles r where r.rolname = 'fx_bridge' and (r.rolcanlogin or r.rolsuper or r.rolbypassrls)`,
      ),
    ).toEqual([])
    expect(
      await what(`select c.relname as what from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r'
      and has_any_column_privilege('fx_bridge', c.oid, 'select, insert, update') order by 1`),
    ).toEqual(['outbox', 'tenant'])
    expect(await what(`select 'outbox' as what where has_any_column_privilege('fx_bridge', 'public.outbox', 'select, update')`)).toEqual([])
  })

  it('gives the ingest role no more of a device than it needs', async () => {
    await expect(ingest.query('select "name" from geo.device')).rejects.toThrow('permission denied')
    await expect(ingest.query('delete from geo.position')).rejects.toThrow('permission denied')
    await expect(ingest.query('select * from geo.trip')).rejects.toThrow('permission denied')
  })
})

describe('separation of companies and branches', () => {
  const seen = async (context: DbContext, table: string) =>
    (await readIn<{ id: string }>(geo, context, { text: `select "deviceId" as id from geo.${table} order by 1`, values: [] }))
      .map((row) => row.id)
      .sort()

  it.each(['position', 'latest'])('%s: another company’s and another branch’s devices are not found', async (table) => {
    expect(await seen(whole(sunrise), table)).toEqual([devices.nairobi, devices.kisumu].sort())
    expect(await seen(nairobiOnly, table)).toEqual([devices.nairobi])
    expect(await seen(whole(null), table)).toEqual([])
    expect(await seen({ ...nairobiOnly, scope: [] }, table)).toEqual([])
  })

  it('refuses what is filed under another company or out of reach', async () => {
    const trip = (context: DbContext, companyId: string, deviceId: string) =>
      transactionIn(geo, context, (own) =>
        own.exec(
          sql`insert into geo.trip ("companyId", "deviceId", "startTime", "startLatitude", "startLongitude") values (${companyId}, ${deviceId}, now(), 0, 0)`,
        ),
      )
    await expect(trip(whole(sunrise), copper, devices.copper)).rejects.toThrow('row-level security')
    await expect(trip(nairobiOnly, sunrise, devices.kisumu)).rejects.toThrow('row-level security')
    await expect(trip(whole(sunrise), sunrise, devices.copper)).rejects.toThrow('foreign key')
    expect(await trip(nairobiOnly, sunrise, devices.nairobi)).toBe(1)
  })

  it('returns the time zone of its own company only', async () => {
    expect(await readIn(geo, whole(sunrise), sql`select "id" from tenant where "type" = 2`).catch(() => 'public is not in the path')).toBe(
      'public is not in the path',
    )
    expect(await readIn(geo, whole(sunrise), sql`select "id", "timeZone" from public.tenant where "type" = 2`)).toEqual([
      { id: sunrise, timeZone: null },
    ])
  })

  it('returns an unknown device only to those who know its identity', async () => {
    await ingest.query(`insert into geo.unlinked ("uniqueId", "protocol") values ('350000000000001', 'teltonika')`)
    expect(await readIn(geo, whole(sunrise), sql`select * from geo.unlinked`)).toEqual([])
    expect(await readIn(geo, whole(sunrise), sql`select "protocol" from geo.unlinked_named('350000000000001')`)).toEqual([
      { protocol: 'teltonika' },
    ])
  })
})

describe('merging', () => {
  const merged = async (a: object, b: object) =>
    (await db.admin.query<{ m: object }>('select geo.merge_attributes($1, $2) as m', [a, b])).rows[0]?.m

  it('gives the same result whichever message was first', async () => {
    const [a, b] = [
      { alarm: 'sos,vibration', ignition: true, sat: 7 },
      { alarm: 'powerCut,sos', ignition: false, battery: 4.1 },
    ]
    expect(await merged(a, b)).toEqual({ alarm: 'powerCut,sos,vibration', ignition: true, sat: 7, battery: 4.1 })
    expect(await merged(b, a)).toEqual(await merged(a, b))
    expect(await merged(a, {})).toEqual(a)
    expect(await merged({}, a)).toEqual(a)
  })
})

describe('partitions', () => {
  it('are created ahead and dropped by the ingest role alone, which owns none', async () => {
    const {
      rows: [made],
    } = await ingest.query(`select geo.ensure_partitions('2020-01-01', '2020-01-31') as n`)
    expect(made.n).toBe(5)
    expect((await ingest.query(`select geo.ensure_partitions('2020-01-01', '2020-01-31') as n`)).rows[0].n).toBe(0)
    await ingest.query(`insert into geo.position ("companyId", "deviceId", "fixTime", "isValid") values ($1, $2, '2020-01-15', false)`, [
      sunrise,
      devices.nairobi,
    ])
    expect((await ingest.query(`select geo.drop_partitions('2020-02-10') as n`)).rows[0].n).toBe(5)
    expect(await what(`select count(*)::text as what from geo.position where "fixTime" < '2021-01-01'`)).toEqual(['0'])
    await expect(geo.query('select geo.drop_partitions(now())')).rejects.toThrow('permission denied')
  })

  it('leave a week to the default partition when that has rows of it', async () => {
    await ingest.query(`insert into geo.position ("companyId", "deviceId", "fixTime", "isValid") values ($1, $2, '2019-01-15', false)`, [
      sunrise,
      devices.nairobi,
    ])
    expect((await ingest.query(`select geo.ensure_partitions('2019-01-14', '2019-01-15') as n`)).rows[0].n).toBe(0)
  })
})
