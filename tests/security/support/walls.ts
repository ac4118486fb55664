import { readIn } from '@outpost/platform/db/context'
import type { DbContext } from '@outpost/platform/types'
import { hasOwnTenant, quoted, tablesOf } from './fill.ts'
import { userOf, type SecurityWorld } from './world.ts'

/** Rows that a context sees although they are behind a wall, by table. Speaks to Postgres as the services' roles, past the kernel. */
export async function leaksThroughWalls(world: SecurityWorld): Promise<string[]> {
  const {
    app: { database },
    a,
    b,
  } = world
  const wholeA: DbContext = { company: a.company.id, scope: '*', user: userOf(a, 'admin').id, tenant: a.company.id }
  const branchA: DbContext = { ...wholeA, scope: [a.branch.id, a.team.id], tenant: a.branch.id }
  const nobody: DbContext = { company: null, scope: [], user: null, tenant: null }
  const leaks: string[] = []
  for (const table of await readable(world, 'company_wall')) {
    const seen = (context: DbContext, where: string) => count(world, context, table, where)
    if ((await seen(wholeA, `"companyId" <> '${a.company.id}'`)) > 0) leaks.push(`${table}: another company's rows are seen`)
    if ((await seen(nobody, 'true')) > 0) leaks.push(`${table}: rows are seen without a company`)
    if (await mayWrite(world, wholeA, table)) leaks.push(`${table}: a row can be filed under another company (${b.company.name})`)
  }
  for (const table of await readable(world, 'scope_wall')) {
    if ((await count(world, branchA, table, thereIn(world, table))) > 0) leaks.push(`${table}: another branch's rows are seen`)
    if ((await count(world, wholeA, table, thereIn(world, table))) === 0)
      leaks.push(`${table}: the whole company does not see its branch, so the probe is empty`)
  }
  return database ? leaks : []
}

/** Rows of the other branch. Those of a device are named by its id: the device itself is behind its own wall. */
const thereIn = ({ a, inSibling }: SecurityWorld, table: string) =>
  hasOwnTenant(table) ? `"tenantId" = '${a.sibling.id}'` : `"deviceId" = '${inSibling['geo.device'] ?? ''}'`

async function readable({ app: { database } }: SecurityWorld, wall: 'company_wall' | 'scope_wall'): Promise<string[]> {
  const tables = await tablesOf(database.admin, wall)
  const { rows } = await database.admin.query<{ name: string }>(
    `select t as name from unnest($1::text[]) t where has_table_privilege(case when t like 'geo.%' then 'fx_geo' else 'fx_app' end, t, 'select')`,
    [tables],
  )
  return rows.map(({ name }) => name)
}

/** Each schema is read with the role of its own service. */
const poolOf = ({ app, geoPool }: SecurityWorld, table: string) => (table.startsWith('geo.') ? geoPool : app.database.pools.app)

async function count(world: SecurityWorld, context: DbContext, table: string, where: string): Promise<number> {
  const rows = await readIn(poolOf(world, table), context, {
    text: `select count(*)::int as n from ${quoted(table)} where ${where}`,
    values: [],
  })
  return Number((rows as { n: number }[])[0]?.n ?? 0)
}

/** Tries to move one row of A's to company B and rolls back; true when the wall let it. */
async function mayWrite(world: SecurityWorld, context: DbContext, table: string): Promise<boolean> {
  const { a, b } = world
  const client = await poolOf(world, table).connect()
  try {
    await client.query('begin')
    await client.query(`set local app.company = '${context.company}'`)
    await client.query(`set local app.scope = '*'`)
    await client.query(`set local app.stream = '${context.company}'`)
    const { rowCount } = await client.query(
      `update ${quoted(table)} set "companyId" = '${b.company.id}' where "companyId" = '${a.company.id}'`,
    )
    return (rowCount ?? 0) > 0
  } catch {
    return false // refused, by the wall, a right or a key
  } finally {
    await client.query('rollback')
    client.release()
  }
}
