import { randomUUIDv7 } from 'node:crypto'
import { fail, failField } from '@outpost/contract/errors'
import { numberLike } from '@outpost/contract/input'
import { deviceClock } from '@outpost/contract/sync/clock'
import { fixSources, sourceOf } from '@outpost/rules/places/fix-quality'
import { integrityLimits, checkPosition, type IntegrityFlag, type TrackPoint } from '@outpost/rules/places/integrity'
import { isNoIdentifier, isPosition } from '@outpost/rules/validation'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { idSchema, suppliedId } from '../../kernel/resource/schema.ts'
import type { Ctx } from '../../kernel/types.ts'
import { trackableTimes } from './consent/trackable.ts'
import { noActivityAssignment } from './agent.errors.ts'

const none = (value: string) => (value === '' || isNoIdentifier(value) ? null : value)
const optionalId = z.string().transform(none).pipe(idSchema.nullable()).nullish()
/** Missing coordinates count as 0, which is no position (specification 5). */
const degrees = numberLike(z.number().nullish())

/** A position record as devices send it. */
export const positionShape = {
  Id: suppliedId.optional(),
  id: suppliedId.optional(),
  type: z.literal('user_position').optional(),
  userId: optionalId,
  latitude: degrees,
  longitude: degrees,
  accuracy: z.number().min(0).max(1_000_000).nullish(),
  speed: z.number().min(0).max(1_000).nullish(),
  battery: z.number().min(0).max(100).nullish(),
  source: z.enum(fixSources).nullish(),
  deviceTime: z.iso.datetime({ offset: true }).nullish(),
  clock: deviceClock.optional(),
  entityType: z.string().trim().max(40).nullish(),
  entityId: optionalId,
  activityId: optionalId,
}
/** Its time is the right one (`setTimeRight`): who records positions has set it. */
export type PositionInput = Omit<z.infer<z.ZodObject<typeof positionShape>>, 'clock'> & { clockSkewMs?: number | null | undefined }

/** Positions older than this were collected by a device that was lost for long; nobody's day is that late. */
const oldestDays = 60

export interface StoredPosition {
  id: string
  deviceTime: string
  latitude: number
  longitude: number
  accuracy: number | null
  speed: number | null
  battery: number
  source: 'live' | 'cached' | 'cached_old'
  entityType: string | null
  entityId: string | null
  flags: IntegrityFlag[] | null
  /** By how much the time was set right; null when the device's clock was right. */
  clockSkewMs: number | null
}

/** True when the input holds a place: both coordinates, neither 0 nor 999. */
export const hasPlace = ({ latitude, longitude }: Pick<PositionInput, 'latitude' | 'longitude'>) =>
  isPosition(Number(latitude ?? 0), Number(longitude ?? 0))

/**
 * Files where the caller was, in the running transaction: one record or a batch that waited offline. What a device
 * sends twice is kept once; what of their track lies outside working time, or without their consent, is left. `sentAt`: the device's clock when it sent them.
 * Errors: NO_POSITION and NO_ACTIVITY_ASSIGNMENT with code 101, INVALID for times that cannot be.
 */
export async function recordPositions(
  ctx: Ctx,
  inputs: readonly PositionInput[],
  { sentAt }: { sentAt?: string | undefined } = {},
): Promise<StoredPosition[]> {
  const now = Date.now()
  const positions = inputs
    .map((input, index) => ({ ...readPosition(input, now), index }))
    .toSorted((a, b) => a.deviceTime.localeCompare(b.deviceTime))
  await refuseForeignActivities(ctx, positions)
  const skewMs = sentAt === undefined ? undefined : Date.parse(sentAt) - now
  const kept = await keepTrackable(ctx, positions)
  const stored = await flagAll(ctx, kept, skewMs)
  // A time that was set right may differ by the length of the way at another try, and it is part of the key.
  await ctx.sql.exec(sql`
    insert into user_position ("companyId", "userId", "tenantId", "id", "deviceTime", "latitude", "longitude", "accuracy", "speed", "battery", "source", "entityType", "entityId", "flags", "clockSkewMs")
    select ${ctx.company.id}::uuid, ${ctx.user.id}::uuid, ${ctx.tenant.id}::uuid, p."id", p."deviceTime", p."latitude", p."longitude", p."accuracy", p."speed", p."battery",
      p."source", p."entityType", p."entityId", p."flags", p."clockSkewMs"
    from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as p("id" uuid, "deviceTime" timestamptz, "latitude" numeric, "longitude" numeric, "accuracy" real,
      "speed" real, "battery" smallint, "source" text, "entityType" text, "entityId" uuid, "flags" text[], "clockSkewMs" bigint)
    where p."clockSkewMs" is null or not exists (select from user_position x where x."companyId" = ${ctx.company.id}::uuid and x."userId" = ${ctx.user.id}::uuid
      and x."deviceTime" between p."deviceTime" - interval '2 days' and p."deviceTime" + interval '2 days' and x."id" = p."id")
    on conflict do nothing`)
  return stored
}

function readPosition(input: PositionInput, now: number): StoredPosition {
  if (!hasPlace(input))
    fail('NO_POSITION', {
      details: { code: 101 },
      fields: [
        { field: 'latitude', message: 'is not known' },
        { field: 'longitude', message: 'is not known' },
      ],
    })
  const at = input.deviceTime ? Date.parse(input.deviceTime) : now
  if (at < now - oldestDays * 86_400_000) failField('deviceTime', `lies more than ${oldestDays} days back`)
  const round = (value: unknown) => Math.round(Number(value) * 1e6) / 1e6
  const activityId = input.activityId ?? null
  return {
    id: input.Id ?? input.id ?? randomUUIDv7(),
    deviceTime: new Date(at).toISOString(),
    latitude: round(input.latitude),
    longitude: round(input.longitude),
    accuracy: input.accuracy ?? null,
    speed: input.speed ?? null,
    battery: Math.round(input.battery ?? 0),
    source: sourceOf(input),
    entityType: activityId ? 'activity' : (input.entityType ?? null),
    entityId: activityId ?? input.entityId ?? null,
    flags: null,
    clockSkewMs: input.clockSkewMs ?? null,
  }
}

/** Without the places of a person's track at which they may not be followed. The place of an act belongs to that work. */
async function keepTrackable<Position extends StoredPosition>(ctx: Ctx, positions: readonly Position[]): Promise<Position[]> {
  const track = positions.filter(({ entityType }) => entityType === null)
  if (track.length === 0) return [...positions]
  const times = await trackableTimes(
    ctx,
    track.map(({ deviceTime }) => deviceTime),
  )
  return positions.filter(({ entityType, deviceTime }) => entityType !== null || times.has(Date.parse(deviceTime)))
}

/** A position that belongs to an activity needs the caller among its agents. */
async function refuseForeignActivities(ctx: Ctx, positions: readonly StoredPosition[]): Promise<void> {
  const ids = [...new Set(positions.filter(({ entityType }) => entityType === 'activity').map(({ entityId }) => entityId))]
  if (ids.length === 0) return
  const { held } = await ctx.sql.one<{ held: number }>(sql`
    select count(distinct "activityId")::int as held from activity_assignment
    where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid and "activityId" = any(${ids}::uuid[])`)
  if (held < ids.length) fail(noActivityAssignment, { details: { code: 101 } })
}

/** Flags each position by those before it: what is stored already, then the batch itself. */
async function flagAll(ctx: Ctx, positions: readonly StoredPosition[], skewMs: number | undefined): Promise<StoredPosition[]> {
  const [first] = positions
  if (!first) return []
  const rows = await ctx.sql.query<{
    latitude: number
    longitude: number
    accuracy: number | null
    source: TrackPoint['source']
    deviceTime: Date
  }>(sql`
    select "latitude", "longitude", "accuracy", "source", "deviceTime" from user_position
    where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid and "source" = 'live'
      and "deviceTime" < ${first.deviceTime}::timestamptz and "deviceTime" > ${first.deviceTime}::timestamptz - interval '1 day'
    order by "deviceTime" desc limit ${integrityLimits.identical}`)
  const earlier = rows.toReversed().map((row): TrackPoint => ({
    latitude: row.latitude,
    longitude: row.longitude,
    accuracy: row.accuracy,
    source: row.source,
    at: row.deviceTime.getTime(),
  }))
  return positions.map((position) => {
    const at = Date.parse(position.deviceTime)
    // Without the device's own word only a time in the future shows that its clock is wrong.
    const ahead = at - Date.now()
    const point = { ...position, at }
    const flags = checkPosition({
      point,
      earlier: earlier.slice(-integrityLimits.identical),
      skewMs: position.clockSkewMs ?? skewMs ?? Math.max(0, ahead),
    })
    earlier.push(point)
    return { ...position, flags: flags.length > 0 ? flags : null }
  })
}
