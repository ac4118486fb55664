import type { NewFile } from '../../offline/sync/files.ts'

/** Longest side of a stored photo in pixels (sync protocol, files). */
const longestSide = 1_600
const quality = 0.8

/** A picture as the camera gave it, made smaller and without what else the camera wrote into it (place, device). */
export async function smallPhoto(file: File, activityId: string): Promise<NewFile> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error('This file is not a picture that the browser can read.')
  })
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', quality)
  })
  if (!blob) throw new Error('The photo could not be made smaller.')
  const stamp = new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-')
  return { name: `visit ${stamp}.jpg`, mime: 'image/jpeg', bytes: await blob.arrayBuffer(), ownerType: 'activity', ownerId: activityId }
}
