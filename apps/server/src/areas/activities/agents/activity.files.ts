import { z } from 'zod'
import { audit } from '../../../kernel/audit.ts'
import { linkFiles, unlinkFiles } from '../../../kernel/keeps/file-pairs.ts'
import { getRecord, updateRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
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
    const of = { resource: activity, id: activityId }
    const [gained, lost] = [await linkFiles(inner, { ...of, ids: added }, 'newFiles'), await unlinkFiles(inner, { ...of, ids: removed })]
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
