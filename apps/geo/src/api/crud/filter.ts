import { filterOperators, isGroup, maxConditions, partsOf, termsOf, type FilterPart, type FilterTerm } from '@outpost/contract/envelope'
import { fail } from '@outpost/contract/errors'
import { isIdentifier } from '@outpost/rules/validation'
import { escapeLike, every, some, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import type { GeoCtx } from '../types.ts'
import type { FilterField } from './filter-field.ts'
import type { GeoResource } from './resource.ts'

const term = z.strictObject({
  field: z.string().max(60),
  op: z.enum(filterOperators),
  value: z.union([z.string().max(500), z.number(), z.boolean(), z.array(z.union([z.string().max(500), z.number()])).max(500)]).optional(),
})
const groupOf = <Part extends z.ZodType>(part: Part) =>
  z.union([z.strictObject({ all: z.array(part).min(1) }), z.strictObject({ any: z.array(part).min(1) })])
const inner = z.union([term, groupOf(term)])
const parts = z
  .array(z.union([term, groupOf(inner)]), 'is not a list of conditions')
  .refine((given) => termsOf(given as FilterPart[]).length <= maxConditions, `may hold ${maxConditions} conditions at most`)

/** The filter of a list call, as JSON text: the same as in the server's lists. */
export const filterText = z
  .string()
  .max(20_000)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(parts)
  .transform((given) => given as FilterPart[])

/** A condition for each part of a filter. Stops with INVALID for a field or an operator that the resource does not know. */
export function filterConditions(ctx: GeoCtx, resource: GeoResource, filter: readonly FilterPart[] = []): Statement[] {
  return filter.map((part): Statement => {
    if (!isGroup(part)) return conditionOf(ctx, resource, part)
    const conditions = filterConditions(ctx, resource, partsOf(part))
    return 'all' in part ? every(conditions) : some(conditions)
  })
}

function conditionOf(ctx: GeoCtx, resource: GeoResource, { field, op, value }: FilterTerm): Statement {
  const [known, shown] = [Object.hasOwn(resource.filters ?? {}, field) ? resource.filters?.[field] : undefined, resource.fields[field]]
  if (!known || !shown) return refuse(`${field} is not a field that can be filtered`)
  const target = known.value ?? shown
  if (op === 'empty') return sql`coalesce(${target}::text, '') = ''`
  if (op === 'notEmpty') return sql`coalesce(${target}::text, '') <> ''`
  const values = (Array.isArray(value) ? value : [value]).map((one) => checked(field, known.kind, one))
  if (op === 'contains' && known.kind === 'text')
    return sql`upper(${target}::text) like ${`%${escapeLike(values.join('').trim().toUpperCase())}%`}`
  if (known.kind === 'time') return timeCondition(ctx, target, { op, value: values[0] ?? '' }) ?? refuse(`${field} does not know ${op}`)
  if (op !== 'eq' && op !== 'ne' && op !== 'in') return refuse(`${field} does not know ${op}`)
  const among = amongOf(ctx, target, known.kind, values)
  return op === 'ne' ? sql`(${among}) is not true` : among
}

function amongOf({ caller }: GeoCtx, target: Statement, kind: FilterField['kind'], values: string[]): Statement {
  if (kind === 'tenant')
    return sql`${target} in (select b."id" from public.tenant b where b."companyId" = ${caller.company} and b."path" && ${values}::uuid[])`
  return sql`${target} = any(${values}::${trusted({ text: 'text', boolean: 'boolean', time: 'timestamptz', id: 'uuid' }[kind])}[])`
}

/** A day as a value means all of it, in the company's time zone. */
function timeCondition(
  { caller }: GeoCtx,
  target: Statement,
  { op, value }: { op: FilterTerm['op']; value: string },
): Statement | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value)
  const from = isDay ? sql`(${value}::date::timestamp at time zone ${caller.timeZone})` : sql`${value}::timestamptz`
  const to = isDay
    ? sql`((${value}::date + 1)::timestamp at time zone ${caller.timeZone})`
    : sql`${value}::timestamptz + interval '1 millisecond'`
  switch (op) {
    case 'gte':
      return sql`${target} >= ${from}`
    case 'lte':
      return sql`${target} < ${to}`
    case 'eq':
      return sql`${target} >= ${from} and ${target} < ${to}`
    case 'ne':
      return sql`(${target} >= ${from} and ${target} < ${to}) is not true`
    default:
      return undefined
  }
}

/** The value as text that Postgres can surely cast. */
function checked(field: string, kind: FilterField['kind'], value: unknown): string {
  const text = String(value ?? '')
  if (value === undefined || text.includes('\0')) return refuse(`${field} needs a value`)
  if ((kind === 'id' || kind === 'tenant') && !isIdentifier(text)) return refuse(`${field} needs an identifier`)
  if (kind === 'boolean' && text !== 'true' && text !== 'false') return refuse(`${field} needs true or false`)
  if (kind === 'time' && (!/^[12]\d{3}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.test(text) || Number.isNaN(Date.parse(text))))
    return refuse(`${field} needs a date or time`)
  return text
}

function refuse(message: string): never {
  return fail('INVALID', { fields: [{ field: 'filter', message }] })
}
