import { createHash } from 'node:crypto'
import { failField } from '@outpost/contract/errors'
import { changeSchema, pullPageSize, syncProtocol, type PullAnswer } from '@outpost/contract/sync/protocol'
import type { PullPage } from '@outpost/contract/sync/pull'
import { identifier, named, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { chunk } from 'es-toolkit/array/chunk'
import { limitAsync } from 'es-toolkit/promise/limitAsync'
import { selectionOf } from '../resource/read/columns.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { maySync, type SyncEntities, type SyncEntity } from './entities.ts'

/** `mark`: the change that had that number; a restored history gives the number to another one. Older cursors have none. */
interface Cursor {
  protocol: number
  scope: string
  schema: number
  company: string
  seq: number
  mark?: string | null
}
interface FeedRow {
  t: string
  id: string
  seq: number
  op: 'put' | 'gone'
}
interface Feed {
  rows: FeedRow[]
  hasMore: boolean
  seq: number | null
  minSeq: number | null
  /** The changes with the number asked after and with the last number of the page. */
  mark: string | null
  lastMark: string | null
}

/**
 * One page of what changed in the caller's reach after the cursor, as the JSON text of a PullPage. Reach and
 * permissions are read from the live session at every call; a cursor of another reach starts anew (reset).
 * Rows of one sequence number are never split over two pages, and of these what is gone comes before what is put: a record that
 * moved inside the reach leaves both.
 */
export async function pullChanges(ctx: Ctx, input: { cursor?: string; limit?: number }, entities: SyncEntities): Promise<string> {
  const scope = scopeHash(ctx)
  const readable = [...entities.values()].filter((entity) => maySync(ctx, entity, 'read'))
  const asked = { limit: Math.min(input.limit ?? pullPageSize, pullPageSize), types: readable.map(({ resource }) => resource.one) }
  const sent = input.cursor ? readCursor(input.cursor) : undefined
  let reset = sent && whyForeign(ctx, sent, scope)
  let after = sent && !reset ? sent.seq : 0
  let feed = await readFeed(ctx, { ...asked, after })
  if (isOutOfAge(after, feed) || isOtherHistory(after, sent, feed)) {
    ;[reset, after] = ['age', 0]
    feed = await readFeed(ctx, { ...asked, after })
  }
  const records = await readRecords(ctx, feed.rows, readable)
  const cursor = writeCursor({
    protocol: syncProtocol,
    scope,
    schema: changeSchema,
    company: ctx.company.id,
    seq: feed.rows.at(-1)?.seq ?? after,
    mark: feed.rows.length > 0 ? feed.lastMark : feed.mark,
  })
  const frame: Omit<PullPage, 'changes'> = {
    cursor,
    more: feed.hasMore,
    serverNow: new Date().toISOString(),
    ...(reset ? { reset } : {}),
    fields: records.fields,
  }
  return `{"changes":[${feed.rows.map((row) => changeText(row, records.byId)).join(',')}],${JSON.stringify(frame).slice(1)}`
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
  return failField('cursor', 'is not a cursor of this server')
}

function whyForeign(ctx: Ctx, cursor: Cursor, scope: string): PullAnswer['reset'] {
  if (cursor.company !== ctx.company.id || cursor.scope !== scope) return 'scope'
  return cursor.schema !== changeSchema || cursor.protocol !== syncProtocol ? 'schema' : undefined
}

/** The number means another change than it did: the database was restored, and has been written to since. */
const isOtherHistory = (after: number, sent: Cursor | undefined, { mark }: Feed) =>
  after > 0 && sent?.mark !== undefined && sent.mark !== mark

/** A cursor ahead of the counter comes from a database that was restored since. */
const isOutOfAge = (after: number, { seq, minSeq }: Feed) =>
  after > 0 && ((seq !== null && after > seq) || (minSeq !== null && after < minSeq))

/**
 * The counter and the entries after a number by one statement: most polls find nothing, and then it is all they cost.
 * The entries come as one JSON text, which costs both sides a fraction of as many rows.
 */
async function readFeed(ctx: Ctx, { after, limit, types }: { after: number; limit: number; types: readonly string[] }): Promise<Feed> {
  const isFirst = after === 0
  const { entries, ...feed } = await ctx.sql.one<
    Omit<Feed, 'rows' | 'hasMore'> & { entries: [string, string, number, 'put' | 'gone'][] | null }
  >(
    named(
      isFirst ? 'sync.feed.first' : 'sync.feed',
      sql`
    select s."seq"::float8 as seq, s."minSeq"::float8 as "minSeq", page.entries, ${changeAt(ctx, sql`${after}::bigint`)} as mark, ${changeAt(ctx, sql`page.last`)} as "lastMark"
    from (values (${ctx.company.id}::uuid)) asked (company) left join sync_stream s on s."companyId" = asked.company
    cross join lateral (
      select json_agg(json_array(e."entityType", e."entityId", e."seq", e."op") order by e."seq") as entries, max(e."seq") as last from (
        select f."entityType", f."entityId", f."seq", f."op" from sync_feed f
        where f."companyId" = ${ctx.company.id} and f."seq" > ${after} and f."entityType" = any(${types}::text[]) ${isFirst ? sql`and f."op" = 'put'` : sql``}
        order by f."seq" fetch first (${limit}::bigint) rows with ties) e) page`,
    ),
  )
  const rows = entries?.map(([t, id, at, op]): FeedRow => ({ t, id, seq: at, op })).sort(goneFirst) ?? []
  return { ...feed, rows, hasMore: rows.length >= limit }
}

/** The change with a sequence number; each has exactly one receipt. */
const changeAt = (ctx: Ctx, seq: Statement) =>
  sql`(select r."changeId" from sync_receipt r where r."companyId" = ${ctx.company.id} and r."seq" = ${seq})`

/** Rows that share a number come in any order; sorted here, for a page that is nearly in order costs nothing. */
const goneFirst = (a: FeedRow, b: FeedRow) => a.seq - b.seq || Number(a.op === 'put') - Number(b.op === 'put')

interface Records {
  fields: Record<string, readonly string[]>
  byId: ReadonlyMap<string, RowText>
}

/**
 * Records as JSON text by id, built by Postgres and passed through unparsed; the names of their values by type. They are read after the
 * feed: an edit that ends in between comes with this page and again under its own number, and devices pass over what they hold.
 */
async function readRecords(ctx: Ctx, feed: readonly FeedRow[], entities: readonly SyncEntity[]): Promise<Records> {
  const puts = Map.groupBy(
    feed.filter(({ op }) => op === 'put'),
    ({ t }) => t,
  )
  const present = entities.filter(({ resource }) => puts.has(resource.one))
  const read = limitAsync(readPortion, sideBySide)
  const found = await Promise.all(
    present.flatMap(({ resource }) =>
      chunk(
        (puts.get(resource.one) ?? []).map(({ id }) => id),
        portionSize,
      ).map((ids) => read(ctx, resource, ids)),
    ),
  )
  return {
    fields: Object.fromEntries(present.map(({ resource }) => [resource.one, selectionOf(resource, 'detail page').names])),
    byId: new Map(found.flat().map(({ id, ...row }) => [id, row])),
  }
}

/** Records read by one statement; the portions of a page are read side by side, for a first sync waits for Postgres alone. */
const portionSize = 1_000

/** Portions read at once: the first sync of one device leaves connections to everybody else. */
const sideBySide = 4

function readPortion(ctx: Ctx, resource: AnyResource, ids: readonly string[]): Promise<(RowText & { id: string })[]> {
  const { values, joins, batches } = selectionOf(resource, 'detail page')
  const rows = sql`${identifier(resource.table)} t ${batches ? sql`` : joins} where t."companyId" = ${ctx.company.id} and t."id" = any(${ids}::uuid[]) and t."deletedAt" is null ${withinWindow(resource)}`
  const record = sql`t."id" as id, t."version"::float8 as version, json_array(${values} null on null)::text as data`
  return ctx.sql.query(
    named(
      `sync.read.${resource.one}`,
      batches
        ? sql`with page as materialized (select t.* from ${rows}), ${batches} select ${record} from page t ${joins}`
        : sql`select ${record} from ${rows}`,
    ),
  )
}

/** What is too old for devices is gone from them. */
function withinWindow({ offlineWindow }: AnyResource): Statement {
  if (!offlineWindow) return sql``
  const since = identifier('t', offlineWindow.since)
  return sql`and (${since} is null or ${since} > now() - make_interval(days => ${offlineWindow.days}))`
}

interface RowText {
  version: number
  data: string
}

/** A row that left the caller's reach, or the days that devices keep, since its feed entry was written counts as gone. */
function changeText({ t, id, seq, op }: FeedRow, rows: ReadonlyMap<string, RowText>): string {
  const row = op === 'put' ? rows.get(id) : undefined
  if (!row) return JSON.stringify({ t, id, seq, op: 'gone', version: 0 })
  return `{"t":${JSON.stringify(t)},"id":"${id}","seq":${seq},"op":"put","version":${row.version},"data":${row.data}}`
}
