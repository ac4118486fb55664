import { eventTypes, type EventType } from '@outpost/contract/geo-events'
import { empty, escapeLike, every, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { eventFields, eventNames } from '../../live/event-rows.ts'
import { orderOf, pageStatement } from '../crud/read.ts'
import { timeText } from '../../sql/fields.ts'
import { id, listShape, searchText, time, yesNo } from '../input.ts'
import { handler } from '../types.ts'

const severities = ['info', 'warning', 'critical'] as const

/** One or several, parted by commas. */
const someOf = <Name extends string>(names: readonly Name[]) =>
  z.string().transform((text) => text.split(',').map((name) => name.trim())).pipe(z.array(z.enum(names as readonly [Name, ...Name[]])).min(1))

/** What lists and single events tell beyond the live message. */
export const fields = {
  ...eventFields, serverTime: timeText(sql`e."serverTime"`), attributes: sql`e."attributes"`, note: sql`e."note"`,
  acknowledgedByName: sql`(select u."firstName" || ' ' || u."lastName" from public.app_user u where u."companyId" = e."companyId" and u."id" = e."acknowledgedBy")`,
}

/** Sorted by what it is rather than by its text. */
const order = {
  fields: {
    ...fields, eventTime: sql`e."eventTime"`, serverTime: sql`e."serverTime"`, acknowledgedAt: sql`e."acknowledgedAt"`,
    severity: sql`array_position(array['info', 'warning', 'critical'], e."severity")`,
  },
  sorts: ['eventTime', 'serverTime', 'type', 'severity', 'device', 'geofence', 'eventIo', 'acknowledgedAt'], sort: ['eventTime', 'DESC'] as const,
}

const input = z.strictObject({
  ...listShape, type: someOf(Object.keys(eventTypes) as EventType[]).optional(), severity: someOf(severities).optional(), deviceId: id.optional(), geofenceId: id.optional(), eventIoId: id.optional(),
  from: time.optional(), to: time.optional(), acknowledged: yesNo.optional(),
})

/** Events of devices in the caller's reach, newest first; without those that turned out to be none. `to` is the first moment that is not asked for. */
export const listEvents = handler(input, async (ctx, given) => {
  const where = every([sql`e."companyId" = ${ctx.caller.company}`, sql`not e."isSuperseded"`, ...conditions(given)])
  // Counted without the tables beside it unless a search reads them.
  const tables = searchText(given) === undefined ? { from: sql`geo.event e`, joins: eventNames } : { from: sql`geo.event e ${eventNames}`, joins: empty }
  return { json: await ctx.sql.text(pageStatement({ many: 'events', input: given, fields, ...tables, where, order: orderOfEvents(given) })) }
})

/** As the index by time has it where that is asked for: the newest of a million stand at its beginning. */
function orderOfEvents(given: z.infer<typeof input>): Statement {
  const { sortField = order.sort[0], sortOrder = given.sortField === undefined ? 'DESC' : 'ASC' } = given
  if (sortField !== 'eventTime') return orderOf(order, given, sql`e."id"`)
  return sortOrder === 'DESC' ? sql`e."eventTime" desc, e."id"` : sql`e."eventTime", e."id" desc`
}

function conditions({ type, severity, deviceId, geofenceId, eventIoId, from, to, acknowledged, search }: z.infer<typeof input>): Statement[] {
  const text = searchText({ search })
  return [
    ...(type ? [sql`e."type" = any(${type})`] : []),
    ...(severity ? [sql`e."severity" = any(${severity})`] : []),
    ...(deviceId ? [sql`e."deviceId" = ${deviceId}`] : []),
    ...(geofenceId ? [sql`e."geofenceId" = ${geofenceId}`] : []),
    ...(eventIoId ? [sql`e."eventIoId" = ${eventIoId}`] : []),
    ...(from ? [sql`e."eventTime" >= ${from}`] : []),
    ...(to ? [sql`e."eventTime" < ${to}`] : []),
    ...(acknowledged === undefined ? [] : [sql`e."acknowledgedAt" is ${trusted(acknowledged ? 'not null' : 'null')}`]),
    ...(text === undefined ? [] : [sql`upper(concat_ws(' ', d."name", e."type", e."attributes" ->> 'alarm', g."name", i."name", e."note")) like ${`%${escapeLike(text.toUpperCase())}%`}`]),
  ]
}
