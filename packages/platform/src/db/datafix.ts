import pg from 'pg'
import { roleUrl } from './role-list.ts'

interface DatafixOptions {
  /** The database; the login in it is replaced by a role of the deployment. */
  url: string
  deploySecret: string
}

/**
 * Runs one transaction over rows of all companies, as fx_datafix. Where nobody could give that role BYPASSRLS (managed Postgres), it runs as the
 * owner, for whom the walls are lowered inside the transaction alone: its locks keep everybody else out until the walls are back.
 */
export async function withDatafix<Result>(
  { url, deploySecret }: DatafixOptions,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const isBypassing = await mayBypass({ url, deploySecret })
  const client = isBypassing
    ? new pg.Client({ connectionString: roleUrl(url, 'fx_datafix', deploySecret) })
    : new pg.Client({ connectionString: roleUrl(url, 'fx_migrate', deploySecret), options: '-c role=fx_owner -c lock_timeout=30s' })
  await client.connect()
  try {
    await client.query('begin')
    const walls = isBypassing ? [] : await forcedTables(client)
    for (const table of walls) await client.query(`alter table ${table} no force row level security`)
    const result = await use(client)
    for (const table of walls) await client.query(`alter table ${table} force row level security`)
    await client.query('commit')
    return result
  } finally {
    await client.end()
  }
}

async function mayBypass({ url, deploySecret }: DatafixOptions): Promise<boolean> {
  const client = new pg.Client({ connectionString: roleUrl(url, 'fx_migrate', deploySecret) })
  await client.connect()
  try {
    return (await client.query(`select from pg_roles where rolname = 'fx_datafix' and rolbypassrls`)).rowCount === 1
  } finally {
    await client.end()
  }
}

async function forcedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relforcerowsecurity order by 1`)
  return rows.map(({ name }) => name)
}
