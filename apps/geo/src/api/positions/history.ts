import { fail } from '@outpost/contract/errors'
import { every, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { simplify } from '../../motion/polyline.ts'
import { attributeOf } from '../../positions/attributes.ts'
import { readDevice } from '../devices.ts'
import type { Answer, GeoCtx } from '../types.ts'
import { historyFields, readPositionId } from './fields.ts'

export interface HistoryInput {
  deviceId: string
  from?: Date | undefined
  to?: Date | undefined
  /** Cursor of the next page: meta.next of the previous answer. */
  after?: string | undefined
  size: number
  fields?: string[] | undefined
  /** metres */
  simplify?: number | undefined
}

const dayMs = 86_400_000
/** Most points of one simplified track; a day at 1 Hz fits. */
const maxSimplified = 100_000

const ignition = attributeOf('ignition')
/** The event at a position p in the order of the window: Ignition On or Off when it changed, an alarm, else a plain report. */
export const positionEvent = sql`case
  when p."more" ? 'alarm' then 'Alarm ' || (p."more" ->> 'alarm')
  when ${ignition} = 'true' and lag(${ignition}) over walk = 'false' then 'Ignition On'
  when ${ignition} = 'false' and lag(${ignition}) over walk = 'true' then 'Ignition Off'
  else 'Position Report' end`

/** Fields of a position in a history, from alias p in the order of the window walk. */
export const historyColumns: ReadonlyMap<string, Statement> = new Map(
  Object.entries({
    ...historyFields,
    event: positionEvent,
    odometer: attributeOf('odometer'),
    Satellites: attributeOf('sat'),
  }),
)

/** Returns a device's positions between two times in order, paged by their key. Default: the last 24 hours. */
export async function history(ctx: GeoCtx, input: HistoryInput): Promise<Answer> {
  await readDevice(ctx, input.deviceId)
  const to = input.to ?? new Date(ctx.now())
  const from = input.from ?? new Date(to.getTime() - dayMs)
  if (from > to) fail('INVALID', { fields: [{ field: 'from', message: 'is after to' }] })
  const chosen = input.fields ?? [...historyColumns.keys()]
  const unknown = chosen.find((key) => !historyColumns.has(key))
  if (unknown !== undefined)
    fail('INVALID', { fields: [{ field: 'fields', message: `${unknown} is not one of ${[...historyColumns.keys()].join(', ')}` }] })
  if (input.simplify !== undefined) return simplified(ctx, input, { from, to, chosen, metres: input.simplify })
  const start = input.after === undefined ? sql`p."fixTime" >= ${from}` : sql`p."fixTime" > ${afterOf(input)}`
  const rows = await read(ctx, { where: [start, sql`p."fixTime" <= ${to}`], chosen, deviceId: input.deviceId, limit: input.size + 1 })
  const page = rowsThatFit(rows.slice(0, input.size))
  return envelope(page, { size: input.size, next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null })
}

interface Read {
  where: Statement[]
  chosen: readonly string[]
  deviceId: string
  limit: number
}
/** `row` is the position as JSON text, passed through as Postgres wrote it. */
interface Row {
  id: string
  row: string
}

/** Returns as many rows as fit into an answer that the server accepts (8 MiB); the rest follows on the next page. */
function rowsThatFit(rows: readonly Row[]): readonly Row[] {
  let room = 6_000_000
  const tooMany = rows.findIndex(({ row }, at) => (room -= row.length) < 0 && at > 0)
  return tooMany < 0 ? rows : rows.slice(0, tooMany)
}

const envelope = (rows: readonly Row[], meta: object): Answer => ({
  json: `{"success":true,"data":{"position":[${rows.map(({ row }) => row).join(',')}]},"meta":${JSON.stringify(meta)}}`,
})

async function read(ctx: GeoCtx, { where, chosen, deviceId, limit }: Read): Promise<Row[]> {
  const conditions = every([sql`p."companyId" = ${ctx.caller.company}`, sql`p."deviceId" = ${deviceId}`, ...where])
  const row = join(chosen.flatMap((key) => [sql`${key}::text`, historyColumns.get(key)]))
  return ctx.sql.query<Row>(sql`
    with found as (select * from geo.position p where ${conditions} order by p."fixTime" limit ${limit})
    select ${historyFields.id} as "id", jsonb_build_object(${row})::text as "row"
    from found p window walk as (order by p."fixTime") order by p."fixTime"`)
}

function afterOf({ after = '', deviceId }: HistoryInput): Date {
  const at = readPositionId(after)
  return at?.deviceId === deviceId
    ? at.fixTime
    : fail('INVALID', { fields: [{ field: 'after', message: 'is not the end of a page of this device' }] })
}

interface Simplified {
  from: Date
  to: Date
  chosen: readonly string[]
  metres: number
}
interface Place {
  time: number
  latitude: number
  longitude: number
}

/**
 * Simplifies the track: drops each point that is within this many metres of the line through the others. Only the remaining points are
 * read in full.
 */
async function simplified(ctx: GeoCtx, { deviceId }: HistoryInput, { from, to, chosen, metres }: Simplified): Promise<Answer> {
  const { company } = ctx.caller
  const places = await readPlaces(ctx, sql`"companyId" = ${company} and "deviceId" = ${deviceId} and "fixTime" between ${from} and ${to}`)
  const kept = simplify(places, metres).map(({ time }) => new Date(time))
  const first = kept[0]
  const last = kept.at(-1)
  // Both time bounds are repeated here so that the planner reads only the weeks concerned.
  const where = [sql`p."fixTime" between ${first} and ${last}`, sql`p."fixTime" = any(${kept}::timestamptz[])`]
  const rows = first === undefined ? [] : await read(ctx, { where, chosen, deviceId, limit: maxSimplified })
  return envelope(rows, { size: rows.length, points: places.length, isCut: places.length === maxSimplified, next: null })
}

/** As three lists of numbers: a day with a message each second has 86,400 places, and as many rows take twice as long. */
async function readPlaces(ctx: GeoCtx, where: Statement): Promise<Place[]> {
  const lists = await ctx.sql.text(sql`
    select json_build_array(coalesce(json_agg("time"), '[]'), coalesce(json_agg("latitude"), '[]'), coalesce(json_agg("longitude"), '[]'))::text from (
      select (extract(epoch from "fixTime") * 1000)::bigint as "time", "latitude", "longitude" from geo.position
      where ${where} and "latitude" is not null and "isValid" order by "fixTime" limit ${maxSimplified}) p`)
  const [times, latitudes, longitudes] = JSON.parse(lists) as [number[], number[], number[]]
  return times.map((time, at) => ({ time, latitude: latitudes[at] ?? 0, longitude: longitudes[at] ?? 0 }))
}
