import { optionalNumber } from '@outpost/contract/input'
import { deviceClock } from '@outpost/contract/sync/clock'
import { fixSources } from '@outpost/rules/places/fix-quality'
import { isPosition } from '@outpost/rules/validation'
import { sql } from '@outpost/platform/db/sql'
import { setTimeRight } from '../../../kernel/sync/clock.ts'
import { errorQuota, roomFor } from '../../../kernel/quota.ts'
import { z } from 'zod'
import type { Ctx } from '../../../kernel/types.ts'
import { recordPositions } from '../../agents/index.ts'

const number = optionalNumber(z.number())
const parts = {
  latitude: number,
  longitude: number,
  accuracy: optionalNumber(z.number().min(0).max(1_000_000)),
  deviceTime: z.iso.datetime({ offset: true }).optional(),
  clock: deviceClock.optional(),
  source: z.enum(fixSources).optional(),
  speed: z.number().min(0).max(1_000).nullish(),
  battery: z.number().min(0).max(100).nullish(),
}
/** Where a device was: beside the other properties or in `location`. `gps` says that a fix was wanted. */
export const fixShape = { gps: z.boolean().optional(), location: z.object(parts).nullish(), ...parts }

type Parts = { [Key in keyof typeof parts]?: z.infer<(typeof parts)[Key]> }
export interface Fix extends Omit<Parts, 'clock'> {
  latitude: number
  longitude: number
  clockSkewMs: number | null
}

/** The fix of a body, its time set right; undefined when there is none, or a placeholder (0 or 999). */
export function fixOf(input: Parts & { location?: Parts | null | undefined }, sentAt?: string): Fix | undefined {
  const { latitude, longitude, accuracy, deviceTime, clock, source, speed, battery } = { ...input, ...input.location }
  return latitude !== undefined && longitude !== undefined && isPosition(latitude, longitude)
    ? { latitude, longitude, accuracy, ...setTimeRight({ deviceTime, clock }, sentAt), source, speed, battery }
    : undefined
}

const noFix = 'Unable to log GPS Position! Please activate your GPS.'
type Logged = { data: { gpsLogged?: boolean }; message?: string }

/** Keeps a tracking record of the caller at an activity of theirs; of a fix that was wanted and is not there an error-log row, and the specification's words. */
export async function recordFix(
  ctx: Ctx,
  { activityId, fix, isWanted }: { activityId: string; fix: Fix | undefined; isWanted: boolean },
): Promise<Logged> {
  if (!fix) return isWanted ? missFix(ctx, activityId) : { data: {} }
  await recordPositions(ctx, [{ ...fix, activityId }])
  return { data: { gpsLogged: true } }
}

/** A fix was wanted and could not be had. */
export async function missFix(ctx: Ctx, activityId: string): Promise<Logged> {
  if ((await roomFor(ctx, errorQuota)) > 0)
    await ctx.sql.exec(sql`
    insert into error_log ("companyId", "id", "tenantId", "userId", "entityId", "entityType", "errorDetail")
    values (${ctx.company.id}, gen_random_uuid(), ${ctx.tenant.id}, ${ctx.user.id}, ${activityId}, 'activity', ${noFix})`)
  return { data: { gpsLogged: false }, message: noFix }
}
