import { fail } from '@outpost/contract/errors'
import { empty, escapeLike, every, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'
import { selection } from '../../sql/fields.ts'
import { searchText, type ListInput } from '../input.ts'
import type { Answer, GeoCtx } from '../types.ts'
import { tableOf, type GeoResource } from './resource.ts'

/** A page of the caller's records: {success, data: {<many>: [...]}, meta: {page, size, total}}, built by Postgres in one statement. */
export async function listRecords(ctx: GeoCtx, resource: GeoResource, input: ListInput, where: readonly Statement[] = []): Promise<Answer> {
  const text = searchText(input)
  const conditions = [
    sql`t."companyId" = ${ctx.caller.company}`,
    sql`t."deletedAt" is null`,
    ...where,
    ...(text === undefined ? [] : [sql`t."searchText" like ${`%${escapeLike(text.toUpperCase())}%`}`]),
  ]
  return {
    json: await ctx.sql.text(
      pageStatement({
        many: resource.many,
        input,
        fields: resource.fields,
        order: orderOf(resource, input),
        from: sql`${tableOf(resource)} t`,
        joins: resource.joins ?? empty,
        where: every(conditions),
        key: sql`t."id"`,
      }),
    ),
  }
}

export interface PageOptions {
  many: string
  input: Pick<ListInput, 'page' | 'size'>
  fields: Readonly<Record<string, Statement>>
  /** The table that is counted, with alias t. */
  from: Statement
  /** Tables joined for the fields alone; they are left out of the count. */
  joins: Statement
  where: Statement
  order: Statement
  /** Column that names a row of t. With it the fields are made for the rows of the page alone, not for those before it as well. */
  key?: Statement
}

/** The statement of one page. Its only column is the whole envelope as text. */
export function pageStatement({ many, input: { page, size }, fields, from, joins, where, order, key }: PageOptions): Statement {
  const bounds = sql`order by ${order} limit ${size} offset ${(page - 1) * size}`
  const rows = key
    ? sql`select ${selection(fields)}, k."#" from (select ${key} as "key", row_number() over (order by ${order}) as "#" from ${from} ${joins} where ${where} ${bounds}) k
        join ${from} on ${key} = k."key" ${joins} where ${where}`
    : sql`select ${selection(fields)}, row_number() over (order by ${order}) as "#" from ${from} ${joins} where ${where} ${bounds}`
  return sql`
    with page as (${rows}),
    counted as (select count(*) as total from ${from} where ${where})
    select '{"success":true,"data":{' || to_json(${many}::text)::text || ':' || coalesce((select json_agg(to_jsonb(p) - '#' order by p."#")::text from page p), '[]')
      || '},"meta":' || json_build_object('page', ${page}::int, 'size', ${size}::int, 'total', counted.total)::text || '}' from counted`
}

/** Orders by sortable fields (separated by commas), then by id so that the order is stable. An unknown field is INVALID. */
export function orderOf(
  { sorts, sort, fields }: Pick<GeoResource, 'sorts' | 'sort' | 'fields'>,
  { sortField, sortOrder }: { sortField?: string | undefined; sortOrder?: string | undefined },
  id: Statement = sql`t."id"`,
): Statement {
  const orders = sortOrder?.split(',') ?? []
  const terms = (sortField ?? sort[0]).split(',').map((field, index) => {
    const value = fields[field]
    if (value === undefined || !sorts.includes(field))
      return fail('INVALID', { fields: [{ field: 'sortField', message: `must be one of ${sorts.join(', ')}` }] })
    const order = orders[index] ?? (sortField === undefined ? sort[1] : 'ASC')
    return sql`${value} ${trusted(order === 'ASC' ? 'asc nulls last' : 'desc nulls last')}`
  })
  return sql`${join(terms)}, ${id}`
}

/** Reads one record in wire form. Throws NOT_FOUND when it does not exist, was deleted or is out of the caller's reach. */
export async function readRecord(ctx: GeoCtx, resource: GeoResource, id: string, sqlOf: Sql = ctx.sql): Promise<Record<string, unknown>> {
  const row = await sqlOf.maybe<{ record: Record<string, unknown> }>(sql`
    select to_jsonb(r) as record from (select ${selection(resource.fields)} from ${tableOf(resource)} t ${resource.joins ?? empty}
    where t."companyId" = ${ctx.caller.company} and t."id" = ${id} and t."deletedAt" is null) r`)
  return row?.record ?? fail('NOT_FOUND')
}
