import { randomUUIDv7 } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { optionalNumber } from '@outpost/contract/input'
import { deviceClock } from '@outpost/contract/sync/clock'
import { fixSources, sourceOf } from '@outpost/rules/places/fix-quality'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { announce } from '../../kernel/realtime/announce.ts'
import { daySchema } from '../../kernel/days.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema, listShape, suppliedId, type ListInput } from '../../kernel/resource/schema.ts'
import { setTimeRight } from '../../kernel/sync/clock.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { agentAction } from './action.resource.ts'
import { happenedAt, happenedWithin } from './action.time.ts'
import { scheduleEndOfDay } from './end-of-day.job.ts'
import { hasPlace, recordPositions } from './positions.ts'
import { instant } from './tracking.ts'

const position = z.object({
  latitude: optionalNumber(z.number()),
  longitude: optionalNumber(z.number()),
  accuracy: optionalNumber(z.number().min(0).max(1_000_000)),
  deviceTime: z.iso.datetime({ offset: true }).optional(),
  clock: deviceClock.optional(),
  source: z.enum(fixSources).optional(),
  speed: z.number().min(0).max(1_000).nullish(),
  battery: z.number().min(0).max(100).nullish(),
})
/** Start or stop of the day (1, 0), file added or removed (2, 3); the place is in `location` or beside it. */
export const actionInput = z.strictObject({
  Id: suppliedId.optional(),
  action: z.int().min(0).max(3),
  performedByUserId: idSchema.optional(),
  location: position.loose().nullish(),
  ...position.shape,
  activityId: idSchema.optional(),
  /** The device's time as it sends it, which is later than it was done where it waited. */
  sentAt: z.iso.datetime({ offset: true }).optional(),
})

/**
 * Notes what an agent did, with a tracking record in the same transaction when the place is known. The actor is the
 * caller; a tenant that asks for the place refuses to start or end a day without one. Sent twice, it is kept once.
 */
export async function logAction(ctx: Ctx, input: z.infer<typeof actionInput>): Promise<Answer> {
  if (input.performedByUserId && input.performedByUserId !== ctx.user.id)
    fail('FORBIDDEN', { fields: [{ field: 'performedByUserId', message: 'is not the signed-in user' }] })
  const id = input.Id ?? randomUUIDv7()
  const place = setTimeRight({ ...input, ...input.location }, input.sentAt)
  const hasFix = hasPlace(place)
  if (ctx.tenant.locationRequired && input.action <= 1 && !hasFix) {
    fail('INVALID', {
      message: 'Enable location access in-order to update activity status and start or stop your day!',
      fields: [{ field: 'location', message: 'is required' }],
    })
  }
  const { deviceTime: at = null, clockSkewMs } = input.deviceTime ? setTimeRight(input, input.sentAt) : place
  const row = await ctx.sql.maybe(sql`
    insert into agent_action ("companyId", "id", "tenantId", "performedByUserId", "action", "latitude", "longitude", "accuracy", "deviceTime", "source", "entityType", "entityId", "clockSkewMs")
    values (${ctx.company.id}, ${id}, ${ctx.tenant.id}, ${ctx.user.id}, ${input.action}, ${hasFix ? place.latitude : null}, ${hasFix ? place.longitude : null},
      ${hasFix ? (place.accuracy ?? null) : null}, ${at}::timestamptz, ${hasFix ? sourceOf(place) : 'none'}, ${input.activityId ? 'activity' : null}, ${input.activityId ?? null}::uuid, ${clockSkewMs}::bigint)
    on conflict do nothing returning "id" as "Id", "action", "source", "dateCreated"`)
  if (!row) return { data: { agentAction: [] } }
  if (hasFix) {
    const { latitude, longitude, accuracy, source, speed, battery, deviceTime } = place
    await recordPositions(ctx, [
      {
        Id: id,
        latitude,
        longitude,
        accuracy,
        source,
        speed,
        battery,
        deviceTime: deviceTime ?? at,
        clockSkewMs: place.clockSkewMs,
        entityType: 'agent_action',
        entityId: id,
      },
    ])
  }
  if (input.action === 1) await scheduleEndOfDay(ctx, { actionId: id, began: at })
  announce(ctx, agentAction, [id], 'created', [ctx.tenant.id])
  return { data: { agentAction: [row] } }
}

/** The caller's last start or stop of the day; data.agentAction is empty when there is none. */
export async function latestAction(ctx: Ctx): Promise<Answer> {
  const rows = await ctx.sql.query(sql`
    select "id" as "Id", "action", "performedByUserId", "source", "isAutomatic", ${happenedAt('a')} as at, "dateCreated" from agent_action a
    where "companyId" = ${ctx.company.id} and "performedByUserId" = ${ctx.user.id} and "action" <= 1 order by ${happenedAt('a')} desc, "dateCreated" desc limit 1`)
  return { data: { agentAction: rows } }
}

/** Where an action was done, and how that was known; a source of none comes with the specification's 999. */
export async function actionLocation(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const { Id, performedByUserId, agentName, action, latitude, longitude, accuracy, source, at } = await getRecord(ctx, agentAction, id)
  return {
    data: {
      location: { Id, performedByUserId, agentName, action, latitude: latitude ?? 999, longitude: longitude ?? 999, accuracy, source, at },
    },
  }
}

/** Done on these days, both included. */
const onDays = (ctx: Ctx, first: string, last: string) =>
  happenedWithin('t', { from: instant(ctx, first), until: instant(ctx, last, true) })

/** A day of one agent: path parameters of the history call. */
export const dayExtra = { id: idSchema, date: daySchema }
export const onDay = (ctx: Ctx, { id, date }: { id: string; date: string }) => sql`
  t."performedByUserId" = ${id}::uuid and ${onDays(ctx, date, date)}`

const moment = listShape.startDate.unwrap()
/** `download`: the whole period at once, whatever page and size say. */
export const rangeExtra = { from: moment, to: moment, download: z.enum(['true', 'false', '1', '0', '']).optional() }
export const inRange = (ctx: Ctx, { from, to }: { from: string; to: string }) => onDays(ctx, from, to)
export const wholeWhenDownloaded = <Input extends ListInput & { download?: string | undefined }>(input: Input): Input =>
  input.download === 'true' || input.download === '1' ? { ...input, page: 1, size: 1_000_000 } : input
