/** Longest side of a stored photo in pixels (sync protocol, files). */
const longestSide = 1_600
const quality = 0.8

/** The bytes of a picture as JPEG, made smaller and without what else the camera wrote into it (place, device). */
export async function smallPhoto(file: File): Promise<ArrayBuffer> {
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
  return blob.arrayBuffer()
}

/** A name for a photo that was just taken: what it is of, and when. */
export const photoName = (what: string): string => `${what} ${new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-')}.jpg`
