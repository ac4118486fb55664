import { fail } from '@outpost/contract/errors'
import { escapeLike, join, sql, trusted } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { readDevice } from '../devices.ts'
import { id, listShape, searchText, time } from '../input.ts'
import { handler } from '../types.ts'
import { historyColumns } from './history.ts'

const longestDays = 400
const dayMs = 86_400_000
const input = z.strictObject({
  page: listShape.page,
  size: listShape.size,
  sortOrder: listShape.sortOrder,
  search: listShape.search,
  deviceId: id,
  from: time,
  to: time,
})

/** A page of a device's positions between two moments, counted; `search` finds words of their events; what the event of a row is depends on the row before it, so the page is cut after that. */
export const pageOfPositions = handler(input, async (ctx, { page, size, sortOrder = 'ASC', search, deviceId, from, to }) => {
  await readDevice(ctx, deviceId)
  if (from > to) fail('INVALID', { fields: [{ field: 'from', message: 'is after to' }] })
  if (to.getTime() - from.getTime() > longestDays * dayMs)
    fail('INVALID', { fields: [{ field: 'to', message: `ask for ${longestDays} days at most` }] })
  const where = sql`p."companyId" = ${ctx.caller.company} and p."deviceId" = ${deviceId} and p."fixTime" between ${from} and ${to}`
  const row = join([...historyColumns].flatMap(([key, value]) => [sql`${key}::text`, value]))
  const text = searchText({ search })
  const walked = sql`(select jsonb_build_object(${row}) as "row", p."fixTime" from geo.position p where ${where} window walk as (order by p."fixTime")) w`
  const found = text === undefined ? sql`true` : sql`upper(w."row" ->> 'event') like ${`%${escapeLike(text.toUpperCase())}%`}`
  const [rows, { total }] = await Promise.all([
    ctx.sql.query<{ row: string }>(
      sql`select w."row"::text as "row" from ${walked} where ${found} order by w."fixTime" ${trusted(sortOrder === 'DESC' ? 'desc' : 'asc')} limit ${size} offset ${(page - 1) * size}`,
    ),
    ctx.sql.one<{ total: number }>(
      text === undefined
        ? sql`select count(*)::int as "total" from geo.position p where ${where}`
        : sql`select count(*)::int as "total" from ${walked} where ${found}`,
    ),
  ])
  const meta = { page, size, total }
  return { json: `{"success":true,"data":{"position":[${rows.map(({ row: text }) => text).join(',')}]},"meta":${JSON.stringify(meta)}}` }
})
