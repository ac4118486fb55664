import { failField } from '@outpost/contract/errors'
import { isGroup, partsOf } from '@outpost/contract/envelope'
import type { FilterOperator, FilterPart, FilterTerm } from '@outpost/contract/envelope'
import type { FieldKind } from '@outpost/contract/fields'
import { isIdentifier } from '@outpost/rules/validation'
import { escapeLike, every, identifier, some, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { AnyResource, Ctx, FieldDefinition } from '../../types.ts'
import { columnOf, fieldOf } from '../define.ts'
import { fieldSql, relatedRows, type RelatedTable } from './columns.ts'
import { linesOf, pairsOf } from '../../relations/relations.ts'

const textual: FilterOperator[] = ['eq', 'ne', 'in', 'contains', 'empty', 'notEmpty']
const ordered: FilterOperator[] = ['eq', 'ne', 'gte', 'lte', 'empty', 'notEmpty']
const listed: FilterOperator[] = ['eq', 'ne', 'in', 'empty', 'notEmpty']
const holding: FilterOperator[] = ['contains', 'empty', 'notEmpty']
const presence: FilterOperator[] = ['empty', 'notEmpty']

/** Operators a filter may use on a field of this kind; console and server take them from here. */
export function operatorsOf(kind: FieldKind): FilterOperator[] {
  switch (kind) {
    case 'number':
    case 'money':
    case 'percent':
    case 'date':
    case 'dateTime':
      return ordered
    case 'choice':
    case 'reference':
      return listed
    case 'boolean':
      return ['eq', 'empty', 'notEmpty']
    case 'multiChoice':
    case 'multiReference':
    case 'tags':
      return holding
    case 'location':
    case 'file':
    case 'image':
    case 'json':
    case 'permissionTree':
    case 'lines':
      return presence
    case 'password':
      return []
    default:
      return textual
  }
}

/** Operators a filter may use on this field. */
export const operatorsOn = ({ kind, filterBy }: FieldDefinition): FilterOperator[] => (filterBy ? ['eq'] : operatorsOf(kind))

/** Fields that filter terms may name: the declared ones, else the list's columns; never sensitive ones. */
export function filterFields(resource: AnyResource): string[] {
  const keys = resource.list.filters ?? resource.list.columns
  return keys.filter((key) => {
    const field = fieldOf(resource, key)
    return !field.sensitive && !field.detailOnly && operatorsOf(field.kind).length > 0
  })
}

/** Stops with INVALID when the list is not filtered by the term's field, or not in that way. */
export function refuseUnknownTerm(resource: AnyResource, { field, op }: Pick<FilterTerm, 'field' | 'op'>): void {
  if (!filterFields(resource).includes(field)) refuse(`${field} is not a field that can be filtered`)
  if (!operatorsOn(fieldOf(resource, field)).includes(op)) refuse(`${field} does not know ${op}`)
}

/** A condition for each part. They come from the caller: field, operator and value are checked against the resource. */
export function filterConditions(ctx: Ctx, resource: AnyResource, parts: readonly FilterPart[]): Statement[] {
  const conditionOf = (part: FilterPart): Statement => {
    if (!isGroup(part)) return condition(ctx, resource, part)
    const conditions = partsOf(part).map(conditionOf)
    return 'all' in part ? every(conditions) : some(conditions)
  }
  return parts.map(conditionOf)
}

function condition(ctx: Ctx, resource: AnyResource, { field, op, value }: FilterTerm): Statement {
  refuseUnknownTerm(resource, { field, op })
  const { kind, to, filterBy } = fieldOf(resource, field)
  if (filterBy) return filterBy(ctx, String(value as string))
  const [pairs, lines] = [pairsOf(resource, field), linesOf(resource, field)]
  if (pairs) return relatedCondition(pairs, { field, op, value })
  if (lines) return relatedCondition({ table: lines.of.table, own: lines.by }, { field, op, value })
  const target = fieldSql(resource, field)
  const { cast, isArray } = typeOf(resource, field)
  if (op === 'empty') return isArray ? sql`coalesce(cardinality(${target}), 0) = 0` : sql`coalesce(${target}::text, '') = ''`
  if (op === 'notEmpty') return isArray ? sql`cardinality(${target}) > 0` : sql`coalesce(${target}::text, '') <> ''`
  if (to === 'tenant' && (op === 'eq' || op === 'ne' || op === 'in')) return branchCondition(ctx, target, { field, op, value })
  if (op === 'in') {
    const values = Array.isArray(value) ? value : [value]
    return sql`${target} = any(${values.map((one) => checked(field, cast, one))}::${trusted(cast)}[])`
  }
  if (Array.isArray(value) || value === undefined) return refuse(`${field} needs one value`)
  if (op === 'contains') {
    if (isArray) return sql`${checked(field, cast, value)}::${trusted(cast)} = any(${target})`
    return sql`upper(${target}::text) like ${`%${escapeLike(String(value).trim().toUpperCase())}%`}`
  }
  if (cast === 'timestamptz' && isDay(value)) return dayCondition(ctx, target, op, checked(field, cast, value), kind)
  const given = sql`${checked(field, cast, value)}::${trusted(cast)}`
  if (op === 'gte') return sql`${target} >= ${given}`
  if (op === 'lte') return sql`${target} <= ${given}`
  return op === 'ne' ? sql`${target} is distinct from ${given}` : sql`${target} = ${given}`
}

/** A tenant means itself and all below it: who asks for a branch means its teams too. */
function branchCondition({ company }: Ctx, target: Statement, { field, op, value }: FilterTerm): Statement {
  const ids = (Array.isArray(value) ? value : [value]).map((one) => checked(field, 'uuid', one))
  const below = sql`select b."id" from tenant b where b."companyId" = ${company.id}::uuid and b."path" && ${ids}::uuid[]`
  return op === 'ne' ? sql`(${target} in (${below})) is not true` : sql`${target} in (${below})`
}

/** By the table of the pairs or lines, whose index leads with the record; not by the JSON that the field shows. */
function relatedCondition(related: RelatedTable & { other?: string }, { field, op, value }: FilterTerm): Statement {
  const rows = sql`select 1 ${relatedRows(related)}`
  if (op !== 'contains' || related.other === undefined) return op === 'empty' ? sql`not exists (${rows})` : sql`exists (${rows})`
  const ids = (Array.isArray(value) ? value : [value]).map((one) => checked(field, 'uuid', one))
  return sql`exists (${rows} and x.${identifier(related.other)} = any(${ids}::uuid[]))`
}

const isDay = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** A day as a filter value means the whole day in the company's time zone. */
function dayCondition(ctx: Ctx, target: Statement, op: FilterOperator, day: string, kind: FieldKind): Statement {
  const zone = kind === 'date' ? 'UTC' : ctx.company.timeZone
  const [from, to] = [dayStart(day, zone), dayEnd(day, zone)]
  if (op === 'gte') return sql`${target} >= ${from}`
  if (op === 'lte') return sql`${target} < ${to}`
  const within = sql`${target} >= ${from} and ${target} < ${to}`
  return op === 'ne' ? sql`(${within}) is not true` : within
}

export const dayStart = (day: string, zone: string) => sql`(${day}::date::timestamp at time zone ${zone})`
export const dayEnd = (day: string, zone: string) => sql`((${day}::date + 1)::timestamp at time zone ${zone})`

const casts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Uuid: 'uuid',
    Int: 'bigint',
    SmallInt: 'bigint',
    BigInt: 'bigint',
    Decimal: 'numeric',
    Float: 'float8',
    Boolean: 'boolean',
    Timestamptz: 'timestamptz',
    DateTime: 'timestamptz',
    Date: 'date',
  }),
)
const castsByKind: Partial<Record<FieldKind, string>> = {
  number: 'numeric',
  money: 'numeric',
  percent: 'numeric',
  boolean: 'boolean',
  date: 'timestamptz',
  dateTime: 'timestamptz',
  reference: 'uuid',
}

function typeOf(resource: AnyResource, key: string): { cast: string; isArray: boolean } {
  const column = columnOf(resource, key)
  if (!column) return { cast: castsByKind[fieldOf(resource, key).kind] ?? 'text', isArray: false }
  return { cast: casts.get(column.native) ?? casts.get(column.type) ?? 'text', isArray: column.isList }
}

/** The value as text that Postgres can surely cast. */
function checked(field: string, cast: string, value: unknown): string {
  const text = String(value)
  if (cast === 'uuid' && !isIdentifier(text)) return refuse(`${field} needs an identifier`)
  if ((cast === 'numeric' || cast === 'float8') && !/^-?\d{1,18}(\.\d{1,10})?$/.test(text)) return refuse(`${field} needs a number`)
  if (cast === 'bigint' && !/^-?\d{1,18}$/.test(text)) return refuse(`${field} needs a whole number`)
  if (cast === 'boolean' && text !== 'true' && text !== 'false') return refuse(`${field} needs true or false`)
  if ((cast === 'timestamptz' || cast === 'date') && !isTime(text)) return refuse(`${field} needs a date or time`)
  if (text.includes('\0')) return refuse(`${field} may not hold the NUL character`)
  return text
}

const isTime = (text: string) => /^[12]\d{3}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.test(text) && !Number.isNaN(Date.parse(text))

function refuse(message: string): never {
  return failField('filter', message)
}
