import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import pg from 'pg'
import { roleUrl, type LoginRole } from '@outpost/platform/db/roles'
import { ok, reasonOf, warning, wrong, type Check, type Finding } from './finding.ts'

export interface DatabaseToCheck {
  url: string
  secret: string
  /** Tests move it. */
  now?: () => number
}

/** Roles that the server logs in with; the geo service's passwords are its own. */
const ofServer: readonly LoginRole[] = ['fx_app', 'fx_auth', 'fx_relay', 'fx_report', 'fx_public', 'fx_queue']
const migrationsFolder = resolve(import.meta.dirname, '../../prisma/migrations')

/** Checks of Postgres and of what a deployment made in it. */
export function databaseChecks(database: DatabaseToCheck): Check[] {
  const asRelay = <Result>(use: (client: pg.Client) => Promise<Result>) => as(database, 'fx_relay', use)
  return [
    { name: 'Postgres', run: () => asRelay(checkVersion) },
    { name: 'Database roles', run: () => checkRoles(database) },
    { name: 'Row-level security', run: () => asRelay(checkWalls) },
    { name: 'Migrations', run: () => asRelay(checkMigrations) },
    { name: 'Clock', run: () => asRelay((client) => checkClock(client, database.now ?? Date.now)) },
    { name: 'Connections', run: () => asRelay(checkConnections) },
    { name: 'Outbox', run: () => asRelay(checkOutbox) },
    { name: 'WAL archive', run: () => asRelay(checkArchive) },
  ]
}

async function as<Result>({ url, secret }: DatabaseToCheck, role: LoginRole, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: roleUrl(url, role, secret), connectionTimeoutMillis: 5_000, statement_timeout: 15_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function checkVersion(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  )
  return versionFinding(rows[0]?.number ?? 0, rows[0]?.version ?? 'of no version')
}

/** Judges server_version_num: uuidv7() and what else the tables use came with 18. */
export function versionFinding(number: number, version: string): Finding {
  return number >= 180_000 ? ok(`PostgreSQL ${version}`) : wrong(`PostgreSQL ${version} answers; Outpost needs 18 or later`)
}

/** Each role logs in with the password of this SECRET, owns nothing and bypasses nothing. */
async function checkRoles(database: DatabaseToCheck): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const role of ofServer) {
    try {
      findings.push(...(await as(database, role, checkRole)))
    } catch (error) {
      if (!['28P01', '28000'].includes((error as { code?: string }).code ?? '')) throw error
      findings.push(wrong(`${role} cannot log in: ${reasonOf(error)}. Is SECRET the one that \`npm run migrate\` had? Run it again`))
    }
  }
  return findings.length > 0 ? findings : [ok(`${ofServer.length} roles log in, none bypasses the walls`)]
}

async function checkRole(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{
    role: string
    isSuper: boolean
    mayBypass: boolean
    owned: string | null
    setsContext: boolean
    isManaged: boolean
  }>(`
    select rolname as role, rolsuper as "isSuper", rolbypassrls as "mayBypass",
      (select string_agg(c.relname, ', ' order by c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relowner = r.oid and c.relkind in ('r', 'p', 'v', 'm') and n.nspname in ('public', 'geo', 'report')) as owned,
      has_function_privilege(r.oid, 'pg_catalog.set_config(text, text, boolean)', 'execute') as "setsContext",
      -- Only a superuser makes this role.
      not exists (select from pg_roles where rolname = 'fx_datafix') as "isManaged"
    from pg_roles r where rolname = current_user`)
  return rows.flatMap(({ role, isSuper, mayBypass, owned, setsContext, isManaged }) => [
    ...(isSuper ? [wrong(`${role} is a superuser: alter role ${role} nosuperuser`)] : []),
    ...(mayBypass ? [wrong(`${role} bypasses row-level security: alter role ${role} nobypassrls`)] : []),
    ...(owned ? [wrong(`${role} owns ${owned}: give them to fx_owner`)] : []),
    ...(role === 'fx_report' && setsContext
      ? [
          isManaged
            ? warning('fx_report may call set_config: on a managed Postgres without a superuser the second wall of reports is missing')
            : wrong('fx_report may call set_config, so that a report could choose its company: run `npm run migrate`'),
        ]
      : []),
  ])
}

async function checkWalls(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string; total: number }>(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'companyId' and not a.attisdropped
    where n.nspname in ('public', 'geo') and c.relkind in ('r', 'p') and not c.relispartition
      and not (c.relrowsecurity and c.relforcerowsecurity) order by 1`)
  if (rows.length === 0) return ok('every table of a company has its walls, the owner included')
  return wrong(`${rows.map(({ name }) => name).join(', ')}: row-level security is not forced, so companies can see each other's rows`)
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const entries = await readdir(migrationsFolder, { withFileTypes: true })
  const wanted = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const { rows } = await client.query<{ name: string; isDone: boolean }>(
    'select migration_name as name, finished_at is not null as "isDone" from _prisma_migrations where rolled_back_at is null',
  )
  const failed = rows.filter(({ isDone }) => !isDone).map(({ name }) => name)
  if (failed.length > 0) return wrong(`${failed.join(', ')} stopped half way: see its error in the output of \`npm run migrate\``)
  const known = new Set(rows.map(({ name }) => name))
  const missing = wanted.filter((name) => !known.has(name))
  if (missing.length > 0) return wrong(`${list(missing)} is not applied: run \`npm run migrate\``)
  const newer = [...known].filter((name) => !wanted.includes(name))
  if (newer.length > 0) return warning(`${list(newer)} is applied and not part of this version: the database is of a newer one`)
  return ok(`all ${wanted.length} are applied`)
}

const list = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')

async function checkClock(client: pg.Client, now: () => number): Promise<Finding> {
  const before = now()
  const { rows } = await client.query<{ at: string }>('select extract(epoch from clock_timestamp())::float8 * 1000 as at')
  // Half of the way there and back is the network's.
  const seconds = Math.abs(Number(rows[0]?.at) - (before + now()) / 2) / 1_000
  const words = `this machine and Postgres are ${seconds.toFixed(1)} s apart`
  if (seconds > 30) return wrong(`${words}: tokens are refused and jobs come late. Let both follow a time server`)
  return seconds > 2 ? warning(`${words}: let both follow a time server`) : ok(words)
}

async function checkConnections(client: pg.Client): Promise<Finding> {
  // What each connection does is for its own role to see; how many there are is for all.
  const { rows } = await client.query<{ used: number; most: number }>(
    `select sum(numbackends)::int as used, current_setting('max_connections')::int as most from pg_stat_database`,
  )
  return connectionsFinding(rows[0]?.used ?? 0, rows[0]?.most ?? 0)
}

/** Judges the connections in use against max_connections. */
export function connectionsFinding(used: number, most: number): Finding {
  const words = `${used} of ${most} connections are in use`
  return used > 0.8 * most ? warning(`${words}: raise max_connections, or lower DATABASE_POOL`) : ok(words)
}

async function checkOutbox(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ dead: number; oldest: number }>(`
    select count(*) filter (where "status" = 'dead')::int as dead,
      coalesce(extract(epoch from now() - min("runAt") filter (where "status" in ('new', 'sent') and "runAt" <= now())), 0)::int as oldest
    from outbox where "status" in ('new', 'sent', 'dead')`)
  const { dead = 0, oldest = 0 } = rows[0] ?? {}
  if (oldest > 300) return wrong(`mails and jobs have waited for ${Math.round(oldest / 60)} min: does a worker run (ROLE=worker or all)?`)
  if (dead > 0) return warning(`${dead} jobs were given up: /admin/dead-jobs says why and tries them again`)
  return ok('nothing waits')
}

async function checkArchive(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ mode: string; isFailing: boolean; wal: string | null }>(`
    select current_setting('archive_mode') as mode, last_failed_wal as wal,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing" from pg_stat_archiver`)
  const { mode, isFailing = false, wal } = rows[0] ?? {}
  if (mode === 'off') return warning('Postgres lays no WAL down (archive_mode): what is written after a base backup is lost with the disc')
  return isFailing ? wrong(`Postgres cannot lay its WAL down (${wal}): see its log; its disc fills`) : ok('Postgres lays its WAL down')
}
