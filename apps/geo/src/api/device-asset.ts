import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { writeAudit } from './crud/write.ts'
import { lockDevice, type LockedDevice } from './devices.ts'
import { id, time } from './input.ts'
import { handler } from './types.ts'

interface Link {
  assetId: string
  since: Date
  until: Date | null
}

const shape = z.strictObject({
  id,
  /** Null removes the device from its asset. */
  assetId: id.nullable(),
  /** When the device was mounted; default now. */
  at: time.refine((at) => at.getTime() <= Date.now() + 60_000, 'is in the future').optional(),
})

/**
 * Assigns a device to an asset (vehicle), or removes it, from a given time until the next recorded change. A trip belongs to the asset
 * at its start, so trips after that time are updated. Returns the history, newest first.
 */
export const setAsset = handler(shape, (ctx, { id: deviceId, assetId, at = new Date(ctx.now()) }) =>
  ctx.transaction(async (db) => {
    const device = await lockDevice(ctx, db, deviceId)
    if (assetId !== null) await requireAsset(db, device, assetId)
    const before = await readAssets(db, device)
    const covering = before.find(({ since, until }) => since <= at && (until === null || until > at))
    if ((covering?.assetId ?? null) !== assetId) {
      if (covering) await endLink(db, device, covering, at)
      const next = before.findLast(({ since }) => since > at)
      if (assetId !== null)
        await addLink(db, device, { assetId, since: at, until: covering ? covering.until : (next?.since ?? null) }, ctx.caller.user)
    }
    const assets = await readAssets(db, device)
    await writeAudit(ctx, db, {
      act: 'setAsset',
      objectType: 'geoDevice',
      objectId: deviceId,
      before: { assets: before },
      after: { assets },
    })
    return { data: { deviceId, assets } }
  }),
)

/** Row-level security hides assets beyond the caller's reach and behind the asset wall. */
async function requireAsset(db: Sql, { companyId }: LockedDevice, assetId: string): Promise<void> {
  const found = await db.maybe(sql`select from public.asset where "companyId" = ${companyId} and "id" = ${assetId} and "deletedAt" is null`)
  if (!found) fail('INVALID', { fields: [{ field: 'assetId', message: 'is no asset of yours' }] })
}

/** Reads the assets a device was on, newest first. */
export function readAssets(db: Sql, { companyId, deviceId }: LockedDevice): Promise<Link[]> {
  return db.query<Link>(
    sql`select "assetId", "since", "until" from geo.device_asset where "companyId" = ${companyId} and "deviceId" = ${deviceId} order by "since" desc`,
  )
}

/** A link that starts at the same moment is removed, because it would last zero time. */
async function endLink(db: Sql, { companyId, deviceId }: LockedDevice, { since }: Link, at: Date): Promise<void> {
  const own = sql`"companyId" = ${companyId} and "deviceId" = ${deviceId} and "since" = ${since}`
  await db.exec(
    since.getTime() === at.getTime()
      ? sql`delete from geo.device_asset where ${own}`
      : sql`update geo.device_asset set "until" = ${at} where ${own}`,
  )
}

async function addLink(db: Sql, { companyId, deviceId }: LockedDevice, { assetId, since, until }: Link, changedBy: string): Promise<void> {
  await db.exec(
    sql`insert into geo.device_asset ("companyId", "deviceId", "assetId", "since", "until", "changedBy") values (${companyId}, ${deviceId}, ${assetId}, ${since}, ${until}, ${changedBy})`,
  )
}
