import { fail, type ErrorName, type NamedError } from '@outpost/contract/errors'
import { pgConstraint, pgErrorKind } from '@outpost/platform/db/errors'
import { rowOf, tableOf } from '@outpost/platform/db/models'
import { empty, identifier, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { AnyResource, Ctx } from '../types.ts'
import { hasColumn } from './define.ts'
import { selectionOf } from './read/columns.ts'
import { prepared } from '@outpost/platform/db/prepared'
import { visibleRows } from './read/query.ts'

/** A record as the wire shows it. */
export type WireRecord = { Id: string } & Record<string, unknown>
/** Columns to write, by name. */
export type Columns = Record<string, unknown>
/** How written records are given back: as their detail shows them, or what their own table holds, which costs far less. */
export type WrittenAs = 'detail' | 'row'

/** Inserts rows and gives their wire records by id: one statement for all that leave the same defaults to the table. */
export async function insertRows(
  ctx: Ctx,
  resource: AnyResource,
  rows: readonly Columns[],
  use: WrittenAs = 'detail',
): Promise<Map<string, WireRecord>> {
  const table = identifier(resource.table)
  return bySet(rows.length > 1 ? filled(resource, rows) : rows, (set, keys) => {
    refuseUnknown(resource, keys)
    const names = join(keys.map((key) => identifier(key)))
    return written(
      ctx,
      { resource, use },
      sql`insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, ${toJson(set)}::json) returning *`,
    )
  })
}

/** Changes rows that the caller has locked and gives their wire records by id: one statement for all that name the same columns. */
export async function updateRows(
  ctx: Ctx,
  resource: AnyResource,
  rows: readonly ({ id: string } & Columns)[],
  use: WrittenAs = 'detail',
): Promise<Map<string, WireRecord>> {
  const table = identifier(resource.table)
  return bySet(rows, (set, keys) => {
    // Where nothing but what lies in other tables changes, the row is written as it is.
    const named = keys.filter((key) => key !== 'id')
    const sets = join((named.length > 0 ? named : ['id']).map((key) => sql`${identifier(key)} = s.${identifier(key)}`))
    return written(
      ctx,
      { resource, use },
      sql`update ${table} t set ${sets} from json_populate_recordset(null::${table}, ${toJson(set)}::json) s
      where t."companyId" = ${ctx.company.id}::uuid and t."id" = s."id" returning t.*`,
    )
  })
}

export async function deleteRows(ctx: Ctx, resource: AnyResource, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const statement = sql`delete from ${identifier(resource.table)} t where t."companyId" = ${ctx.company.id}::uuid and t."id" = any(${ids}::uuid[])`
  await refusing(resource, () => ctx.sql.exec(prepared(statement, 'write')))
}

/** Locks the caller's rows and gives them in the model's types; fewer than asked for when some are out of sight. */
export async function lockRows(
  ctx: Ctx,
  resource: AnyResource,
  { ids, rows }: { ids: readonly string[]; rows: 'live' | 'all' },
): Promise<Columns[]> {
  const columns = join(Object.keys(tableOf(resource.model).columns).map((key) => identifier('t', key)))
  const statement = sql`select ${columns} from ${identifier(resource.table)} t where ${visibleRows(ctx, resource, rows)}
    and t."id" = any(${ids}::uuid[]) order by t."id" for update of t`
  const found = await ctx.sql.query(prepared(statement, 'write'))
  return found.map((row) => rowOf(resource.model, row))
}

/** The caller's wire record as JSON text; empty when it is out of sight. */
export function readText(ctx: Ctx, resource: AnyResource, id: string, rows?: 'live' | 'all'): Promise<string> {
  const { columns, joins } = selectionOf(resource, 'detail')
  const from = sql`${identifier(resource.table)} t ${joins} where ${visibleRows(ctx, resource, rows)} and t."id" = ${id}::uuid`
  return ctx.sql.text(prepared(sql`select coalesce((select row_to_json(r)::text from (select ${columns} from ${from}) r), '')`, 'write'))
}

/** The caller's wire record; NOT_FOUND when it is missing, of another company or out of reach. */
export async function readRecord(ctx: Ctx, resource: AnyResource, id: string): Promise<WireRecord> {
  const text = await readText(ctx, resource, id)
  return text === '' ? fail(notFound(resource)) : (JSON.parse(text) as WireRecord)
}

/** Wire records by id, for a caller that has written them. */
export async function readRecords(ctx: Ctx, resource: AnyResource, ids: readonly string[]): Promise<Map<string, WireRecord>> {
  const { columns, joins } = selectionOf(resource, 'detail')
  const records = await recordsOf(
    ctx,
    sql`select ${columns} from ${identifier(resource.table)} t ${joins}
    where t."companyId" = ${ctx.company.id}::uuid and t."id" = any(${ids}::uuid[])`,
  )
  return new Map(records.map((record) => [record.Id, record]))
}

/** What a missing record of the resource is refused as. */
export const notFound = (resource: AnyResource): ErrorName | NamedError => resource.notFound ?? 'NOT_FOUND'

/** Runs a statement for each set of rows that name the same columns. */
async function bySet<Row extends Columns>(
  rows: readonly Row[],
  run: (set: readonly Row[], keys: string[]) => Promise<WireRecord[]>,
): Promise<Map<string, WireRecord>> {
  const records = new Map<string, WireRecord>()
  for (const [keys, set] of Map.groupBy(rows, (row) => Object.keys(row).sort().join(' '))) {
    for (const record of await run(set, keys.split(' '))) records.set(record.Id, record)
  }
  return records
}

/** What only some of the rows name is empty in the others, so that they fit one statement; a column with a default keeps that. */
function filled(resource: AnyResource, rows: readonly Columns[]): Columns[] {
  const { columns } = tableOf(resource.model)
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (key) => Object.hasOwn(columns, key) && columns[key]?.hasDefault === false,
  )
  const empty = Object.fromEntries(keys.map((key) => [key, null]))
  return rows.map((row) => ({ ...empty, ...row }))
}

async function written(ctx: Ctx, { resource, use }: { resource: AnyResource; use: WrittenAs }, write: Statement): Promise<WireRecord[]> {
  const { columns, joins } = selectionOf(resource, use)
  return refusing(resource, () => recordsOf(ctx, sql`select ${columns} from w t ${joins}`, sql`with w as (${write})`))
}

async function recordsOf(ctx: Ctx, rows: Statement, before: Statement = empty): Promise<WireRecord[]> {
  const statement = sql`${before} select row_to_json(r)::text as record from (${rows}) r`
  const found = await ctx.sql.query<{ record: string }>(prepared(statement, 'write'))
  return found.map(({ record }) => JSON.parse(record) as WireRecord)
}

function refuseUnknown(resource: AnyResource, keys: readonly string[]): void {
  const unknown = keys.find((key) => !hasColumn(resource, key))
  if (unknown !== undefined) throw new Error(`${resource.table} has no column ${unknown}`)
}

/** JSON that json_populate_record reads back by the types of the columns. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return part.toString()
    return part === undefined ? null : part
  })
}

/** Turns what the database refuses into named errors: taken values, records still in use, references to nothing. */
export async function refusing<Result>(resource: AnyResource, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    const kind = pgErrorKind(error)
    if (kind !== 'unique' && kind !== 'foreignKey') throw error
    const fields = constraintFields(resource, pgConstraint(error))
    if (kind === 'unique') return fail('ALREADY_EXISTS', { fields: fields.map((field) => ({ field, message: 'is taken' })) })
    const isMissing = error instanceof Error && error.message.startsWith('insert or update')
    if (isMissing) return fail('INVALID', { fields: fields.map((field) => ({ field, message: 'does not exist' })) })
    return fail('STILL_IN_USE')
  }
}

/** Fields in a constraint's name, which is made of table and columns; row-level security hides Postgres's own detail. */
function constraintFields(resource: AnyResource, constraint = ''): string[] {
  if (constraint === `${resource.table}_pkey`) return ['Id']
  const { columns } = tableOf(resource.model)
  const parts = constraint.slice(resource.table.length + 1).split('_')
  return parts.filter((part) => Object.hasOwn(columns, part) && part !== 'companyId' && part !== 'tenantId')
}
