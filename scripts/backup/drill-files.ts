import type pg from 'pg'
import { storedHash } from '@outpost/platform/backup/files'
import type { BackupStore } from '@outpost/platform/backup/store'

/** Files whose bytes are read in a drill, drawn anew each time; that one is there is checked of all. */
const readMost = 2_000

export interface FileDrill {
  /** Files that the restored database names and the living one still has. */
  files: number
  /** Those whose bytes were read and compared with their checksum. */
  filesRead: number
  problems: string[]
}

interface Named {
  key: string
  sha256: string
}

/** Every file that restored and living database name lies in the backups, and its bytes are those that the restored database knows. */
export async function compareFiles(restored: pg.Client, living: pg.Client, store: BackupStore): Promise<FileDrill> {
  const now = new Set((await namedFiles(living)).map(({ key }) => key))
  const named = (await namedFiles(restored)).filter(({ key }) => now.has(key))
  const stored = new Set((await store.list('files')).map((name) => name.slice('files/'.length)))
  const problems = named.filter(({ key }) => !stored.has(key)).map(({ key }) => `the file ${key} is missing`)
  const drawn = named.filter(({ key }) => stored.has(key)).slice(0, readMost)
  for (const { key, sha256 } of drawn)
    if ((await storedHash(store, key)) !== sha256) problems.push(`the file ${key} is not what was uploaded`)
  const more = problems.length - 20
  return {
    files: named.length,
    filesRead: drawn.length,
    problems: [...problems.slice(0, 20), ...(more > 0 ? [`and ${more} files more`] : [])],
  }
}

/** What all tables with a key and a checksum name, in an order that is drawn; rows whose file was removed name none. */
async function namedFiles(client: pg.Client): Promise<Named[]> {
  const { rows: tables } = await client.query<{ name: string; ended: string | null }>(`
    select format('%I.%I', n.nspname, c.relname) as name,
      (select string_agg(format('%I is null', a.attname), ' and ') from pg_attribute a
       where a.attrelid = c.oid and a.attname in ('removedAt', 'deletedAt') and not a.attisdropped) as ended
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and (select count(*) from pg_attribute a where a.attrelid = c.oid and a.attname in ('storageKey', 'sha256') and not a.attisdropped) = 2 order by 1`)
  if (tables.length === 0) return []
  const parts = tables.map(
    ({ name, ended }) =>
      `select "storageKey" as key, encode("sha256", 'hex') as sha256 from ${name} where "storageKey" is not null ${ended ? `and ${ended}` : ''}`,
  )
  return (
    await client.query<Named>(`select key, min(sha256) as sha256 from (${parts.join(' union all ')}) f group by key order by random()`)
  ).rows
}
