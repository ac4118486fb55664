import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { writeAudit } from './crud/write.ts'
import { heldDevice, type HeldDevice } from './devices.ts'
import { id, time } from './input.ts'
import { handler } from './types.ts'

interface Link { assetId: string, since: Date, until: Date | null }

const shape = z.strictObject({
  id,
  /** Null: the device is taken off. */
  assetId: id.nullable(),
  /** When it was put there; now if not told. */
  at: time.refine((at) => at.getTime() <= Date.now() + 60_000, 'is in the future').optional(),
})

/**
 * Puts a device on an asset (vehicle), or takes it off: from a moment on, until the next change that is known. Trips belong
 * to the asset of the time they began, so those after the moment follow. Answers with the history, newest first.
 */
export const setAsset = handler(shape, (ctx, { id: deviceId, assetId, at = new Date(ctx.now()) }) =>
  ctx.transaction(async (db) => {
    const device = await heldDevice(ctx, db, deviceId)
    const before = await readAssets(db, device)
    const covering = before.find(({ since, until }) => since <= at && (until === null || until > at))
    if ((covering?.assetId ?? null) !== assetId) {
      if (covering) await endLink(db, device, covering, at)
      const next = before.findLast(({ since }) => since > at)
      if (assetId !== null) await addLink(db, device, { assetId, since: at, until: covering ? covering.until : next?.since ?? null }, ctx.caller.user)
    }
    const assets = await readAssets(db, device)
    await writeAudit(ctx, db, { act: 'setAsset', objectType: 'geoDevice', objectId: deviceId, before: { assets: before }, after: { assets } })
    return { data: { deviceId, assets } }
  }))

/** The assets a device was on, newest first. */
export function readAssets(db: Sql, { companyId, deviceId }: HeldDevice): Promise<Link[]> {
  return db.query<Link>(sql`select "assetId", "since", "until" from geo.device_asset where "companyId" = ${companyId} and "deviceId" = ${deviceId} order by "since" desc`)
}

/** A link that began at that very moment has never been. */
async function endLink(db: Sql, { companyId, deviceId }: HeldDevice, { since }: Link, at: Date): Promise<void> {
  const own = sql`"companyId" = ${companyId} and "deviceId" = ${deviceId} and "since" = ${since}`
  await db.exec(since.getTime() === at.getTime() ? sql`delete from geo.device_asset where ${own}` : sql`update geo.device_asset set "until" = ${at} where ${own}`)
}

async function addLink(db: Sql, { companyId, deviceId }: HeldDevice, { assetId, since, until }: Link, changedBy: string): Promise<void> {
  await db.exec(sql`insert into geo.device_asset ("companyId", "deviceId", "assetId", "since", "until", "changedBy") values (${companyId}, ${deviceId}, ${assetId}, ${since}, ${until}, ${changedBy})`)
}
