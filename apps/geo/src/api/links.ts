import { fail } from '@outpost/contract/errors'
import { empty, every, sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { orderOf, pageStatement } from './crud/read.ts'
import { selection } from '../sql/fields.ts'
import { timeText } from '../sql/fields.ts'
import { writeAudit } from './crud/write.ts'
import { id, listShape } from './input.ts'
import { handler, type GeoCtx } from './types.ts'

/** The specification's "permission": the device is watched at this fence. */
const fields = {
  Id: sql`t."id"`,
  deviceId: sql`t."deviceId"`,
  geofenceId: sql`t."geofenceId"`,
  device: sql`d."name"`,
  geofence: sql`g."name"`,
  dateCreated: timeText(sql`t."dateCreated"`),
}
const from = sql`geo.geofence_link t
  join geo.device d on d."companyId" = t."companyId" and d."id" = t."deviceId" and d."deletedAt" is null
  join geo.geofence g on g."companyId" = t."companyId" and g."id" = t."geofenceId" and g."deletedAt" is null`
const order = { fields, sorts: ['device', 'geofence', 'dateCreated'], sort: ['dateCreated', 'DESC'] as const }

/** As many as one list of links holds. */
const mostLinked = 10_000
/** So many of each are named in the log of changes; all are counted. */
const mostAudited = 500
const pair = z.looseObject({ deviceId: id, geofenceId: id })

/** Lists links between devices and fences that are both in the caller's reach. */
export const listLinks = handler(
  z.strictObject({ ...listShape, deviceId: id.optional(), geofenceId: id.optional(), of: id.optional() }),
  async (ctx, input) => {
    const { deviceId, geofenceId, of } = input
    const where = [
      sql`t."companyId" = ${ctx.caller.company}`,
      ...(deviceId ? [sql`t."deviceId" = ${deviceId}`] : []),
      ...(geofenceId ? [sql`t."geofenceId" = ${geofenceId}`] : []),
      // The links of a fence, or the one link with this id.
      ...(of ? [sql`(t."geofenceId" = ${of} or t."id" = ${of})`] : []),
    ]
    return {
      json: await ctx.sql.text(
        pageStatement({ many: 'permissions', input, fields, from, joins: empty, where: every(where), order: orderOf(order, input) }),
      ),
    }
  },
)

/** Links a device to a fence; repeating it changes nothing. */
export const createLink = handler(pair, (ctx, { deviceId, geofenceId }) =>
  ctx.transaction(async (db) => {
    await requireBoth(ctx, db, { deviceId, geofenceId })
    const made = await db.maybe<{ id: string }>(sql`
    insert into geo.geofence_link ("companyId", "deviceId", "geofenceId", "createdUserId") values (${ctx.caller.company}, ${deviceId}, ${geofenceId}, ${ctx.caller.user})
    on conflict ("companyId", "deviceId", "geofenceId") do nothing returning "id"`)
    const permission = await db.one(
      sql`select ${selection(fields)} from ${from} where t."companyId" = ${ctx.caller.company} and t."deviceId" = ${deviceId} and t."geofenceId" = ${geofenceId}`,
    )
    if (made) await writeAudit(ctx, db, { act: 'create', objectType: 'permission', objectId: made.id, after: { deviceId, geofenceId } })
    return { data: { permission } }
  }),
)

/**
 * Removes the link of a device and a fence. Throws NOT_FOUND when one of them is out of reach; returns `removed: false` when they were
 * not linked.
 */
export const removeLink = handler(pair, (ctx, { deviceId, geofenceId }) =>
  ctx.transaction(async (db) => {
    await requireBoth(ctx, db, { deviceId, geofenceId })
    const gone = await db.maybe<{ id: string }>(sql`
    delete from geo.geofence_link where "companyId" = ${ctx.caller.company} and "deviceId" = ${deviceId} and "geofenceId" = ${geofenceId} returning "id"`)
    if (gone) await writeAudit(ctx, db, { act: 'remove', objectType: 'permission', objectId: gone.id, before: { deviceId, geofenceId } })
    return { data: { removed: gone !== undefined } }
  }),
)

const allOf = z.strictObject({ id, deviceIds: z.array(id).max(mostLinked) })

/**
 * The devices watched at a fence are these and no others, in one step; those out of the caller's reach stay as they are. Throws NOT_FOUND
 * when the fence or one of the devices is out of reach.
 */
export const setLinks = handler(allOf, (ctx, { id: geofenceId, deviceIds }) =>
  ctx.transaction(async (db) => {
    const [{ company, user }, wanted] = [ctx.caller, [...new Set(deviceIds.map((one) => one.toLowerCase()))]]
    const fence = await db.maybe(
      sql`select from geo.geofence where "companyId" = ${company} and "id" = ${geofenceId} and "deletedAt" is null for update`,
    )
    const { found } = await db.one<{ found: number }>(
      sql`select count(*)::int as found from geo.device where "companyId" = ${company} and "id" = any(${wanted}::uuid[]) and "deletedAt" is null`,
    )
    if (!fence || found !== wanted.length) fail('NOT_FOUND')
    const gone = await db.query<{ deviceId: string }>(sql`
      delete from geo.geofence_link where "companyId" = ${company} and "geofenceId" = ${geofenceId} and "deviceId" <> all(${wanted}::uuid[]) returning "deviceId"`)
    const made = await db.query<{ deviceId: string }>(sql`
      insert into geo.geofence_link ("companyId", "deviceId", "geofenceId", "createdUserId")
      select ${company}, d, ${geofenceId}, ${user} from unnest(${wanted}::uuid[]) d on conflict ("companyId", "deviceId", "geofenceId") do nothing returning "deviceId"`)
    const idsOf = (links: readonly { deviceId: string }[]) => links.slice(0, mostAudited).map(({ deviceId }) => deviceId)
    const after = { devices: wanted.length, added: made.length, removed: gone.length, addedIds: idsOf(made), removedIds: idsOf(gone) }
    if (made.length + gone.length > 0) await writeAudit(ctx, db, { act: 'setDevices', objectType: 'geofence', objectId: geofenceId, after })
    return { data: { devices: wanted.length, added: made.length, removed: gone.length } }
  }),
)

/** Foreign keys ignore row-level security; this check does not. */
async function requireBoth({ caller }: GeoCtx, db: Sql, { deviceId, geofenceId }: { deviceId: string; geofenceId: string }): Promise<void> {
  const found = await db.maybe(sql`
    select from geo.device d join geo.geofence g on g."companyId" = d."companyId" and g."id" = ${geofenceId} and g."deletedAt" is null
    where d."companyId" = ${caller.company} and d."id" = ${deviceId} and d."deletedAt" is null`)
  if (!found) fail('NOT_FOUND')
}
