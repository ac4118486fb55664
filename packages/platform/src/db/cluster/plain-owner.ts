import pg from 'pg'
import { migrateQueue } from '../queue-schema.ts'
import {
  createIfMissing,
  databaseGrants,
  databaseOf,
  extensions,
  grantsAmongRoles,
  loginRoles,
  pathOf,
  passwordsOf,
  roleUrl,
  silentRoles,
  type LoginRole,
  type RoleSecrets,
} from '../role-list.ts'

/** Roles that need an attribute only a superuser gives; Outpost does without them. */
const superuserRoles: ReadonlySet<string> = new Set(['fx_datafix'])
const plainRoles = (Object.keys(loginRoles) as LoginRole[]).filter((role) => !superuserRoles.has(role))

export interface PlainOwner {
  /** The URL of a login without any attribute, by which `npm run migrate` deploys. */
  ownerUrl: string
  secrets: RoleSecrets
}

/**
 * The statements by which an operator prepares a managed Postgres: run by its administrator (CREATEROLE, CREATEDB, owner of the database), in
 * the database. They hold the passwords of the roles.
 */
export function plainRoleStatements({ ownerUrl, secrets }: PlainOwner): string[] {
  const login = pg.escapeIdentifier(decodeURIComponent(new URL(ownerUrl).username))
  const passwordOf = passwordsOf(secrets)
  return [
    ...Object.keys(silentRoles).map(createIfMissing),
    ...plainRoles.flatMap((role) => [
      createIfMissing(role),
      `alter role ${role} LOGIN INHERIT PASSWORD '${passwordOf(role)}'`,
      `alter role ${role} set search_path = ${pathOf(role)}`,
    ]),
    ...grantsAmongRoles,
    `grant fx_owner, fx_queue to ${login} with inherit false, set true`,
    // The database is given away by somebody who could become its new owner.
    'grant fx_owner to current_user with inherit false, set true',
    ...databaseGrants(databaseOf(ownerUrl), plainRoles),
  ]
}

/** What only a superuser may do, and what is different without it. */
export const superuserOnly: readonly (readonly [statement: string, without: string])[] = [
  [
    `revoke execute on function pg_catalog.set_config(text, text, boolean) from public`,
    'a statement of a report could choose its company; the second wall of reports is missing, the first one (their fixed statements) holds',
  ],
  ['create role fx_datafix BYPASSRLS', '`npm run new:group` works as the owner and keeps everybody else out of the tables while it does'],
  ['create role fx_backup REPLICATION BYPASSRLS', '`npm run backup` cannot run: use the backups of the provider'],
]

/** Prepares a database as a login that is no superuser. Throws all that is missing, in words. */
export async function bootstrapPlain(client: pg.Client, { ownerUrl, secrets }: PlainOwner): Promise<void> {
  const missing = [...(await missingInServer(client)), ...(await missingLogins({ ownerUrl, secrets }))]
  if (missing.length > 0)
    throw new Error(
      `This login is no superuser, and the database is not prepared for it:\n  ${missing.join('\n  ')}\n` +
        'Let an administrator of the database run what `npm run migrate -- roles` prints, and set DEPLOY_SECRET to the same both times.',
    )
  await client.query('set role fx_owner')
  for (const extension of extensions) await client.query(`create extension if not exists ${extension}`)
  await client.query('revoke create on schema public from public')
  await client.query('alter schema public owner to fx_owner')
  await migrateQueue(client, databaseOf(ownerUrl), 'fx_owner')
}

/** What the server and the database lack, asked by the login itself. */
async function missingInServer(client: pg.Client): Promise<string[]> {
  const missing: string[] = []
  const ask = async (text: string, values: unknown[] = []) =>
    (await client.query<{ name: string }>(text, values)).rows.map(({ name }) => name)
  const [version = ''] = await ask(
    `select current_setting('server_version') as name where current_setting('server_version_num')::int < 180000`,
  )
  if (version) missing.push(`PostgreSQL ${version} answers; Outpost needs 18 or later`)
  const wanted = [...Object.keys(silentRoles), ...plainRoles]
  const known = new Set(await ask('select rolname as name from pg_roles where rolname = any($1)', [wanted]))
  for (const role of wanted) if (!known.has(role)) missing.push(`the role ${role} is missing`)
  if (known.size === wanted.length) missing.push(...(await missingMemberships(ask)))
  for (const role of await ask('select rolname as name from pg_roles where rolname = any($1) and (rolsuper or rolbypassrls)', [wanted]))
    missing.push(`the role ${role} must be neither superuser nor BYPASSRLS`)
  const [owner = 'nobody'] = await ask('select datdba::regrole::text as name from pg_database where datname = current_database()')
  if (owner !== 'fx_owner') missing.push(`the database belongs to ${owner}, not to fx_owner`)
  const there = new Set(await ask('select name from pg_available_extensions where name = any($1)', [extensions]))
  for (const extension of extensions) if (!there.has(extension)) missing.push(`the extension ${extension} is not offered by this server`)
  return missing
}

/** Who must be able to become whom. */
const memberships: readonly (readonly [who: string, whom: string])[] = [
  ['current_user', 'fx_owner'],
  ['current_user', 'fx_queue'],
  ['fx_migrate', 'fx_owner'],
  ['fx_owner', 'fx_search'],
  ['fx_owner', 'fx_bridge'],
]

async function missingMemberships(ask: (text: string, values: unknown[]) => Promise<string[]>): Promise<string[]> {
  const missing: string[] = []
  for (const [who, whom] of memberships) {
    const [name] = await ask(
      `select case $1 when 'current_user' then current_user else $1 end as name
       where not pg_has_role(case $1 when 'current_user' then current_user else $1::name end, $2, 'set')`,
      [who, whom],
    )
    if (name) missing.push(`${name} cannot become ${whom}: grant ${whom} to ${name} with set true`)
  }
  return missing
}

/** Each role logs in with the password of the secrets and has its search path. */
async function missingLogins({ ownerUrl, secrets }: PlainOwner): Promise<string[]> {
  const passwordOf = passwordsOf(secrets)
  const found = await Promise.all(
    plainRoles.map(async (role) => {
      const client = new pg.Client({
        connectionString: roleUrl(ownerUrl, role, { [role]: passwordOf(role) }),
        connectionTimeoutMillis: 5_000,
      })
      try {
        await client.connect()
        const { rows } = await client.query<{ search_path: string }>('show search_path')
        return rows[0]?.search_path === pathOf(role) ? [] : [`${role} has the search path ${rows[0]?.search_path}, not ${pathOf(role)}`]
      } catch (error) {
        return [`${role} cannot log in: ${error instanceof Error ? error.message : String(error)}`]
      } finally {
        await client.end().catch(() => undefined)
      }
    }),
  )
  return found.flat()
}
