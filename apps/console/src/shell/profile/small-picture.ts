import { t } from '../../session/labels.ts'

/** Pixels a side: twice what the largest place shows. */
const side = 256
const quality = 0.85

/** The middle square of a picture, made small and without what the camera wrote into it (place, device). Throws with the message to show. */
export async function smallPicture(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(t('This file is not a picture that the browser can read.'))
  })
  const least = Math.min(picture.width, picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const [left, top] = [(picture.width - least) / 2, (picture.height - least) / 2]
  canvas.getContext('2d')?.drawImage(picture, left, top, least, least, 0, 0, side, side)
  picture.close()
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', quality)
  })
  return blob ?? Promise.reject(new Error(t('The picture could not be saved.')))
}
