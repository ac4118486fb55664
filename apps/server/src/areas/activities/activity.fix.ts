import { isPosition } from '@outpost/rules/validation'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import type { Ctx } from '../../kernel/types.ts'

const number = z.number().optional()
const parts = { latitude: number, longitude: number, accuracy: z.number().min(0).max(1_000_000).optional(), deviceTime: z.iso.datetime({ offset: true }).optional() }
/** Where a device was: beside the other properties or in `location`. `gps` says that a fix was wanted. */
export const fixShape = { gps: z.boolean().optional(), location: z.object(parts).nullish(), ...parts }

export interface Fix { latitude: number, longitude: number, accuracy?: number | undefined, deviceTime?: string | undefined }
type Sent = Partial<Fix> & { location?: Partial<Fix> | null | undefined }

/** The fix of a body; undefined when there is none, or a placeholder (0 or 999). */
export function fixOf(input: Sent): Fix | undefined {
  const { latitude, longitude, accuracy, deviceTime } = { ...input, ...input.location }
  return latitude !== undefined && longitude !== undefined && isPosition(latitude, longitude) ? { latitude, longitude, accuracy, deviceTime } : undefined
}

const noFix = 'Unable to log GPS Position! Please activate your GPS.'

/** Leaves a row in the error log, and the specification's words, when a fix was wanted and is not there. */
export async function recordFix(ctx: Ctx, { activityId, fix, isWanted }: { activityId: string, fix: Fix | undefined, isWanted: boolean }): Promise<{ data: object, message?: string }> {
  if (fix) return { data: { gpsLogged: true } }
  if (!isWanted) return { data: {} }
  await ctx.sql.exec(sql`
    insert into error_log ("companyId", "id", "tenantId", "userId", "entityId", "entityType", "errorDetail")
    values (${ctx.company.id}, gen_random_uuid(), ${ctx.tenant.id}, ${ctx.user.id}, ${activityId}, 'activity', ${noFix})`)
  return { data: { gpsLogged: false }, message: noFix }
}
