import { eventTypes, type EventType } from '@outpost/contract/geo/events'
import { empty, escapeLike, every, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { eventFields, eventNames } from '../../live/event-rows.ts'
import { orderOf, pageStatement } from '../crud/read.ts'
import { timeText } from '../../sql/fields.ts'
import { id, listShape, searchText, time, yesNo } from '../input.ts'
import { handler } from '../types.ts'

const severities = ['info', 'warning', 'critical'] as const

/** One value, or several separated by commas. */
const someOf = <Name extends string>(names: readonly Name[]) =>
  z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(names as readonly [Name, ...Name[]])).min(1))

/** Fields of events in lists and details, beyond those of the live message. */
export const fields = {
  ...eventFields,
  serverTime: timeText(sql`e."serverTime"`),
  attributes: sql`e."attributes"`,
  note: sql`e."note"`,
  acknowledgedByName: sql`(select u."firstName" || ' ' || u."lastName" from public.app_user u where u."companyId" = e."companyId" and u."id" = e."acknowledgedBy")`,
}

/** Sorts by the typed column instead of its text. */
const order = {
  fields: {
    ...fields,
    eventTime: sql`e."eventTime"`,
    serverTime: sql`e."serverTime"`,
    acknowledgedAt: sql`e."acknowledgedAt"`,
    severity: sql`array_position(array['info', 'warning', 'critical'], e."severity")`,
  },
  sorts: ['eventTime', 'serverTime', 'type', 'severity', 'device', 'geofence', 'eventIo', 'acknowledgedAt'],
  sort: ['eventTime', 'DESC'] as const,
}

const input = z.strictObject({
  ...listShape,
  type: someOf(Object.keys(eventTypes) as EventType[]).optional(),
  severity: someOf(severities).optional(),
  deviceId: id.optional(),
  geofenceId: id.optional(),
  eventIoId: id.optional(),
  from: time.optional(),
  to: time.optional(),
  acknowledged: yesNo.optional(),
})

/** Lists events of devices in the caller's reach, newest first, without retracted ones. `to` is exclusive. */
export const listEvents = handler(input, async (ctx, given) => {
  const where = every([sql`e."companyId" = ${ctx.caller.company}`, sql`not e."isSuperseded"`, ...conditions(given)])
  // The count joins other tables only when a search needs them.
  const tables =
    searchText(given) === undefined ? { from: sql`geo.event e`, joins: eventNames } : { from: sql`geo.event e ${eventNames}`, joins: empty }
  return {
    json: await ctx.sql.text(pageStatement({ many: 'events', input: given, fields, ...tables, where, order: orderOfEvents(given) })),
  }
})

/** Uses the order of the time index where possible, so that the newest of a million events are read first. */
function orderOfEvents(given: z.infer<typeof input>): Statement {
  const { sortField = order.sort[0], sortOrder = given.sortField === undefined ? 'DESC' : 'ASC' } = given
  if (sortField !== 'eventTime') return orderOf(order, given, sql`e."id"`)
  return sortOrder === 'DESC' ? sql`e."eventTime" desc, e."id"` : sql`e."eventTime", e."id" desc`
}

function conditions({
  type,
  severity,
  deviceId,
  geofenceId,
  eventIoId,
  from,
  to,
  acknowledged,
  search,
}: z.infer<typeof input>): Statement[] {
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
    ...(text === undefined
      ? []
      : [
          sql`upper(concat_ws(' ', d."name", e."type", e."attributes" ->> 'alarm', g."name", i."name", e."note")) like ${`%${escapeLike(text.toUpperCase())}%`}`,
        ]),
  ]
}
