import pg from 'pg'
import { showPool } from '../http/metrics.ts'
import { allowImplicit } from './implicit.ts'
import { contextRoles, roleUrl, type LoginRole, type RoleSecret } from './roles.ts'
import type { PoolLog } from './pool-log.ts'
import { watchStatements } from './slow.ts'

export interface PoolOptions {
  url: string
  secret: RoleSecret
  log?: PoolLog
  /** Connections of the app pool; the others get a fraction of it. */
  size?: number
  /** Seconds that a call waits for a connection, and for a lock from 3 s on, see DATABASE_PATIENCE. */
  patience?: number | undefined
}

export interface Pools {
  app: pg.Pool
  /** The app's role too, for long answers that last as long as their reader takes: they never delay short ones. */
  stream: pg.Pool
  auth: pg.Pool
  relay: pg.Pool
  report: pg.Pool
  public: pg.Pool
  close(): Promise<void>
}

/** One pool per role, on the database of url; user and password in url are replaced. No connection is opened before the first statement. */
export function createPools({ url, secret, log = console, size = 16, patience }: PoolOptions): Pools {
  const open = (role: LoginRole, share: number) =>
    createPool({ url: roleUrl(url, role, secret), name: role, max: Math.max(2, Math.round(size * share)), log, patience })
  const pools = {
    app: open('fx_app', 1),
    stream: open('fx_app', 0.5),
    auth: open('fx_auth', 0.25),
    relay: open('fx_relay', 0.25),
    report: open('fx_report', 0.25),
    public: open('fx_public', 0.125),
  }
  return { ...pools, close: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.end()))) }
}

export interface GeoPools {
  /** Inside a company's context: readIn, transactionIn. */
  geo: pg.Pool
  /** For device data of all companies at once. */
  ingest: pg.Pool
  close(): Promise<void>
}

/** The pools of the geo service, whose tables are in the schema "geo". */
export function createGeoPools({ url, secret, log = console, size = 8, patience }: PoolOptions): GeoPools {
  // Parallel workers take longer to start than the rows of a device take to read, and there is always another device to process.
  const open = (role: LoginRole, max: number) =>
    createPool({ url: roleUrl(url, role, secret), name: role, max, log, patience, options: '-c max_parallel_workers_per_gather=0' })
  const pools = { geo: open('fx_geo', size), ingest: open('fx_ingest', Math.max(2, size / 2)) }
  return { ...pools, close: async () => void (await Promise.all([pools.geo.end(), pools.ingest.end()])) }
}

interface OnePool {
  url: string
  name: string
  max: number
  log: PoolLog
  options?: string
  patience?: number | undefined
}

/** A pool with the limits every connection of a server has. A call that gets no connection within `patience` seconds, or a lock within these or 3, fails as busy. */
export function createPool({ patience = 2, ...options }: OnePool): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    ...(options.options === undefined ? {} : { options: options.options }),
    application_name: `outpost ${options.name}`,
    max: options.max,
    // Statements are sent without waiting for the previous answer.
    pipeline: true,
    connectionTimeoutMillis: patience * 1_000,
    statement_timeout: 15_000,
    // Our own limit, for a server that cannot even report its timeout.
    query_timeout: 17_000,
    lock_timeout: Math.max(3, patience) * 1_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    types: { getTypeParser },
  })
  // Without these two handlers a lost connection, idle or in use, would end the process.
  // The error itself is not logged: pg attaches the whole client to it.
  const report = ({ message }: Error) => options.log.error({ pool: options.name, reason: message }, 'database connection lost')
  pool.on('error', report)
  pool.on('connect', (client) => {
    client.on('error', report)
    watchStatements(client, { role: options.name, log: options.log })
  })
  if (contextRoles.includes(options.name)) allowImplicit(pool)
  showPool(options.name, pool)
  return pool
}

/** Throws when the role bypasses row-level security: superuser, owner or BYPASSRLS. */
export async function assertSafeRole(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; isSuper: boolean; mayBypass: boolean; isOwner: boolean }>(`
    select rolname as name, rolsuper as "isSuper", rolbypassrls as "mayBypass",
      pg_has_role(oid, (select datdba from pg_database where datname = current_database()), 'member')
        or exists (select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p', 'v', 'm')) as "isOwner"
    from pg_roles r where rolname = current_user`)
  const role = rows[0]
  if (!role) throw new Error('The database does not know the role we are connected as')
  const reasons = [role.isSuper && 'superuser', role.mayBypass && 'BYPASSRLS', role.isOwner && 'owner'].filter(Boolean)
  if (reasons.length > 0) throw new Error(`Refusing to run as ${role.name}: it is ${reasons.join(', ')}`)
}

const { builtins } = pg.types

/**
 * bigint is read as a number (an error beyond 2^53, never a rounded one), date as YYYY-MM-DD, numeric as text so that money never
 * becomes a float, timestamps as Date.
 */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: string) => {
  if (format !== 'binary' && oid === builtins.INT8) return parseBigint
  if (format !== 'binary' && oid === builtins.DATE) return (text: string) => text
  return pg.types.getTypeParser(oid, format as 'text')
}

function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number: select it as text`)
  return value
}
