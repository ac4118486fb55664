import { createHash } from 'node:crypto'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { later } from '../../../kernel/session/clock.ts'
import type { SessionServices } from '../../../kernel/session/services.ts'

export interface DeviceRow {
  companyId: string
  userId: string
  deviceId: string
  sessionId: string
  name?: string
  isBiometric: boolean
}

/** Ties a device to its newest session: the refresh tokens of the one before are then no good any more. */
export async function rememberDevice(db: Sql, { clock }: SessionServices, device: DeviceRow): Promise<void> {
  const { companyId, userId, sessionId, name, isBiometric } = device
  const now = later(clock)
  await db.exec(sql`
    insert into user_device ("companyId", "id", "userId", "name", "sessionId", "isBiometric", "dateCreated", "lastSeenAt")
    values (${companyId}::uuid, ${rowId(device)}::uuid, ${userId}::uuid, ${name}, ${sessionId}::uuid, ${isBiometric}, ${now}, ${now})
    on conflict ("companyId", "id") do update set "name" = coalesce(excluded."name", user_device."name"),
      "sessionId" = excluded."sessionId", "revokedAt" = null, "lastSeenAt" = excluded."lastSeenAt"`)
}

/** True when this person has signed in with this device before, by password or by biometrics. */
export async function isRemembered(db: Sql, device: Pick<DeviceRow, 'companyId' | 'userId' | 'deviceId'>): Promise<boolean> {
  const ids = [true, false].map((isBiometric) => rowId({ ...device, isBiometric }))
  const row = await db.maybe(
    sql`select 1 as one from user_device where "companyId" = ${device.companyId}::uuid and "id" = any(${ids}::uuid[])`,
  )
  return row !== undefined
}

/** One row a device, user and use: people share a device without being able to take each other's place on it. */
function rowId({ userId, deviceId, isBiometric }: Pick<DeviceRow, 'userId' | 'deviceId' | 'isBiometric'>): string {
  const hex = createHash('sha256').update(`${userId} ${deviceId} ${isBiometric}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
