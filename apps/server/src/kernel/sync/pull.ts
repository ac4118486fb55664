import { createHash } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { changeSchema, pullPageSize, syncProtocol, type PullAnswer } from '@outpost/contract/sync'
import { identifier, sql } from '@outpost/platform/db/sql'
import { selectionOf } from '../resource/columns.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { maySync, type SyncEntities, type SyncEntity } from './entities.ts'

interface Cursor { protocol: number, scope: string, schema: number, company: string, seq: number }
interface FeedRow { t: string, id: string, seq: number, op: 'put' | 'gone' }
interface Page { feed: FeedRow[], hasMore: boolean }

/**
 * One page of what changed in the caller's reach after the cursor, as the JSON text of the answer. Reach and
 * permissions are read from the live session at every call; a cursor of another reach starts anew (reset).
 * Rows of one sequence number never stand on two pages.
 */
export async function pullChanges(ctx: Ctx, input: { cursor?: string, limit?: number }, entities: SyncEntities): Promise<string> {
  const scope = scopeHash(ctx)
  const sent = input.cursor ? readCursor(input.cursor) : undefined
  const reset = sent && await whyReset(ctx, sent, scope)
  const after = sent && !reset ? sent.seq : 0
  const readable = [...entities.values()].filter((entity) => maySync(ctx, entity, 'read'))
  const page = await readFeed(ctx, { after, limit: Math.min(input.limit ?? pullPageSize, pullPageSize), types: readable.map(({ resource }) => resource.one) })
  const rows = await readRows(ctx, page.feed, readable)
  const cursor = writeCursor({ protocol: syncProtocol, scope, schema: changeSchema, company: ctx.company.id, seq: page.feed.at(-1)?.seq ?? after })
  const frame: Omit<PullAnswer, 'changes'> = { cursor, more: page.hasMore, serverNow: new Date().toISOString(), ...(reset ? { reset } : {}) }
  return `{"changes":[${page.feed.map((row) => changeText(row, rows)).join(',')}],${JSON.stringify(frame).slice(1)}`
}

/** Everything that decides what a device may hold. */
function scopeHash(ctx: Ctx): string {
  const reach = ctx.scope === '*' ? ['*'] : ctx.scope.toSorted()
  const facts = JSON.stringify([ctx.company.id, ctx.user.id, reach, [...ctx.permissions].toSorted(), ctx.isGlobalAdministrator])
  return createHash('sha256').update(facts).digest('base64url').slice(0, 16)
}

const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

function readCursor(text: string): Cursor {
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<Cursor>
    if (Number.isSafeInteger(cursor.seq) && Number(cursor.seq) >= 0) return cursor as Cursor
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return fail('INVALID', { fields: [{ field: 'cursor', message: 'is not a cursor of this server' }] })
}

async function whyReset(ctx: Ctx, cursor: Cursor, scope: string): Promise<PullAnswer['reset']> {
  if (cursor.company !== ctx.company.id || cursor.scope !== scope) return 'scope'
  if (cursor.schema !== changeSchema || cursor.protocol !== syncProtocol) return 'schema'
  const stream = await ctx.sql.maybe<{ seq: number, minSeq: number }>(sql`
    select "seq"::float8 as seq, "minSeq"::float8 as "minSeq" from sync_stream where "companyId" = ${ctx.company.id}`)
  // A cursor ahead of the counter comes from a database that was restored since.
  return stream && (cursor.seq < stream.minSeq || cursor.seq > stream.seq) ? 'age' : undefined
}

async function readFeed(ctx: Ctx, { after, limit, types }: { after: number, limit: number, types: readonly string[] }): Promise<Page> {
  const feed = await ctx.sql.query<FeedRow>(sql`
    select "entityType" as t, "entityId" as id, "seq"::float8 as seq, "op" from sync_feed
    where "companyId" = ${ctx.company.id} and "seq" > ${after} and "entityType" = any(${types}::text[]) ${after === 0 ? sql`and "op" = 'put'` : sql``}
    order by "seq" fetch first (${limit}::bigint) rows with ties`)
  return { feed, hasMore: feed.length >= limit }
}

/** Records as JSON text by id, built by Postgres and passed through unparsed. */
async function readRows(ctx: Ctx, feed: readonly FeedRow[], entities: readonly SyncEntity[]): Promise<Map<string, RowText>> {
  const puts = Map.groupBy(feed.filter(({ op }) => op === 'put'), ({ t }) => t)
  const found = await Promise.all(entities.flatMap(({ resource }) =>
    portions((puts.get(resource.one) ?? []).map(({ id }) => id)).map((ids) => readPortion(ctx, resource, ids))))
  return new Map(found.flat().map(({ id, ...row }) => [id, row]))
}

/** Records read by one statement; the portions of a page are read side by side, for a first sync waits for Postgres alone. */
const portionSize = 1_000
const portions = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / portionSize) }, (_, index) => ids.slice(index * portionSize, (index + 1) * portionSize))

function readPortion(ctx: Ctx, resource: AnyResource, ids: readonly string[]): Promise<(RowText & { id: string })[]> {
  const { columns, joins, needsPage } = selectionOf(resource, 'detail page')
  const rows = sql`${identifier(resource.table)} t ${needsPage ? sql`` : joins} where t."companyId" = ${ctx.company.id} and t."id" = any(${ids}::uuid[]) and t."deletedAt" is null`
  const values = sql`t."id" as id, t."version"::float8 as version, (select row_to_json(x) from (select ${columns}) x)::text as data`
  return ctx.sql.query(needsPage ? sql`with page as materialized (select t.* from ${rows}) select ${values} from page t ${joins}` : sql`select ${values} from ${rows}`)
}

interface RowText { version: number, data: string }

/** A row that left the caller's reach since its feed entry was written counts as gone. */
function changeText({ t, id, seq, op }: FeedRow, rows: ReadonlyMap<string, RowText>): string {
  const row = op === 'put' ? rows.get(id) : undefined
  if (!row) return JSON.stringify({ t, id, seq, op: 'gone', version: 0 })
  return `{"t":${JSON.stringify(t)},"id":"${id}","seq":${seq},"op":"put","version":${row.version},"data":${row.data}}`
}
