import { photoName, smallPhoto } from '../../device/photo.ts'
import type { NewFile } from '../../offline/sync/files.ts'

/** A picture of a visit as it is kept and sent. */
export const visitPhoto = async (file: File, activityId: string): Promise<NewFile> => ({
  name: photoName('visit'),
  mime: 'image/jpeg',
  bytes: await smallPhoto(file),
  ownerType: 'activity',
  ownerId: activityId,
})
