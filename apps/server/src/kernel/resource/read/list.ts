import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { AnyResource, Answer, Ctx } from '../../types.ts'
import { fieldSql } from './columns.ts'
import { plainTotal, totalOf, type Total } from './counts.ts'
import {
  listQuery,
  pageStatement,
  plainStatement,
  rowsStatement,
  searchStatement,
  searchText,
  usualPageStatement,
  type ListOptions,
  type ListQuery,
} from './query.ts'
import type { ListInput } from '../schema.ts'

/** Rows that one text may hold; larger pages are streamed, so that Postgres builds rows while we send those before. */
const largestText = 1_000
/** Hits of the search index beyond which walking the sort index is cheaper. */
const maxFound = 2_000

/**
 * A page of the caller's records as a whole envelope: {success, data: {<many>: [...]}, meta}. Postgres builds the
 * JSON and it is passed through; pages over 1,000 rows come from a cursor.
 */
export async function listRecords<Extra extends object = object>(
  ctx: Ctx,
  resource: AnyResource,
  input: ListInput & Extra,
  options: ListOptions<Extra> & { many?: string } = {},
): Promise<Answer> {
  const page = { page: input.page, size: input.size ?? options.size ?? resource.list.size }
  const many = options.many ?? resource.many
  const plain = plainStatement(ctx, resource, input, options, page)
  if (plain)
    return envelope(
      ctx.sql.text(plain),
      plainTotal(ctx, resource, options.rows ?? 'live', () => listQuery(ctx, resource, input, { options })),
      { ...page, many },
    )
  const query = await searchedQuery(ctx, resource, input, options)
  if (page.size <= largestText) {
    const text = ctx.sql.text(usualPageStatement(query, input, page))
    return envelope(text, isOnePage(query, page) ? text.then(countIn) : totalOf(ctx, query), { ...page, many })
  }
  const total = await totalOf(ctx, query)
  if (total.total <= largestText && page.page === 1)
    return envelope(ctx.sql.text(pageStatement(query, { page: 1, size: largestText })), totalOf(ctx, query), { ...page, many })
  return { rows: rowsOf(ctx, query, page), many, meta: { ...page, ...total } }
}

/** The statement whose rows (one column `row`: a wire record as JSON text) are the whole list, without pages: exports run it elsewhere. */
export async function exportStatement<Extra extends object = object>(
  ctx: Ctx,
  resource: AnyResource,
  input: ListInput & Extra,
  options: ListOptions<Extra> = {},
): Promise<Statement> {
  return rowsStatement(await searchedQuery(ctx, resource, input, options))
}

/** Number of rows of the caller's list: what a tile says and the list's own total are one. */
export async function countRecords(ctx: Ctx, resource: AnyResource, input: Omit<ListInput, 'page'>): Promise<number> {
  return (await totalOf(ctx, await searchedQuery(ctx, resource, { page: 1, ...input }, {}))).total
}

/** Figures over the caller's list, a row each value of a field (as `value`): what boards and tiles show above the same filters. */
export async function groupRecords<Row extends object>(
  ctx: Ctx,
  resource: AnyResource,
  input: ListInput,
  { by, figures }: { by: string; figures: Statement },
): Promise<Row[]> {
  const { where } = await searchedQuery(ctx, resource, input, {})
  return ctx.sql.query<Row>(
    sql`select ${fieldSql(resource, by)} as value, ${figures} from ${identifier(resource.table)} t where ${where} group by 1 order by 1`,
  )
}

/** The page holds every record that the search index named and the caller sees: nothing is left to count. */
const isOnePage = ({ most = Number.POSITIVE_INFINITY }: ListQuery, { page, size }: { page: number; size: number }) =>
  page === 1 && most <= size
const countIn = (rows: string): Total => ({ total: (JSON.parse(rows) as unknown[]).length })

async function envelope(
  text: Promise<string>,
  counted: Promise<Total>,
  { page, size, many }: { page: number; size: number; many: string },
): Promise<Answer> {
  const [rows, total] = await Promise.all([text, counted])
  return { json: `{"success":true,"data":{${JSON.stringify(many)}:${rows}},"meta":${JSON.stringify({ page, size, ...total })}}` }
}

async function* rowsOf(ctx: Ctx, query: ListQuery, page: { page: number; size: number }): AsyncGenerator<string> {
  for await (const { row } of ctx.sql.stream<{ row: string }>(rowsStatement(query, page))) yield row
}

/** Asks the search index first; too many hits mean a common word, which the sort index finds soon enough. */
async function searchedQuery<Extra extends object>(
  ctx: Ctx,
  resource: AnyResource,
  input: ListInput & Extra,
  options: ListOptions<Extra>,
): Promise<ListQuery> {
  const text = searchText(input)
  const search = text === undefined ? undefined : searchStatement(resource, text, maxFound)
  if (!search) return listQuery(ctx, resource, input, { options })
  const found = JSON.parse(await ctx.sql.text(search)) as string[]
  return listQuery(ctx, resource, input, found.length < maxFound ? { options, found } : { options })
}
