import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { idleExceptions, schemaRules, schemaViolations } from './support/schema-rules.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** A way to break each rule; undone by rolling back. */
const plants: Readonly<Record<string, string>> = {
  'every table belongs to a company': 'create table loose (id uuid primary key)',
  'primary and unique keys lead with companyId, unless the table is seen without one':
    'create unique index planted on lead ("phonenumber")',
  'a table that is looked up without a company has a global unique key': 'drop index "app_user_id_key"',
  'other indexes lead with companyId': 'create index planted on lead ("city")',
  'row-level security is enabled and forced': 'alter table lead no force row level security',
  'the wall between companies is on every table': 'drop policy company_wall on lead',
  'the wall of reach is where rows are filed under a tenant': 'drop policy scope_wall on lead',
  'no other policy lets fx_app or fx_report in': 'create policy planted on lead for select using (true)',
  'foreign keys carry the company':
    'alter table lead_address add column "x" uuid; alter table lead add constraint lead_only_id unique (id); alter table lead_address add constraint planted foreign key ("x") references lead (id)',
  'views run as their caller': 'create view report.planted as select * from lead',
  'no materialized views': 'create materialized view report.planted as select * from lead',
  'functions that run as their owner pin the search path': `create function search.planted() returns int language sql security definer as 'select 1'; alter function search.planted() owner to fx_search`,
  'functions that run as their owner are the search ones, owned by fx_search': `create function ctx.planted() returns int language sql security definer set search_path = '' as 'select 1'`,
  'search functions are for fx_app alone':
    'grant usage on schema search to fx_report; grant execute on function search.lead(text, integer) to fx_report',
  'nobody may truncate, reference or add triggers': 'grant truncate on lead to fx_app',
  'the app role reads no secrets': 'grant select ("passwordHash") on credential to fx_app',
  'the relay sees the outbox only': 'grant select ("id") on lead to fx_relay',
  'fx_search reads ids and what is searched, never more': 'grant select ("notes") on lead to fx_search',
  'the audit chain is only added to': 'grant update ("after") on audit_log to fx_app',
  'no login role is superuser, owner or past row-level security': 'alter table lead owner to fx_app',
  'nobody but servers may set a context': 'grant execute on function pg_catalog.set_config(text, text, boolean) to public',
}

describe('the shape of the database', () => {
  it('keeps companies apart', async () => expect(await schemaViolations(database.admin)).toEqual([]))
  it('has no exception that nothing needs', async () => expect(await idleExceptions(database.admin)).toEqual([]))

  it.each(schemaRules.map(({ name }) => name))('is noticed when broken: %s', async (name) => {
    const client = await database.admin.connect()
    try {
      await client.query('begin')
      await client.query(plants[name] ?? `there is no plant for ${name}`)
      const { sql, allowed = {} } = schemaRules.find((rule) => rule.name === name) ?? { sql: 'select' }
      const { rows } = await client.query<{ what: string }>(sql)
      expect(rows.filter(({ what }) => !(what in allowed)).length).toBeGreaterThan(0)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
