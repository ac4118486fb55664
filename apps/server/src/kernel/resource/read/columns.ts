import { fail } from '@outpost/contract/errors'
import { empty, identifier, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { AnyResource, FieldDefinition } from '../../types.ts'
import type { BatchSource } from './batched.ts'
import { baseColumns, columnOf, fieldOf, hasColumn, perResource, resourceNamed } from '../define.ts'
import { isReference, isRelation, linesOf, pairsOf, type Lines, type Pairs } from '../../relations/relations.ts'

/** Value of a field as SQL over alias t: its expression or its column, as the table holds it. */
export function fieldSql(resource: AnyResource, key: string): Statement {
  const field = resource.fields[key]
  if (field?.sql !== undefined) return trusted(`(${field.sql})`)
  return field && isRelation(field) ? relationSql(resource, key) : identifier('t', key)
}

/** What a relation that says nothing of how it is read looks like: lines as records, pairs as {Id, label}. */
function relationSql(resource: AnyResource, key: string): Statement {
  const [pairs, lines] = [pairsOf(resource, key), linesOf(resource, key)]
  if (pairs) return pairsSql(pairs, targetOf(resource, key))
  return lines ? linesSql(lines) : fail('UNKNOWN')
}

/** A table whose rows belong to records of another one; `until` is the column of their end. */
export type RelatedTable = Pick<Pairs, 'table' | 'own' | 'until'>

/** The running rows x of the table that belong to a record t, from `from` on. */
export const relatedRows = ({ table, own, until }: RelatedTable): Statement =>
  sql`from ${identifier(table)} x where x."companyId" = t."companyId" and x.${identifier(own)} = t."id" ${until === undefined ? empty : sql`and x.${identifier(until)} is null`}`

function pairsSql(related: Pairs, target: AnyResource | undefined): Statement {
  const { other, order } = related
  const pairs = relatedRows(related)
  if (!target) return sql`coalesce((select json_agg(x.${identifier(other)} order by x.${identifier(order ?? other)}) ${pairs}), '[]')`
  const label = sql`(select o.label from ${titlesOf(target)} o where o.c = x."companyId" and o.i = x.${identifier(other)})`
  return sql`coalesce((select json_agg(json_build_object('Id', p.id, 'label', p.label) order by ${order === undefined ? sql`p.label, p.id` : sql`p.place`})
    from (select x.${identifier(other)} as id, ${label} as label ${order === undefined ? empty : sql`, x.${identifier(order)} as place`} ${pairs}) p), '[]')`
}

function linesSql({ of, by, hasPlace }: Lines): Statement {
  const { columns, joins } = select(of, 'detail', (key) => key !== by && Object.hasOwn(of.fields, key))
  const order = hasPlace ? sql`t."position", t."id"` : sql`t.${identifier(of.list.sort[0])} ${trusted(of.list.sort[1])}, t."id"`
  return sql`coalesce((select json_agg(l.record order by l.place) from (select t."companyId" as c, t."id" as i) p cross join lateral (
    select row_number() over (order by ${order}) as place, (select row_to_json(r) from (select ${columns}) r) as record
    from ${identifier(of.table)} t ${joins} where t."companyId" = p.c and t.${identifier(by)} = p.i) l), '[]')`
}

/** `columns` are the values under their names; `values` the same ones bare, in the order of `names`. `batches`: further common tables, which read the ids of a table `page`. */
export interface Selection {
  columns: Statement
  values: Statement
  names: readonly string[]
  joins: Statement
  batches?: Statement
}
type Use = 'list' | 'list page' | 'detail' | 'detail page' | 'row'
const selections: Record<Use, (resource: AnyResource) => Selection> = {
  list: perResource((resource) => select(resource, 'list')),
  'list page': perResource((resource) => select(resource, 'list page')),
  detail: perResource((resource) => select(resource, 'detail')),
  'detail page': perResource((resource) => select(resource, 'detail page')),
  row: perResource((resource) => select(resource, 'row', (key) => hasColumn(resource, key) && resource.fields[key]?.sql === undefined)),
}

/**
 * The wire record of a row t: Id, base columns and fields in wire form, with the label of each reference joined by
 * company and id. Lists leave detailOnly fields out and show only the end of sensitive ones. A `row` has what its own
 * table holds. Records that are together in a table `page` read once what each of them would ask for.
 */
export const selectionOf = (resource: AnyResource, use: Use): Selection => selections[use](resource)

function select(resource: AnyResource, use: Use, isWanted: (key: string) => boolean = () => true): Selection {
  const isDetail = use === 'row' || use.startsWith('detail')
  const base = baseColumns.filter((key) => hasColumn(resource, key) && !Object.hasOwn(resource.fields, key) && isWanted(key))
  const fields = Object.entries(resource.fields).filter(
    ([key, field]) => isWanted(key) && !field.isFilterOnly && (isDetail || !field.detailOnly),
  )
  const sources = use.endsWith('page') ? [...new Set(fields.flatMap(([, field]) => (field.batch ? [field.batch.of] : [])))] : []
  const valueOf = (key: string, field: FieldDefinition): Statement => {
    const place = field.batch ? sources.indexOf(field.batch.of) : -1
    if (field.batch && place >= 0) return trusted(`coalesce("g${place + 1}"."${key}", ${field.batch.none})`)
    return !isDetail && field.sensitive ? masked(resource, key) : wireValue(resource, key, field)
  }
  const labels = fields
    .filter(([, field]) => use !== 'row' && isReference(field))
    .map(([key, field], index) =>
      labelJoin(resource, { key, alias: `r${index + 1}`, id: field.batch ? valueOf(key, field) : fieldSql(resource, key) }),
    )
  const joined = labels.filter((label) => label !== undefined)
  // A label may be that of a batched id.
  const joins = [...sources.map((_, index) => batchJoin(`g${index + 1}`)), ...joined.map((label) => label.join)]
  const columns: [string, Statement][] = [
    ['Id', identifier('t', 'id')],
    ...base.map((key): [string, Statement] => [key, wireBase(resource, key)]),
    ...fields.map(([key, field]): [string, Statement] => [key, valueOf(key, field)]),
    ...joined.map(({ key, value }): [string, Statement] => [key, value]),
  ]
  return {
    columns: woven(join(columns.map(([key, value]) => sql`${value} as ${identifier(key)}`))),
    values: woven(join(columns.map(([, value]) => value))),
    names: columns.map(([key]) => key),
    joins: joins.length === 0 ? empty : woven(join(joins, ' ')),
    ...(sources.length === 0 ? {} : { batches: woven(join(sources.map((of, index) => batchTable(of, fields, `g${index + 1}`)))) }),
  }
}

/**
 * Common table with what the fields of one source say of each record of the page. Materialized, because the planner takes
 * a page for one row (walls hide how many pass) and would read anew for each of its records.
 */
function batchTable(of: BatchSource, fields: readonly [string, FieldDefinition][], alias: string): Statement {
  const { from, alias: own, key } = of
  const values = fields.flatMap(([name, { batch }]) => (batch?.of === of ? [`${batch.value} as "${name}"`] : []))
  return trusted(`"${alias}" as materialized (select ${own}."companyId" as c, ${own}."${key}" as i, ${values.join(', ')} from ${from}
    where ${own}."${key}" = any(array(select "id" from page)) group by 1, 2)`)
}

const batchJoin = (alias: string) => trusted(`left join "${alias}" on "${alias}"."c" = t."companyId" and "${alias}"."i" = t."id"`)

/** One string instead of dozens of parts: this text is woven into each list. */
const woven = (statement: Statement) => trusted(statement.text)

function wireBase(resource: AnyResource, key: string): Statement {
  return columnOf(resource, key)?.type === 'DateTime' ? timeText(identifier('t', key)) : identifier('t', key)
}

function wireValue(resource: AnyResource, key: string, field: FieldDefinition): Statement {
  const value = fieldSql(resource, key)
  if (field.kind === 'date') return columnOf(resource, key)?.type === 'String' ? value : sql`to_char(${value}, 'YYYY-MM-DD')`
  const isTime = columnOf(resource, key)?.type === 'DateTime' || (field.sql !== undefined && field.kind === 'dateTime')
  return isTime ? timeText(value) : value
}

/** ISO 8601 in UTC with milliseconds, as JSON.stringify writes a Date. */
const timeText = (value: Statement) => sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const masked = (resource: AnyResource, key: string) => {
  const value = fieldSql(resource, key)
  return sql`repeat('*', greatest(length(${value}::text) - 4, 0)) || right(${value}::text, 4)`
}

/** Join that gives the title of the record a reference points to; none when the other area is not loaded. */
function labelJoin(resource: AnyResource, { key, alias, id }: { key: string; alias: string; id: Statement }) {
  const target = targetOf(resource, key)
  if (!target) return undefined
  const on = sql`${identifier(alias, 'c')} = t."companyId" and ${identifier(alias, 'i')} = ${id}`
  return {
    key: `${key}Label`,
    value: identifier(alias, 'label'),
    join: sql`left join ${titlesOf(target)} ${identifier(alias)} on ${on}`,
  }
}

/** What a list is sorted by: the label of a reference, else the value. */
export function sortSql(resource: AnyResource, key: string): Statement {
  const field = resource.fields[key]
  const target = field && isReference(field) ? targetOf(resource, key) : undefined
  if (!target) return fieldSql(resource, key)
  return sql`(select label from ${titlesOf(target)} x where x.c = t."companyId" and x.i = ${fieldSql(resource, key)})`
}

function targetOf(resource: AnyResource, key: string): AnyResource | undefined {
  const { to } = fieldOf(resource, key)
  const target = to === undefined ? undefined : resourceNamed(to)
  return target?.remote ? undefined : target
}

/** A table of the titles of records: company c, id i, label. */
const titlesOf = (target: AnyResource): Statement =>
  sql`(select t."companyId" as c, t."id" as i, ${fieldSql(target, target.title)} as label from ${identifier(target.table)} t)`
