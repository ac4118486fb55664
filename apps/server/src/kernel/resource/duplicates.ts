import { Failure } from '@outpost/contract/errors'
import { reaches } from '../session/reach.ts'
import { inSentence } from '../in-sentence.ts'
import type { AnyResource, Ctx } from '../types.ts'
import type { DuplicateRule } from './duplicate-rule.ts'
import { prepared } from '@outpost/platform/db/prepared'
import type { Batch, Writing } from './writing.ts'

/** A live row of the company that holds a value which must be unique. */
export interface Duplicate {
  id: string
  column: string
  value: string
  /** In the caller's reach, so that its id may be shown. */ isVisible: boolean
}

/** Rows of the company, beyond the caller's reach too, that share a value with the given ones; one query for all. */
export async function findDuplicates(ctx: Ctx, resource: AnyResource, rows: readonly Record<string, unknown>[]): Promise<Duplicate[]> {
  const rule = resource.duplicates
  if (!rule) return []
  const values = Object.fromEntries(rule.columns.map((column) => [column, textsOf(rows, column)]))
  if (Object.values(values).every((texts) => texts.length === 0)) return []
  const found = await ctx.sql.query<{ id: string; tenantId: string; column: string; value: string }>(prepared(rule.find(values), 'write'))
  return found.map(({ tenantId, ...row }) => ({ ...row, isVisible: reaches(ctx, tenantId) }))
}

function textsOf(rows: readonly Record<string, unknown>[], column: string): string[] {
  return [...new Set(rows.map((row) => row[column]).filter((value): value is string => typeof value === 'string' && value !== ''))]
}

/** Refusals of changes that would share a value with another row or with an earlier change: the rule's error, naming the fields. */
export async function findDuplicateFailures({ ctx, resource }: Batch, writings: readonly Writing[]): Promise<Map<Writing, Failure>> {
  const rule = resource.duplicates
  const rows = writings
    .filter(({ change }) => change.kind !== 'remove')
    .map((writing) => ({ writing, row: writing.change.kind === 'restore' ? (writing.before ?? {}) : writing.values }))
  const failures = new Map<Writing, Failure>()
  if (!rule || rows.length === 0) return failures
  const given = rows.map(({ row }) => row)
  const stored = Map.groupBy(await findDuplicates(ctx, resource, given), keyOf)
  for (const { writing, row } of rows) {
    const own = rule.columns.flatMap((column) =>
      typeof row[column] === 'string' && row[column] !== '' ? [{ column, value: row[column] }] : [],
    )
    const found = own.flatMap((held) => (stored.get(keyOf(held)) ?? []).filter(({ id }) => id !== writing.id))
    if (found.length > 0) failures.set(writing, refusal(rule, { resource, writing, found }))
    // The next change with the same value is the second one.
    else for (const held of own) stored.set(keyOf(held), [...(stored.get(keyOf(held)) ?? []), { ...held, id: writing.id, isVisible: true }])
  }
  return failures
}

const keyOf = ({ column, value }: Pick<Duplicate, 'column' | 'value'>) => `${column} ${value.toLowerCase()}`

function refusal(
  rule: DuplicateRule,
  { resource, writing: { change, before = {} }, found }: { resource: AnyResource; writing: Writing; found: readonly Duplicate[] },
): Failure {
  const visible = found.find(({ isVisible }) => isVisible)
  const fields = [...new Set(found.map(({ column }) => column))].map((column) => ({
    field: typedField(rule, column),
    message: 'belongs to another record',
  }))
  const why = fields.map(({ field, message }) => `${inSentence(resource.fields[field]?.label ?? field)} ${message}`).join(', ')
  return new Failure(rule.error, {
    fields,
    ...(visible ? { details: { existingId: visible.id } } : {}),
    ...(change.kind === 'restore' ? { message: `${titleOf(resource, before)} cannot come back: ${why}.` } : {}),
  })
}

function titleOf(resource: AnyResource, row: Record<string, unknown>): string {
  const names = [row['firstName'], row['lastName'], row['name']].filter((part) => typeof part === 'string' && part !== '')
  return String(row[resource.title] ?? (names.join(' ') || row['id']))
}

/** The field a person typed, behind a column that the rule compares. */
export function typedField(rule: DuplicateRule, column: string): string {
  const { typed = {} } = rule
  return Object.hasOwn(typed, column) ? (typed[column] ?? column) : column
}
