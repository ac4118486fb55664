import { fail, type ErrorName } from '@outpost/contract/errors'
import { pgConstraint, pgErrorKind } from '@outpost/platform/db/errors'
import { rowOf, tableOf, type ModelName, type ModelRow } from '@outpost/platform/db/models'
import { identifier, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { refuseUsersBeyondReach, requireWholeCompany } from '../session/reach.ts'
import type { AnyResource, Ctx, Resource } from '../types.ts'
import { selectionOf } from './columns.ts'
import { resourceNamed } from './define.ts'
import { visibleRows } from './query.ts'

/** A record as the wire shows it. */
export type WireRecord = { Id: string } & Record<string, unknown>
/** Columns to write, by name. */
export type Columns = Record<string, unknown>

/** Inserts one row and gives the wire record. */
export function insertRow(ctx: Ctx, resource: AnyResource, columns: Columns): Promise<WireRecord> {
  const names = columnList(resource, columns)
  const table = identifier(resource.table)
  return written(ctx, resource, sql`insert into ${table} (${names()}) select ${names()} from json_populate_record(null::${table}, ${toJson(columns)}::json) returning *`)
}

/** Changes one row that the caller has locked and gives the wire record. */
export function updateRow(ctx: Ctx, resource: AnyResource, id: string, columns: Columns): Promise<WireRecord> {
  return written(ctx, resource, updateStatement(ctx, resource, [{ id, ...columns }]))
}

/** Changes rows that the caller has locked; all must name the same columns. */
export async function updateRows(ctx: Ctx, resource: AnyResource, rows: readonly ({ id: string } & Columns)[]): Promise<void> {
  await refusing(resource, () => ctx.sql.exec(updateStatement(ctx, resource, rows)))
}

export async function deleteRows(ctx: Ctx, resource: AnyResource, ids: readonly string[]): Promise<void> {
  await refusing(resource, () => ctx.sql.exec(
    sql`delete from ${identifier(resource.table)} t where t."companyId" = ${ctx.company.id}::uuid and t."id" = any(${ids}::uuid[])`,
  ))
}

/** Locks the caller's rows and gives them in the model's types; fewer than asked for when some are out of sight. */
export async function lockRows<Model extends ModelName>(ctx: Ctx, resource: Resource<Model>, ids: readonly string[]): Promise<ModelRow<Model>[]> {
  const rows = await ctx.sql.query(rowsStatement(ctx, resource, ids, trusted('order by t."id" for update of t')))
  return rows.map((row) => rowOf(resource.model, row))
}

/** The caller's wire record as JSON text; empty when it is out of sight. */
export function readText(ctx: Ctx, resource: AnyResource, id: string, rows?: 'live' | 'all'): Promise<string> {
  const { columns, joins } = selectionOf(resource, 'detail')
  const from = sql`${identifier(resource.table)} t ${joins} where ${visibleRows(ctx, resource, rows)} and t."id" = ${id}::uuid`
  return ctx.sql.text(sql`select coalesce((select row_to_json(r)::text from (select ${columns} from ${from}) r), '')`)
}

/** The name under which a missing record of the resource is told. */
export function notFound(resource: AnyResource): ErrorName {
  if (resource.one === 'lead') return 'LEAD_NOT_FOUND'
  return resource.one === 'activity' ? 'ACTIVITY_NOT_FOUND' : 'NOT_FOUND'
}

/**
 * Fails when a reference that changes points to no living record of the company, or, where records are not cut by tenant
 * already, to one beyond the caller's reach; users must be active as well.
 */
export async function refuseForeign(ctx: Ctx, resource: AnyResource, columns: Columns, before: Columns = {}): Promise<void> {
  const checks: Statement[] = []
  for (const [key, value] of Object.entries(columns)) {
    const { kind = '', to, isSetApart } = resource.fields[key] ?? {}
    const target = to !== undefined && !isSetApart && ['reference', 'multiReference'].includes(kind) ? resourceNamed(to) : undefined
    const ids = [value].flat().filter((id): id is string => typeof id === 'string' && ![before[key]].flat().includes(id))
    if (!target || ids.length === 0) continue
    if (target.table === 'app_user') await refuseUsersBeyondReach(ctx, ids, key)
    else checks.push(sql`select ${key}::text as field where (select count(*) from ${identifier(target.table)} t where ${referable(ctx, target)} and t."id" = any(${ids}::uuid[])) < ${new Set(ids).size}::int`)
  }
  if (checks.length === 0) return
  const missing = await ctx.sql.query<{ field: string }>(join(checks, ' union all '))
  if (missing.length > 0) fail('INVALID', { fields: missing.map(({ field }) => ({ field, message: 'does not exist' })) })
}

/** What a reference may point to. Settings filed under a tenant above the caller's are everybody's below it. */
const referable = (ctx: Ctx, target: AnyResource): Statement => (target.isScoped
  ? sql`t."companyId" = ${ctx.company.id}::uuid ${trusted(target.isSoftDeleted ? 'and t."deletedAt" is null' : '')}`
  : visibleRows(ctx, target))

/** Fails unless the caller's reach holds what the resource says of its writers (writtenBy): of the record before and after. */
export function refuseBeyondReach(ctx: Ctx, resource: AnyResource, ...records: readonly Columns[]): void {
  const { isScoped, writtenBy, one } = resource
  if (isScoped || writtenBy === 'prepared') return
  if (writtenBy === undefined) throw new Error(`${one} is written, but says nothing of whose reach its writers need: writtenBy`)
  if (ctx.scope === '*') return
  if (writtenBy === 'company') return requireWholeCompany(ctx)
  for (const record of records) {
    const named = writtenBy.flatMap((field) => (typeof record[field] === 'string' ? [{ field, tenantId: record[field].toLowerCase() }] : []))
    if (named.length === 0) requireWholeCompany(ctx)
    const beyond = named.filter(({ tenantId }) => !ctx.scope.includes(tenantId))
    if (beyond.length > 0) fail('FORBIDDEN', { fields: beyond.map(({ field }) => ({ field, message: 'lies outside your reach' })) })
  }
}

function rowsStatement(ctx: Ctx, resource: AnyResource, ids: readonly string[], end: Statement): Statement {
  return sql`select t.* from ${identifier(resource.table)} t where ${visibleRows(ctx, resource)} and t."id" = any(${ids}::uuid[]) ${end}`
}

function updateStatement(ctx: Ctx, resource: AnyResource, rows: readonly ({ id: string } & Columns)[]): Statement {
  const { id: _, ...columns } = rows[0] ?? { id: '' }
  const sets = Object.keys(columns).map((key) => sql`${identifier(key)} = s.${identifier(key)}`)
  const table = identifier(resource.table)
  return sql`update ${table} t set ${join(sets)} from json_populate_recordset(null::${table}, ${toJson(rows)}::json) s
    where t."companyId" = ${ctx.company.id}::uuid and t."id" = s."id" returning t.*`
}

async function written(ctx: Ctx, resource: AnyResource, write: Statement): Promise<WireRecord> {
  const { columns, joins } = selectionOf(resource, 'detail')
  const text = await refusing(resource, () => ctx.sql.text(sql`with w as (${write}) select row_to_json(r)::text from (select ${columns} from w t ${joins}) r`))
  return JSON.parse(text) as WireRecord
}

function columnList(resource: AnyResource, columns: Columns) {
  const known = tableOf(resource.model).columns
  const unknown = Object.keys(columns).find((key) => !Object.hasOwn(known, key))
  if (unknown !== undefined) throw new Error(`${resource.table} has no column ${unknown}`)
  return () => join(Object.keys(columns).map((key) => identifier(key)))
}

/** JSON that json_populate_record reads back by the types of the columns. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return part.toString()
    return part === undefined ? null : part
  })
}

/** Turns what the database refuses into named errors: taken values, records still in use, references to nothing. */
async function refusing<Result>(resource: AnyResource, write: () => Promise<Result>): Promise<Result> {
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
