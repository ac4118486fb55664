import { escapeLike, every, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { orderOf, pageStatement } from '../crud/read.ts'
import { timeText } from '../../sql/fields.ts'
import { searchText, type ListInput } from '../input.ts'
import type { Answer, GeoCtx } from '../types.ts'
import { deviceStatus, positionId } from './fields.ts'

/** The newest position of a device; alias l is geo.latest, t the device. */
const fields: Readonly<Record<string, Statement>> = {
  id: positionId(sql`t."id"`, sql`l."fixTime"`),
  deviceId: sql`t."id"`,
  name: sql`t."name"`,
  uniqueId: sql`t."uniqueId"`,
  protocol: sql`t."protocol"`,
  status: deviceStatus,
  category: sql`t."category"`,
  fixTime: timeText(sql`l."fixTime"`),
  deviceTime: timeText(sql`coalesce(l."deviceTime", l."fixTime")`),
  serverTime: timeText(sql`l."serverTime"`),
  latitude: sql`l."latitude"`,
  longitude: sql`l."longitude"`,
  altitude: sql`l."altitude"`,
  speed: sql`l."speed"`,
  course: sql`l."course"`,
  accuracy: sql`l."accuracy"`,
  isValid: sql`l."isValid"`,
  attributes: sql`l."attributes"`,
  state: sql`l."state"`,
}
const from = sql`geo.device t join geo.latest l on l."companyId" = t."companyId" and l."deviceId" = t."id"`
const ordering = { fields, sorts: ['name', 'fixTime', 'serverTime', 'speed', 'status'], sort: ['fixTime', 'DESC'] as const }

/** Returns the newest position of each device in the caller's reach: {position: [...]}, paged. */
export async function latestPositions(ctx: GeoCtx, input: ListInput): Promise<Answer> {
  const text = searchText(input)
  const where = every([
    sql`t."companyId" = ${ctx.caller.company}`,
    sql`t."deletedAt" is null`,
    sql`l."latitude" is not null`,
    ...(text === undefined ? [] : [sql`t."searchText" like ${`%${escapeLike(text.toUpperCase())}%`}`]),
  ])
  const statement = pageStatement({ many: 'position', input, fields, from, joins: sql``, where, order: orderOf(ordering, input) })
  return { json: await ctx.sql.text(statement) }
}
