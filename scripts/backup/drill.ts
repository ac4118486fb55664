import { setTimeout as wait } from 'node:timers/promises'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { verifyAuditChain } from '@outpost/platform/audit'
import { restoreBackup } from '@outpost/platform/backup/restore'
import type { BackupStore } from '@outpost/platform/backup/store'
import { findBinaries, type Binaries } from '@outpost/platform/db/cluster/binaries'
import { compareFiles } from './drill-files.ts'
import type { Sql, Statement } from '@outpost/platform/types'

export interface DrillOptions {
  store: BackupStore
  /** The living database, to compare with: a login that row-level security does not hold. */
  url: string
  workDir?: string
  /** Hours by which the newest restored entry of the audit log may be older than the living one. */
  lateHours?: number
  at?: Date | undefined
  /** Uploaded files are in the backups too. */
  withFiles?: boolean
}

export interface Drill {
  backup: string
  /** Rows of each table, restored and living. */
  tables: { name: string; restored: number; living: number }[]
  /** Entries of the audit log whose chain was recomputed in the restored database. */
  auditEntries: number
  /** Uploaded files that are in the backups, and those whose bytes were compared. */
  files?: number
  filesRead?: number
  /** What is wrong, in words; empty when the backup is good. */
  problems: string[]
}

/**
 * Proves a backup: restores the newest into a temporary cluster, lets Postgres recover, and compares it with the living database: the
 * same tables, their rows, every audit chain recomputed and equal to the living one entry by entry, the files that they name. Needs the programs of Postgres 18.
 */
export async function drillBackup({ store, url, workDir = tmpdir(), lateHours = 24, at, withFiles = false }: DrillOptions): Promise<Drill> {
  const folder = await mkdtemp(join(workDir, 'outpost-drill-'))
  await chmod(folder, 0o755)
  const cluster = join(folder, 'data')
  try {
    const backup = await restoreBackup({ store, to: cluster, at })
    const { hostname, pathname, username } = new URL(url)
    if (hostname === '' || username === '') throw new Error('DATABASE_URL: a drill compares with a database and needs its login')
    const database = decodeURIComponent(pathname.slice(1))
    return await withRestored({ folder, cluster, user: decodeURIComponent(username), database }, async (restored) => {
      const living = new pg.Client({ connectionString: url })
      await living.connect()
      try {
        const drill = { backup: backup.name, ...(await compare(restored, living, lateHours)) }
        if (!withFiles) return drill
        const { problems, ...files } = await compareFiles(restored, living, store)
        return { ...drill, ...files, problems: [...drill.problems, ...problems] }
      } finally {
        await living.end()
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Recovers the cluster and opens its database over a socket that only this user reaches. */
async function withRestored<Result>(
  { folder, cluster, user, database }: { folder: string; cluster: string; user: string; database: string },
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const binaries = await findBinaries(folder)
  // The restored rules name hosts and logins of another place; the folder itself keeps others out.
  await writeFile(join(cluster, 'pg_hba.conf'), 'local all all trust\n')
  const sockets = join(folder, 'socket')
  await rm(join(cluster, 'postmaster.pid'), { force: true })
  await ownSockets(binaries, sockets, cluster)
  const lastWords = async () => (await readFile(join(cluster, 'drill.log'), 'utf8').catch(() => '')).trim().split('\n').slice(-3).join('; ')
  await binaries.run('pg_ctl', startArguments(cluster, sockets)).catch(async () => {
    throw new Error(`Postgres does not recover: ${await lastWords()}`)
  })
  try {
    const client = await awaitRecovered({ host: sockets, port: 5432, user, database }, lastWords)
    try {
      return await use(client)
    } finally {
      await client.end()
    }
  } finally {
    // After a failed recovery nothing runs any more.
    await binaries.run('pg_ctl', ['stop', '-D', cluster, '-m', 'immediate', '-w']).catch(() => undefined)
  }
}

/** Connects once all WAL is applied; until then Postgres says that it accepts no connections. */
async function awaitRecovered(config: pg.ClientConfig, lastWords: () => Promise<string>): Promise<pg.Client> {
  for (;;) {
    const client = new pg.Client(config)
    try {
      await client.connect()
      return client
    } catch (error) {
      const isRecovering = (error as { code?: string }).code === '57P03'
      if (!isRecovering) throw new Error(`Postgres does not recover: ${await lastWords()}`, { cause: error })
      await wait(200)
    }
  }
}

async function ownSockets(binaries: Binaries, sockets: string, cluster: string): Promise<void> {
  await mkdir(sockets, { mode: 0o700 })
  await binaries.own(sockets)
  if (!(await binaries.owns(cluster))) await binaries.ownAll(cluster)
}

function startArguments(cluster: string, sockets: string): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    port: '5432',
    hba_file: join(cluster, 'pg_hba.conf'),
    archive_mode: 'off',
    hot_standby: 'off',
    shared_buffers: '128MB',
    ssl: 'off',
    logging_collector: 'off',
  }
  const flags = Object.entries(settings)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ')
  return ['start', '-D', cluster, '-w', '-t', '7200', '-l', join(cluster, 'drill.log'), '-o', flags]
}

async function compare(restored: pg.Client, living: pg.Client, lateHours: number): Promise<Omit<Drill, 'backup'>> {
  const problems: string[] = []
  const [before, after] = [await countTables(restored), await countTables(living)]
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  const tables = names.map((name) => ({ name, restored: before.get(name) ?? -1, living: after.get(name) ?? -1 }))
  for (const table of tables) {
    if (table.restored === -1) problems.push(`${table.name} is missing`)
    else if (table.restored === 0 && table.living > 100) problems.push(`${table.name} is empty, and has ${table.living} rows`)
  }
  if (tables.length === 0) problems.push('there are no tables at all')
  const chains = await verifyAuditChain(sqlOf(restored))
  for (const { companyId, seq, reason } of chains.slice(0, 20)) problems.push(`audit chain of ${companyId}: entry ${seq} (${reason})`)
  problems.push(...(before.has('public.audit_log') ? await compareChains(restored, living, lateHours) : []))
  return { tables, auditEntries: before.get('public.audit_log') ?? 0, problems }
}

const countTables = async (client: pg.Client): Promise<Map<string, number>> => {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and not c.relispartition and n.nspname in ('public', 'geo', 'report')
    union all select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'p' and n.nspname in ('public', 'geo', 'report') order by 1`)
  const counts = new Map<string, number>()
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ rows: string }>(`select count(*) as rows from ${name}`)
    counts.set(name, Number(found[0]?.rows))
  }
  return counts
}

/** The end of each restored chain is an entry of the living one, the same, and not much older than its end. */
async function compareChains(restored: pg.Client, living: pg.Client, lateHours: number): Promise<string[]> {
  const ends = `select distinct on ("companyId") "companyId", "seq"::text as seq, encode("hash", 'hex') as hash, "at" from public.audit_log order by "companyId", "seq" desc`
  interface End {
    companyId: string
    seq: string
    hash: string
    at: Date
  }
  const [old, now] = [(await restored.query<End>(ends)).rows, (await living.query<End>(ends)).rows]
  const known = new Map(old.map((end) => [end.companyId, end]))
  const problems: string[] = []
  for (const { companyId, at } of now) {
    const end = known.get(companyId)
    const lateMs = at.getTime() - (end?.at.getTime() ?? 0)
    if (lateMs > lateHours * 3_600_000)
      problems.push(
        end
          ? `company ${companyId}: the newest restored entry is of ${end.at.toISOString()}, the living one of ${at.toISOString()}`
          : `company ${companyId} is missing`,
      )
  }
  for (const { companyId, seq, hash } of old) {
    const { rowCount } = await living.query(
      `select from public.audit_log where "companyId" = $1 and "seq" = $2 and "hash" = decode($3, 'hex')`,
      [companyId, seq, hash],
    )
    if (rowCount !== 1) problems.push(`company ${companyId}: entry ${seq} of the audit log is another one in the living database`)
  }
  return problems
}

function sqlOf(client: pg.Client): Pick<Sql, 'query'> {
  return {
    query: async <Row extends object>({ text, values }: Statement) => (await client.query<Row>(text, values)).rows,
  }
}
