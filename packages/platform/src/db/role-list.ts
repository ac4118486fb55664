import { createHmac } from 'node:crypto'
import pg from 'pg'

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
export const silentRoles = { fx_owner: 'NOBYPASSRLS', fx_search: 'NOBYPASSRLS', fx_bridge: 'NOBYPASSRLS' } as const

/** The search path of a role; default public. */
const searchPaths: ReadonlyMap<string, string> = new Map(Object.entries({ fx_report: 'report', fx_geo: 'geo', fx_ingest: 'geo' }))

export const extensions = ['pg_trgm', 'btree_gin', 'btree_gist', 'pgcrypto', 'citext']

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

/** The name of the database in a URL. */
export function databaseOf(baseUrl: string): string {
  return decodeURIComponent(new URL(baseUrl).pathname.slice(1)) || 'postgres'
}

/** The password of each role, by the secret of those who may know it. */
export function passwordsOf({
  secret,
  accessSecret = secret,
  deploySecret,
  geoSecret = accessSecret,
}: RoleSecrets): (role: LoginRole) => string {
  return (role) => rolePassword(role, deployRoles.has(role) ? deploySecret : geoRoles.has(role) ? geoSecret : accessSecret)
}

/** The search path of a role: pg_temp last, or a temporary table could hide a real one. */
export const pathOf = (role: LoginRole): string => `${searchPaths.get(role) ?? 'public'}, pg_temp`

/** The migrating role becomes the owner only explicitly. */
export const grantsAmongRoles: readonly string[] = [
  'grant fx_owner to fx_migrate with inherit false, set true',
  'grant fx_search, fx_bridge to fx_owner with inherit false, set true',
]

/** Creates a role that is not there yet. */
export function createIfMissing(role: string): string {
  return `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if; end $$`
}

/** Grants on a database itself; the only thing that a copy of a database does not include. */
export function databaseGrants(name: string, roles: readonly string[] = Object.keys(loginRoles)): string[] {
  const database = pg.escapeIdentifier(name)
  return [
    `alter database ${database} owner to fx_owner`,
    `revoke all on database ${database} from public`,
    `grant connect on database ${database} to ${roles.join(', ')}`,
    // BullMQ builds its batches in temporary tables.
    `grant temporary on database ${database} to fx_queue`,
  ]
}
