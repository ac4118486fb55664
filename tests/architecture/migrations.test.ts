import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { expect, it, vi } from 'vitest'
import { writeMigration } from '@outpost/platform/db/migrate'
import { lintedFrom, lintMigration } from '../../scripts/migrations/lint.ts'

const folder = resolve(import.meta.dirname, '../../prisma/migrations')

it('no new migration locks or rewrites a table in use, or takes away what the version before needs', async () => {
  const names = (await readdir(folder, { withFileTypes: true })).flatMap((entry) =>
    entry.isDirectory() && entry.name >= lintedFrom ? [entry.name] : [],
  )
  const found: string[] = []
  for (const name of names)
    for (const { rule, statement, words } of lintMigration(await readFile(join(folder, name, 'migration.sql'), 'utf8')))
      found.push(`${name}: ${statement.slice(0, 120)}\n  ${rule}: ${words}`)
  expect(found.join('\n')).toBe('')
})

const rulesOf = (sql: string) => lintMigration(sql).map(({ rule }) => rule)

it.each([
  ['create index a on lead (b)', ['index']],
  ['create unique index if not exists "a" on "public"."lead" using btree ("b")', ['index']],
  ['create index concurrently a on lead (b); select 1', ['alone']],
  ['drop index a', ['lock']],
  ['reindex table lead', ['lock']],
  ['alter table lead add column a text not null', ['not-null-column']],
  ['alter table lead add a uuid not null default gen_random_uuid()', ['rewrite']],
  ['alter table lead add column a int generated always as (b + 1) stored', ['rewrite']],
  ['alter table lead add column a bigserial', ['rewrite']],
  ['alter table lead add column a text, add column b text not null', ['not-null-column']],
  ['alter table lead add column a text unique', ['unique-constraint']],
  ['alter table only lead alter column a type bigint', ['rewrite']],
  ['alter table lead alter a set data type text', ['rewrite']],
  ['alter table lead alter column a set not null', ['set-not-null']],
  ['alter table lead add constraint c foreign key (a, b) references client (a, b)', ['validate-later']],
  ['alter table lead add constraint c check (a in (1, 2))', ['validate-later']],
  ['alter table lead add constraint c unique (a)', ['unique-constraint']],
  ['alter table lead add primary key (a)', ['unique-constraint']],
  ['alter table lead drop column a', ['contract']],
  ['alter table lead rename column a to b', ['contract']],
  ['drop table lead', ['contract']],
  ['lock table lead', ['lock']],
  ['truncate lead', ['lock']],
  ['update lead set a = 1', ['whole-table']],
  ['delete from lead', ['whole-table']],
  ['alter table lead drop column a; create index c on lead (b)', ['contract', 'index']],
])('refuses: %s', (sql, wanted) => expect(rulesOf(`${sql};`)).toEqual(wanted))

it.each([
  'create table a (id uuid not null default uuidv7(), b int unique); create index c on a (b); alter table a add constraint d check (b > 0)',
  'create table "public"."A" (b int); create index on a (b); update a set b = 1',
  'create index concurrently a on lead (b)',
  'drop index concurrently a',
  'alter table lead add column a text',
  "alter table lead add column a text not null default 'x', add column b timestamptz not null default now()",
  'alter table lead add constraint c check (a > 0) not valid',
  'alter table lead validate constraint c',
  'alter table lead add constraint c unique using index i',
  'alter table lead drop constraint c',
  'alter table lead alter column a drop not null, alter column b set default 1',
  'alter table lead enable row level security; alter table lead force row level security; create policy p on lead using (true)',
  'update lead set a = 1 where b = 2',
  "comment on table lead is 'drop table lead; truncate lead'",
  '-- drop table lead\n/* truncate lead; */ select 1',
  'create function f() returns void language sql as $f$ update lead set a = 1; drop table lead $f$; do $$ begin perform 1; end $$',
])('lets pass: %s', (sql) => expect(lintMigration(sql)).toEqual([]))

it('a new migration comes after all that are there, and is looked at', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'outpost-migrations-'))
  // The stamps are of one moment.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T10:20:30Z') })
  const write = async (from: string) => basename(await writeMigration({ dir, name: 'x', sql: '', from })).slice(0, 14)
  const first = await write(lintedFrom)
  expect(first >= lintedFrom).toBe(true)
  expect([await write('0'), await write('20990101000000'), await write(lintedFrom)]).toEqual([
    String(Number(first) + 1),
    '20990101000000',
    '20990101000001',
  ])
  vi.useRealTimers()
  await rm(dir, { recursive: true })
})

it('an exception names the rule and says why', () => {
  const sql = 'alter table lead drop column a; create index b on lead (c);'
  expect(rulesOf(`-- lint-ok contract: no version since 0.9 reads it\n${sql}`)).toEqual(['index'])
  expect(rulesOf(`-- lint-ok contract: no\n${sql}`)).toEqual(['contract', 'index'])
})
