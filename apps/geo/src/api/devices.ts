import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { TripRule } from '../motion/traccar/trips.ts'
import type { GeoCtx } from './types.ts'

export interface DeviceRow { id: string, name: string, uniqueId: string, protocol: string | null, disabled: boolean, userId: string | null, tripRule: TripRule | null }

/** A device the caller sees; NOT_FOUND for any other, whoever it belongs to. */
export async function readDevice({ sql: reader, caller }: GeoCtx, deviceId: string, db: Sql = reader): Promise<DeviceRow> {
  const row = await db.maybe<DeviceRow>(sql`select "id", "name", "uniqueId", "protocol", "disabled", "userId", "tripRule" from geo.device
    where "companyId" = ${caller.company} and "id" = ${deviceId} and "deletedAt" is null`)
  return row ?? fail('NOT_FOUND')
}

export interface HeldDevice { companyId: string, deviceId: string }

/** NOT_FOUND for a device the caller does not see; held, so that two who change it at once follow each other. */
export async function heldDevice(ctx: GeoCtx, db: Sql, deviceId: string): Promise<HeldDevice> {
  const companyId = ctx.caller.company
  await db.exec(sql`select from geo.device where "companyId" = ${companyId} and "id" = ${deviceId} for update`)
  await readDevice(ctx, deviceId, db)
  return { companyId, deviceId }
}
