import pg from 'pg'
import { bootstrapPlain } from './cluster/plain-owner.ts'
import { migrateQueue } from './queue-schema.ts'
import {
  createIfMissing,
  databaseGrants,
  databaseOf,
  extensions,
  grantsAmongRoles,
  loginRoles,
  passwordsOf,
  pathOf,
  silentRoles,
  type LoginRole,
  type RoleSecrets,
} from './role-list.ts'

export { databaseGrants, loginRoles, rolePassword, roleUrl, type LoginRole, type RoleSecret, type RoleSecrets } from './role-list.ts'

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

export interface BootstrapOptions extends RoleSecrets {
  /** A superuser's URL; or that of a plain login for which the operator has prepared the database (plain-owner.ts). */
  adminUrl: string
  /** Created if missing; default: the database of adminUrl. */
  database?: string
}

/** Creates or updates roles, database and extensions; safe at every start. Returns the database's URL. */
export async function bootstrapRoles({ adminUrl, database, ...secrets }: BootstrapOptions): Promise<string> {
  const url = database ? withDatabase(adminUrl, database) : adminUrl
  const name = databaseOf(url)
  if (await isPlain(adminUrl)) {
    await withClient(url, (client) => bootstrapPlain(client, { ownerUrl: url, secrets }))
    return url
  }
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

/** Whether a login is no superuser. */
async function isPlain(url: string): Promise<boolean> {
  let isSuper = false
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ isSuper: boolean }>('select rolsuper as "isSuper" from pg_roles where rolname = current_user')
    isSuper = rows[0]?.isSuper === true
  })
  return !isSuper
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

/** The same server and login, another database. */
export function withDatabase(baseUrl: string, database: string): string {
  const url = new URL(baseUrl)
  url.pathname = `/${encodeURIComponent(database)}`
  return url.href
}

function roleStatements(secrets: RoleSecrets): string[] {
  const passwordOf = passwordsOf(secrets)
  const common = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION INHERIT'
  const silent = Object.entries(silentRoles).flatMap(([role, bypass]) => [
    createIfMissing(role),
    `alter role ${role} NOLOGIN ${common} ${bypass}`,
  ])
  const login = Object.entries(loginRoles).flatMap(([role, bypass]) => [
    createIfMissing(role),
    `alter role ${role} LOGIN ${common} ${bypass} PASSWORD '${passwordOf(role as LoginRole)}'`,
    `alter role ${role} set search_path = ${pathOf(role as LoginRole)}`,
  ])
  return [
    ...silent,
    ...login,
    ...grantsAmongRoles,
    'grant fx_datafix to fx_migrate with inherit false, set true',
    // pg_maintain: bulk writers must be able to analyze, or every plan is based on guesses.
    'grant pg_read_all_data, pg_write_all_data, pg_maintain to fx_datafix',
    ...backupStatements(secrets.backupPassword),
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
