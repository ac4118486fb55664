import { randomUUIDv7 } from 'node:crypto'
import { Failure, type FieldError } from '@outpost/contract/errors'
import { identifier, join, sql } from '@outpost/platform/db/sql'
import { rowOf, tableOf } from '@outpost/platform/db/models'
import type { AnyResource, Ctx } from '../types.ts'
import { hasColumn, settableFields } from '../resource/define.ts'
import { prepared } from '@outpost/platform/db/prepared'
import type { Lines } from './relations.ts'
import { missingFields } from '../resource/schema.ts'
import { changedColumns } from '../resource/unchanged.ts'
import { deleteRows, insertRows, updateRows, type Columns } from '../resource/write.ts'

/** A line as the table holds it. */
export type LineRow = { id: string } & Columns
/** A line as a body or prepare gives it. */
export type GivenLine = { Id?: string } & Columns
/** Lines of one record: as stored and as they will be. */
export interface LinesWrite {
  id: string
  tenantId: string | undefined
  before: readonly LineRow[]
  after: readonly LineRow[]
}

/** The lines of records in their order, by record: one statement. */
export async function readLines(ctx: Ctx, { of, by, hasPlace }: Lines, ids: readonly string[]): Promise<Map<string, LineRow[]>> {
  const columns = join(Object.keys(tableOf(of.model).columns).map((key) => identifier('t', key)))
  const rows = await ctx.sql.query(
    prepared(
      sql`select ${columns} from ${identifier(of.table)} t where t."companyId" = ${ctx.company.id}::uuid and t.${identifier(by)} = any(${ids}::uuid[])
    order by ${hasPlace ? sql`t."position"` : identifier('t', of.list.sort[0])}, t."id"`,
      'write',
    ),
  )
  return Map.groupBy(
    rows.map((row) => rowOf(of.model, row) as unknown as LineRow),
    (row) => String(row[by]),
  )
}

/** Of these ids those of lines that exist, whichever record they belong to. */
export async function existingLines(ctx: Ctx, { of }: Lines, ids: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.sql.query<{ id: string }>(
    prepared(
      sql`select t."id" from ${identifier(of.table)} t where t."companyId" = ${ctx.company.id}::uuid and t."id" = any(${ids}::uuid[])`,
      'write',
    ),
  )
  return new Set(rows.map(({ id }) => id))
}

/** Lines that a record had: they may come back under their ids, which undoes their removal. `record id` of each. */
export async function formerLines(ctx: Ctx, resource: AnyResource, { field }: Lines, records: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.sql.query<{ key: string }>(
    prepared(
      sql`
    select distinct g."objectId" || ' ' || (s ->> 'Id') as key
    from audit_log g, jsonb_array_elements(case when jsonb_typeof(g."before" -> ${field}) = 'array' then g."before" -> ${field} else '[]' end) s
    where g."companyId" = ${ctx.company.id}::uuid and g."objectType" = ${resource.one} and g."objectId" = any(${records}::text[]) and g."action" = ${`${resource.one}.${field}`}`,
      'write',
    ),
  )
  return new Set(rows.map(({ key }) => key))
}

interface Settling {
  before: readonly LineRow[]
  isFree: (id: string) => boolean
}

/**
 * The lines as they are to be: one with the id of a line changes it, one without is new and gets what a new record of its
 * resource gets. INVALID names the line and the field (`lines.2.amount`), also for an id that is not a line of this record.
 */
export function resolveLines(lines: Lines, given: readonly GivenLine[], { before, isFree }: Settling): LineRow[] {
  const present = new Map(before.map((row) => [row.id, row]))
  const wrong: FieldError[] = []
  const settled = given.map((line, place) => {
    const { Id, id: _, ...values } = line as GivenLine & { id?: unknown }
    const known = Id === undefined ? undefined : present.get(Id)
    if (Id !== undefined && !known && !isFree(Id))
      wrong.push({ field: `${lines.field}.${place}.Id`, message: 'is not a line of this record' })
    const row: LineRow = known ? { ...known, ...values } : { id: Id ?? randomUUIDv7(), ...newLine(lines.of, values) }
    wrong.push(
      ...missingOf(lines, row, known === undefined).map((field) => ({ field: `${lines.field}.${place}.${field}`, message: 'is required' })),
    )
    return lines.hasPlace ? { ...row, position: place } : row
  })
  if (wrong.length > 0) throw new Failure('INVALID', { fields: wrong })
  return settled
}

/** Defaults of the fields that a new line leaves out. */
function newLine(of: AnyResource, values: Columns): Columns {
  const defaults = settableFields(of).filter(([key, { defaultValue }]) => defaultValue !== undefined && (values[key] ?? null) === null)
  return { ...values, ...Object.fromEntries(defaults.map(([key, { defaultValue }]) => [key, defaultValue])) }
}

function missingOf({ of, by }: Lines, row: LineRow, isNew: boolean): string[] {
  const always = isNew
    ? settableFields(of)
        .filter(([key, { required }]) => required && key !== by && (row[key] ?? '') === '')
        .map(([key]) => key)
    : []
  return [...new Set([...always, ...missingFields(of, row)])]
}

/** What a write does to the lines of a record. */
export function lineChanges(
  of: AnyResource,
  { before, after }: Pick<LinesWrite, 'before' | 'after'>,
): { added: LineRow[]; changed: { from: LineRow; to: LineRow }[]; removed: LineRow[] } {
  const present = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(after.map(({ id }) => id))
  return {
    added: after.filter(({ id }) => !present.has(id)),
    changed: after.flatMap((to) => {
      const from = present.get(to.id)
      return from && Object.keys(changedColumns(of, from, to)).length > 0 ? [{ from, to }] : []
    }),
    removed: before.filter(({ id }) => !kept.has(id)),
  }
}

/** Gives records exactly the lines they are to have: one statement each for those that go, change and come. */
export async function writeLines(ctx: Ctx, { of, by }: Lines, writes: readonly LinesWrite[]): Promise<void> {
  const changes = writes.map((write) => ({ ...write, ...lineChanges(of, write) }))
  await deleteRows(
    ctx,
    of,
    changes.flatMap(({ removed }) => removed.map(({ id }) => id)),
  )
  await updateRows(
    ctx,
    of,
    changes.flatMap(({ changed }) => changed.map(({ to }) => stamped(of, to))),
  )
  const added = changes.flatMap(({ id, tenantId, added: rows }) =>
    rows.map((row) => ({
      ...row,
      companyId: ctx.company.id,
      [by]: id,
      ...(hasColumn(of, 'tenantId') ? { tenantId } : {}),
    })),
  )
  await insertRows(ctx, of, added)
}

function stamped(of: AnyResource, { dateModified: _, version, ...row }: LineRow & { dateModified?: unknown; version?: unknown }): LineRow {
  return {
    ...row,
    ...(hasColumn(of, 'dateModified') ? { dateModified: new Date() } : {}),
    ...(typeof version === 'bigint' ? { version: version + 1n } : {}),
  } as LineRow
}
