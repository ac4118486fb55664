import { createHmac } from 'node:crypto'
import pg from 'pg'
import { migrateQueue } from './queue-schema.ts'

/**
 * The login roles with their attributes. Only the two deploy roles have special ones; access to tables is granted table by table in the
 * migrations.
 */
export const loginRoles = {
  fx_migrate: 'NOBYPASSRLS',
  fx_datafix: 'BYPASSRLS',
  fx_app: 'NOBYPASSRLS',
  fx_auth: 'NOBYPASSRLS',
  fx_relay: 'NOBYPASSRLS',
  fx_report: 'NOBYPASSRLS',
  fx_public: 'NOBYPASSRLS',
  // Owns the schema of the job queue and sees nothing else.
  fx_queue: 'NOBYPASSRLS',
  // The geo service: one role within a company, one for device data before the company is known.
  fx_geo: 'NOBYPASSRLS',
  fx_ingest: 'NOBYPASSRLS',
} as const

export type LoginRole = keyof typeof loginRoles

/** What a program logs in with: a secret that its roles' passwords are derived from, or the few passwords it was given. */
export type RoleSecret = string | Readonly<Partial<Record<LoginRole, string>>>

/** Roles of a deployment: no running server knows their secret. */
const deployRoles: ReadonlySet<string> = new Set<LoginRole>(['fx_migrate', 'fx_datafix'])
/** Roles of the geo service, which parses what strangers send. */
const geoRoles: ReadonlySet<string> = new Set<LoginRole>(['fx_geo', 'fx_ingest'])

/**
 * Roles that own objects and never log in: the owner of everything, and the owners of the definer functions for search and for the
 * exchange of work between server and geo service.
 */
const silentRoles = { fx_owner: 'NOBYPASSRLS', fx_search: 'NOBYPASSRLS', fx_bridge: 'NOBYPASSRLS' } as const

/** The search path of a role; default public. */
const searchPaths: ReadonlyMap<string, string> = new Map(Object.entries({ fx_report: 'report', fx_geo: 'geo', fx_ingest: 'geo' }))

const extensions = ['pg_trgm', 'btree_gin', 'btree_gist', 'pgcrypto', 'citext']

/** Roles that set the context of a transaction through set_config; reports must not be able to (security.md M3). */
export const contextRoles: readonly string[] = [
  'fx_owner',
  'fx_migrate',
  'fx_datafix',
  'fx_app',
  'fx_auth',
  'fx_relay',
  'fx_public',
  'fx_queue',
]

/** The secrets that passwords of roles are derived from, by who may know them. */
export interface RoleSecrets {
  /** The master secret. */
  secret: string
  /** Of the server's roles (ACCESS_SECRET); default: the master secret. */
  accessSecret?: string | undefined
  /** Of fx_migrate and fx_datafix. */
  deploySecret: string
  /** Of the roles of the geo service; default: that of the server's, which cannot be computed from a password. */
  geoSecret?: string | undefined
  /** Password of fx_backup, the role of backups; without one there is none. */
  backupPassword?: string | undefined
}

export interface BootstrapOptions extends RoleSecrets {
  /** A superuser's URL. */
  adminUrl: string
  /** Created if missing; default: the database of adminUrl. */
  database?: string
}

/** Creates or updates roles, database and extensions; safe at every start. Returns the database's URL. */
export async function bootstrapRoles({ adminUrl, database, ...secrets }: BootstrapOptions): Promise<string> {
  const url = database ? withDatabase(adminUrl, database) : adminUrl
  const name = databaseOf(url)
  await withClient(adminUrl, async (client) => {
    // Two deployments at once would conflict on role rows.
    await client.query("select pg_advisory_lock(hashtext('outpost bootstrap'))")
    for (const statement of roleStatements(secrets)) await client.query(statement)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)} owner fx_owner`)
  })
  await withClient(url, async (client) => {
    for (const statement of databaseStatements(name)) await client.query(statement)
    if (secrets.backupPassword) await client.query(`grant connect on database ${pg.escapeIdentifier(name)} to fx_backup`)
    await migrateQueue(client, name)
  })
  return url
}

/**
 * Runs a deployment while no other one runs: each draws passwords for the deploy roles that nobody knows afterwards, and would take the
 * other's away.
 */
export async function deployAlone<Result>(adminUrl: string, deploy: () => Promise<Result>): Promise<Result> {
  let result: { value: Result } | undefined
  await withClient(adminUrl, async (client) => {
    await client.query("select pg_advisory_lock(hashtext('outpost deployment'))")
    result = { value: await deploy() }
  })
  if (!result) throw new Error('The deployment did not run')
  return result.value
}

/** The password of a role, derived from a secret so that nobody needs to store ten of them. Throws when it is not among those given. */
export function rolePassword(role: LoginRole, secret: RoleSecret): string {
  if (typeof secret === 'string') return createHmac('sha256', secret).update(role).digest('hex')
  const given = secret[role]
  if (given === undefined) throw new Error(`No password was given for the database role ${role}`)
  return given
}

/** The same database, as another role. */
export function roleUrl(baseUrl: string, role: LoginRole, secret: RoleSecret): string {
  const url = new URL(baseUrl)
  url.username = role
  url.password = rolePassword(role, secret)
  return url.href
}

/** The same server and login, another database. */
export function withDatabase(baseUrl: string, database: string): string {
  const url = new URL(baseUrl)
  url.pathname = `/${encodeURIComponent(database)}`
  return url.href
}

function databaseOf(baseUrl: string): string {
  return decodeURIComponent(new URL(baseUrl).pathname.slice(1)) || 'postgres'
}

function roleStatements({ secret, accessSecret = secret, deploySecret, geoSecret = accessSecret, backupPassword }: RoleSecrets): string[] {
  const secretOf = (role: string) => (deployRoles.has(role) ? deploySecret : geoRoles.has(role) ? geoSecret : accessSecret)
  const common = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION INHERIT'
  const silent = Object.entries(silentRoles).flatMap(([role, bypass]) => [
    createIfMissing(role),
    `alter role ${role} NOLOGIN ${common} ${bypass}`,
  ])
  const login = Object.entries(loginRoles).flatMap(([role, bypass]) => [
    createIfMissing(role),
    `alter role ${role} LOGIN ${common} ${bypass} PASSWORD '${rolePassword(role as LoginRole, secretOf(role))}'`,
    // pg_temp last, or a temporary table could hide a real one.
    `alter role ${role} set search_path = ${searchPaths.get(role) ?? 'public'}, pg_temp`,
  ])
  return [
    ...silent,
    ...login,
    // The migrating role becomes the owner, or the datafix role, only explicitly.
    'grant fx_owner to fx_migrate with inherit false, set true',
    'grant fx_datafix to fx_migrate with inherit false, set true',
    'grant fx_search, fx_bridge to fx_owner with inherit false, set true',
    // pg_maintain: bulk writers must be able to analyze, or every plan is based on guesses.
    'grant pg_read_all_data, pg_write_all_data, pg_maintain to fx_datafix',
    ...backupStatements(backupPassword),
  ]
}

/** A backup is all data anyway; the role may read it twice, as blocks and, for drills, as rows. It changes nothing. */
function backupStatements(password: string | undefined): string[] {
  if (password === undefined) return []
  return [
    createIfMissing('fx_backup'),
    `alter role fx_backup LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE REPLICATION BYPASSRLS INHERIT PASSWORD ${pg.escapeLiteral(password)}`,
    'alter role fx_backup set default_transaction_read_only = on',
    'grant pg_read_all_data to fx_backup',
  ]
}

function createIfMissing(role: string): string {
  return `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if; end $$`
}

/** Grants on a database itself; the only thing that a copy of a database does not include. */
export function databaseGrants(name: string): string[] {
  const database = pg.escapeIdentifier(name)
  return [
    `alter database ${database} owner to fx_owner`,
    `revoke all on database ${database} from public`,
    `grant connect on database ${database} to ${Object.keys(loginRoles).join(', ')}`,
    // BullMQ builds its batches in temporary tables.
    `grant temporary on database ${database} to fx_queue`,
  ]
}

function databaseStatements(name: string): string[] {
  return [
    ...databaseGrants(name),
    ...extensions.map((extension) => `create extension if not exists ${extension}`),
    'revoke create on schema public from public',
    'alter schema public owner to fx_owner',
    'revoke execute on function pg_catalog.set_config(text, text, boolean) from public',
    `grant execute on function pg_catalog.set_config(text, text, boolean) to ${contextRoles.join(', ')}`,
  ]
}

async function withClient(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}
