import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { TripRule } from '../motion/traccar/trips.ts'
import type { GeoCtx } from './types.ts'

export interface DeviceRow {
  id: string
  name: string
  uniqueId: string
  protocol: string | null
  disabled: boolean
  userId: string | null
  tripRule: TripRule | null
}

/** Reads a device in the caller's reach; throws NOT_FOUND for any other. */
export async function readDevice({ sql: reader, caller }: GeoCtx, deviceId: string, db: Sql = reader): Promise<DeviceRow> {
  const row = await db.maybe<DeviceRow>(sql`select "id", "name", "uniqueId", "protocol", "disabled", "userId", "tripRule" from geo.device
    where "companyId" = ${caller.company} and "id" = ${deviceId} and "deletedAt" is null`)
  return row ?? fail('NOT_FOUND')
}

export interface LockedDevice {
  companyId: string
  deviceId: string
}

/** Locks a device in the caller's reach so that concurrent changes run one after the other. Throws NOT_FOUND for any other. */
export async function lockDevice(ctx: GeoCtx, db: Sql, deviceId: string): Promise<LockedDevice> {
  const companyId = ctx.caller.company
  await db.exec(sql`select from geo.device where "companyId" = ${companyId} and "id" = ${deviceId} for update`)
  await readDevice(ctx, deviceId, db)
  return { companyId, deviceId }
}
