import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { writeAudit } from '../crud/write.ts'
import { lockDevice, type LockedDevice } from '../devices.ts'
import { id, time } from '../input.ts'
import { handler } from '../types.ts'
import { readEngineHours, readOdometer } from './read.ts'

const what = {
  id,
  /** The reason; the audit entry contains it with the previous value. */
  reason: z.string().trim().min(3, 'says why, in three letters at least').max(500),
  /** When the vehicle showed this value; default now. */
  at: time.refine((at) => at.getTime() <= Date.now() + 60_000, 'is in the future').optional(),
}

/** Sets the odometer (metres); the distance driven since is added to it. Returns the current reading. */
export const setOdometer = handler(
  z.strictObject({ ...what, metres: z.number().min(0, 'must not be below 0').max(10_000_000_000) }),
  (ctx, { id: deviceId, metres, reason, at = new Date(ctx.now()) }) =>
    ctx.transaction(async (db) => {
      const device = await lockDevice(ctx, db, deviceId)
      const before = await readOdometer(db, device)
      const counter = await counterAt(db, device, at)
      await db.exec(sql`update geo.device set "odometerBase" = ${metres}, "odometerSince" = ${at}, "odometerCounter" = ${counter}, "version" = "version" + 1, "dateModified" = now()
      where "companyId" = ${device.companyId} and "id" = ${deviceId}`)
      const odometer = await readOdometer(db, device)
      await writeAudit(ctx, db, {
        act: 'setOdometer',
        objectType: 'geoDevice',
        objectId: deviceId,
        before: { odometer: before },
        after: { odometer, set: { metres, at, reason } },
      })
      return { data: { deviceId, odometer } }
    }),
)

/** Sets the hour counter; engine hours since are added to it. Returns the current reading. */
export const setEngineHours = handler(
  z.strictObject({ ...what, hours: z.number().min(0, 'must not be below 0').max(1_000_000) }),
  (ctx, { id: deviceId, hours, reason, at = new Date(ctx.now()) }) =>
    ctx.transaction(async (db) => {
      const device = await lockDevice(ctx, db, deviceId)
      const before = await readEngineHours(db, device)
      await db.exec(
        sql`update geo.device set "engineBase" = ${hours * 3_600}, "engineSince" = ${at}, "version" = "version" + 1, "dateModified" = now() where "companyId" = ${device.companyId} and "id" = ${deviceId}`,
      )
      const engineHours = await readEngineHours(db, device)
      await writeAudit(ctx, db, {
        act: 'setEngineHours',
        objectType: 'geoDevice',
        objectId: deviceId,
        before: { engineHours: before },
        after: { engineHours, set: { hours, at, reason } },
      })
      return { data: { deviceId, engineHours } }
    }),
)

/** The device's own counter at that time, if it has one. */
async function counterAt(db: Sql, { companyId, deviceId }: LockedDevice, at: Date): Promise<number | null> {
  const row = await db.maybe<{ counter: unknown }>(sql`
    select p."attributes" -> 'odometer' as "counter" from geo.latest l, geo.position p
    where l."companyId" = ${companyId} and l."deviceId" = ${deviceId} and l."state" ? 'odometer' and p."companyId" = ${companyId} and p."deviceId" = ${deviceId} and p."fixTime" <= ${at} and p."attributes" ? 'odometer'
    order by p."fixTime" desc limit 1`)
  return typeof row?.counter === 'number' ? row.counter : null
}
