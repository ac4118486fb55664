import { empty, escapeLike, every, identifier, join, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { AnyResource, Ctx } from '../../types.ts'
import { hasColumn } from '../define.ts'
import { fieldSql, selectionOf, type Selection } from './columns.ts'
import { filterConditions } from './filter.ts'
import { windowConditions } from './date-window.ts'
import { prepared } from '@outpost/platform/db/prepared'
import { orderBy, type ListSort } from './sorting.ts'
import type { ListInput } from '../schema.ts'

/** What a list call adds to the resource's own list. */
export interface ListOptions<Extra = object> {
  /** A further condition over alias t, from the call's own parameters. */
  where?: (ctx: Ctx, input: ListInput & Extra) => Statement | null
  /** 'deleted' shows removed rows only. */
  rows?: 'live' | 'deleted' | 'all'
  /** Default date window, by name of the resource's dates; without it only asked-for windows apply. */
  dateType?: string
  sort?: ListSort
  size?: number
}

/** A list call turned into SQL: the pieces that its statements share. */
export interface ListQuery {
  resource: AnyResource
  where: Statement
  order: Statement
  /** A common word with a search index: counted by the index, listed along the sort. `others` is where without the word. */
  common?: { others: Statement; text: string }
  /** How many records there are at most, where the search index has named them. */
  most?: number
}

/** The two walls of the kernel (row-level security is behind them), the resource's own view and removed rows. */
export function visibleRows(ctx: Ctx, resource: AnyResource, rows: ListOptions['rows'] = 'live'): Statement {
  const conditions = [sql`t."companyId" = ${ctx.company.id}::uuid`]
  if (resource.isScoped && ctx.scope !== '*') conditions.push(sql`t."tenantId" = any(${ctx.scope}::uuid[])`)
  if (resource.isSoftDeleted && rows !== 'all')
    conditions.push(rows === 'live' ? sql`t."deletedAt" is null` : sql`t."deletedAt" is not null`)
  const visible = resource.visible?.(ctx)
  if (visible) conditions.push(visible)
  return every(conditions)
}

/** Values of visibleRows' own conditions, in their order. */
const wallValues = (ctx: Ctx, { isScoped }: AnyResource) => (isScoped && ctx.scope !== '*' ? [ctx.company.id, ctx.scope] : [ctx.company.id])

/** Checks sort, filter and dates against the resource and builds the shared pieces. `found`: ids from the search index. */
export function listQuery<Extra extends object>(
  ctx: Ctx,
  resource: AnyResource,
  input: ListInput & Extra,
  { options = {}, found }: { options?: ListOptions<Extra>; found?: readonly string[] } = {},
): ListQuery {
  const own = options.where?.(ctx, input)
  const narrowing = [
    ...windowConditions(ctx, resource, input, options.dateType),
    ...filterConditions(ctx, resource, input.filter ?? []),
    ...(own ? [own] : []),
  ]
  const visible = visibleRows(ctx, resource, options.rows)
  const others = narrowing.length === 0 ? visible : every([visible, ...narrowing])
  const text = searchText(input)
  const isCommon = text !== undefined && !found && isIndexed(resource, text)
  return {
    resource,
    where: text === undefined ? others : sql`${others} and ${searchCondition(resource, text, found)}`,
    order: orderBy(resource, input, options.sort),
    ...(isCommon ? { common: { others, text } } : {}),
    ...(found ? { most: found.length } : {}),
  }
}

/** One text: the JSON array of the page's wire records, built by Postgres. */
export function pageStatement(query: ListQuery, page: Page): Statement {
  return sql`select coalesce(json_agg(r), '[]')::text from (${pageSelect(query, page)}) r`
}

/** The page is cut before labels are joined and other tables asked, so that the sort index ends the work. */
function pageSelect({ resource, where, order }: Pick<ListQuery, 'resource' | 'where' | 'order'>, { size, page }: Page): Statement {
  const { columns, joins, batches } = selectionOf(resource, 'list page')
  const offset = page > 1 ? trusted(` offset ${(page - 1) * size}`) : empty
  const rows = sql`(select t.* from ${identifier(resource.table)} t where ${where} ${order} limit ${trusted(String(size))}${offset})`
  return batches
    ? sql`with page as materialized ${rows}, ${batches} select ${columns} from page t ${joins} ${order}`
    : sql`select ${columns} from ${rows} t ${joins} ${order}`
}

/** A first page that is asked for as everybody asks for it (or of what the search index named): its text comes again and again, so it is prepared on each connection. */
export function usualPageStatement(query: ListQuery, input: ListInput, page: Page): Statement {
  const statement = pageStatement(query, page)
  const isSame = isUsual(input) || (query.most !== undefined && isUnfiltered(input))
  return isSame && page.page === 1 && preparedSizes.has(page.size) ? prepared(statement, 'list') : statement
}

export interface Page {
  size: number
  page: number
}
const plainTexts = new WeakMap<Selection, Map<string, string>>()

/**
 * The first page of a list that nothing but company, reach and sort shapes: its text is built once and prepared on
 * each connection. Undefined when there is more to it.
 */
export function plainStatement<Extra extends object>(
  ctx: Ctx,
  resource: AnyResource,
  input: ListInput & Extra,
  options: ListOptions<Extra>,
  page: Page,
): Statement | undefined {
  if (page.page !== 1 || !preparedSizes.has(page.size) || !isPlain(resource, input, options)) return undefined
  const selection = selectionOf(resource, 'list page')
  const texts = plainTexts.get(selection) ?? new Map<string, string>()
  plainTexts.set(selection, texts)
  const key = [input.sortField, input.sortOrder, ...(options.sort ?? []), options.rows, page.size, ctx.scope === '*'].join(' ')
  let text = texts.get(key)
  if (text === undefined) texts.set(key, (text = pageStatement(listQuery(ctx, resource, input, { options }), page).text))
  return prepared({ text, values: wallValues(ctx, resource) }, 'list')
}

function isPlain<Extra extends object>(resource: AnyResource, input: ListInput, { where, dateType }: ListOptions<Extra>): boolean {
  return isUsual(input) && [where, dateType, resource.visible].every((part) => part === undefined)
}

/** Neither searched nor filtered. */
const isUsual = (input: ListInput) => searchText(input) === undefined && isUnfiltered(input)

/** Each combination of sort columns would be a text of its own to keep. */
function isUnfiltered({ filter, startDate, endDate, dateType, sortField = [] }: ListInput): boolean {
  return sortField.length <= 1 && [filter, startDate, endDate, dateType].every((part) => part === undefined)
}

/** Each wire record as a row with the one column `row`, for a cursor; without a page all of them. */
export function rowsStatement({ resource, where, order }: Pick<ListQuery, 'resource' | 'where' | 'order'>, page?: Page): Statement {
  if (page) return sql`select row_to_json(r)::text as row from (${pageSelect({ resource, where, order }, page)}) r`
  const { columns, joins } = selectionOf(resource, 'list')
  return sql`select row_to_json(r)::text as row from (select ${columns} from (select t.* from ${identifier(resource.table)} t where ${where}) t ${joins} ${order}) r`
}

/** Number of rows, counted up to `most`, and of hits of the search index that were looked at. */
export function countStatement({ resource, where, common }: Pick<ListQuery, 'resource' | 'where' | 'common'>, most: number): Statement {
  const table = identifier(resource.table)
  if (!common)
    return sql`select json_build_array(count(*), 0)::text from (select 1 from ${table} t where ${where} limit ${trusted(String(most))}) c`
  return sql`with hits as materialized (${searchHits(resource, common.text, most)})
    select json_build_array((select count(*) from ${table} t where ${common.others} and t."id" = any(array(select id from hits))), (select count(*) from hits))::text`
}

/** The planner's guess at the number of rows, for lists too long to count at each call. */
export function estimateStatement({ resource, where }: Pick<ListQuery, 'resource' | 'where'>): Statement {
  return sql`explain (format json) select 1 from ${identifier(resource.table)} t where ${where}`
}

/* ---------- search ---------- */

/** Upper-cased and trimmed; `%%` or nothing means no filter. */
export function searchText({ search }: Pick<ListInput, 'search'>): string | undefined {
  const text = (search ?? '').trim().toUpperCase()
  return text === '' || /^%+$/.test(text) ? undefined : text
}

export const searchPattern = (text: string) => `%${escapeLike(text)}%`

/** Ids inside the company whose search text matches, from the trigram index behind row-level security; undefined when there is none. */
export function searchStatement(resource: AnyResource, text: string, most: number): Statement | undefined {
  return isIndexed(resource, text) ? sql`select coalesce(json_agg(id), '[]')::text from (${searchHits(resource, text, most)}) h` : undefined
}

const searchHits = (resource: AnyResource, text: string, most: number) =>
  sql`select id from ${identifier('search', resource.table)}(${searchPattern(text)}, ${trusted(String(most))}) id`

/** Trigrams need three characters. */
const isIndexed = (resource: AnyResource, text: string) => resource.hasSearchIndex === true && text.length >= 3

function searchCondition(resource: AnyResource, text: string, found: readonly string[] | undefined): Statement {
  if (found) return sql`t."id" = any(${found}::uuid[])`
  if (hasColumn(resource, 'searchText')) return sql`t."searchText" like ${searchPattern(text)}`
  const fields = (resource.list.search ?? [resource.title]).map((key) => fieldSql(resource, key))
  return sql`upper(concat_ws(' ', ${join(fields)})) like ${searchPattern(text)}`
}

/** Sizes of a page that are asked for again and again. */
const preparedSizes = new Set([10, 20, 25, 50, 100, 200, 500, 1_000])
