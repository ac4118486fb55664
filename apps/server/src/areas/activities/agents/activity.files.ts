import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../../kernel/audit.ts'
import { getRecord, updateRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { readableFiles } from '../../../kernel/uploads/stored-files.ts'
import { logAction } from '../../agents/index.ts'
import { activity } from '../activity.resource.ts'
import { fixOf, fixShape, missFix } from './activity.fix.ts'

const storedFiles = z
  .array(z.union([idSchema, z.object({ Id: idSchema })]))
  .max(50)
  .default([])
/** Stored files, by id or as the upload answered them. */
export const filesInput = z.strictObject({ activityId: idSchema, newFiles: storedFiles, removedFiles: storedFiles, ...fixShape })

const idsOf = (files: z.infer<typeof storedFiles>) => [
  ...new Set(files.map((file) => (typeof file === 'string' ? file : file.Id).toLowerCase())),
]

/** Adds files to an activity and takes some away: links, agent actions 2 and 3 and the tracking record in one transaction. */
export async function updateFiles(ctx: Ctx, { activityId, newFiles, removedFiles, ...place }: z.infer<typeof filesInput>): Promise<Answer> {
  const [added, removed] = [idsOf(newFiles), idsOf(removedFiles)]
  const location = fixOf(place)
  return withStream(ctx, async (inner) => {
    await getRecord(inner, activity, activityId)
    const [gained, lost] = [await addFiles(inner, activityId, added), await removeFiles(inner, activityId, removed)]
    for (const _ of gained) await logAction(inner, { action: 2, activityId, location: location && { ...location } })
    for (const _ of lost) await logAction(inner, { action: 3, activityId, location: location && { ...location } })
    if (gained.length + lost.length > 0)
      audit(inner, {
        action: 'activity.files',
        objectType: 'activity',
        objectId: activityId,
        after: { newFiles: gained, removedFiles: lost },
      })
    const gps = location || !place.gps ? { data: {} } : await missFix(inner, activityId)
    return {
      data: { activity: await updateRecord(inner, activity, activityId, {}), ...gps.data },
      message: ('message' in gps ? gps.message : undefined) ?? 'Activity Updated Successfully.',
    }
  })
}

/** Ids of the files that were not there before; INVALID when the caller may not read one. Sent twice they are added once. */
async function addFiles(ctx: Ctx, activityId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const stored = await readableFiles(ctx, sql`f."id" = any(${ids}::uuid[])`)
  if (stored.length < ids.length) fail('INVALID', { fields: [{ field: 'newFiles', message: 'names a file that is not stored' }] })
  const rows = await ctx.sql.query<{ fileId: string }>(sql`
    insert into activity_file ("companyId", "id", "tenantId", "activityId", "fileId", "addedByUserId")
    select v."companyId", gen_random_uuid(), v."tenantId", v."id", f.id, ${ctx.user.id} from activity v, unnest(${ids}::uuid[]) f(id)
    where v."companyId" = ${ctx.company.id} and v."id" = ${activityId}
    on conflict ("companyId", "activityId", "fileId") do update set "removedAt" = null, "removedByUserId" = null, "addedByUserId" = excluded."addedByUserId" where activity_file."removedAt" is not null
    returning "fileId"`)
  // Who cannot see the pair must not take the file for one that no record holds.
  await ctx.sql.exec(sql`
    update stored_file set "ownerType" = ${activity.one}, "ownerId" = ${activityId}
    where "companyId" = ${ctx.company.id} and "id" = any(${ids}::uuid[]) and "ownerId" is null`)
  return rows.map(({ fileId }) => fileId)
}

async function removeFiles(ctx: Ctx, activityId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await ctx.sql.query<{ fileId: string }>(sql`
    update activity_file set "removedAt" = now(), "removedByUserId" = ${ctx.user.id}
    where "companyId" = ${ctx.company.id} and "activityId" = ${activityId} and "fileId" = any(${ids}::uuid[]) and "removedAt" is null returning "fileId"`)
  return rows.map(({ fileId }) => fileId)
}
