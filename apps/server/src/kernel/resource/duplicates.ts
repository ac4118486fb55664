import { fail } from '@outpost/contract/errors'
import type { AnyResource, Ctx } from '../types.ts'

/** A live row of the company that holds a value which may stand only once. */
export interface Duplicate { id: string, column: string, value: string, /** In the caller's reach, so that its id may be told. */ isVisible: boolean }

/** Rows of the company, beyond the caller's reach too, that share a value with the given ones; one query for all. */
export async function findDuplicates(ctx: Ctx, resource: AnyResource, rows: readonly Record<string, unknown>[]): Promise<Duplicate[]> {
  const rule = resource.duplicates
  if (!rule) return []
  const values = Object.fromEntries(rule.columns.map((column) => [column, textsOf(rows, column)]))
  if (Object.values(values).every((texts) => texts.length === 0)) return []
  const found = await ctx.sql.query<{ id: string, tenantId: string, column: string, value: string }>(rule.find(values))
  return found.map(({ tenantId, ...row }) => ({ ...row, isVisible: ctx.scope === '*' || ctx.scope.includes(tenantId) }))
}

function textsOf(rows: readonly Record<string, unknown>[], column: string): string[] {
  return [...new Set(rows.map((row) => row[column]).filter((value): value is string => typeof value === 'string' && value !== ''))]
}

/** Fails with the rule's error, naming the fields, when another row holds a value of this one. */
export async function refuseDuplicates(ctx: Ctx, resource: AnyResource, row: Record<string, unknown> & { id: string }): Promise<void> {
  const found = (await findDuplicates(ctx, resource, [row])).filter(({ id }) => id !== row.id)
  const first = found.find(({ isVisible }) => isVisible) ?? found[0]
  if (!first || !resource.duplicates) return
  fail(resource.duplicates.error, {
    fields: [...new Set(found.map(({ column }) => column))].map((column) => ({ field: typedField(column), message: 'belongs to another record' })),
    ...(first.isVisible ? { details: { existingId: first.id } } : {}),
  })
}

/** Columns derived from what a person types, by the field they typed. */
const fieldNames: ReadonlyMap<string, string> = new Map(Object.entries({ trimmedPhonenumber: 'phonenumber' }))

/** The field a person typed, behind a column that rules compare. */
export const typedField = (column: string): string => fieldNames.get(column) ?? column
