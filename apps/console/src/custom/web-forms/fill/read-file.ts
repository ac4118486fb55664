import { storedExtensions } from '@outpost/contract/views/file-types'
import type { AnswerFile } from '@outpost/contract/web-forms/form'
import { maxFileBytes } from '@outpost/rules/sync/sync-timing'
import { photoName, smallPhoto } from '../../../device/photo.ts'

/** A file with what it holds: its bytes are copied at once, for a picked file is only a lazy handle. */
type ReadFile = AnswerFile & { bytes: ArrayBuffer }

const made = (name: string, mimeType: string, bytes: ArrayBuffer): ReadFile => ({
  Id: crypto.randomUUID(),
  name,
  mimeType,
  size: bytes.byteLength,
  bytes,
})

export const readPhoto = async (file: File): Promise<ReadFile> => made(photoName('photo'), 'image/jpeg', await smallPhoto(file))

/** A paper as it is. What the office would not store is refused here, while it can still be chosen anew. */
export async function readPaper(file: File): Promise<ReadFile> {
  const extension = file.name.toLowerCase().split('.').at(-1) ?? ''
  if (!storedExtensions.some((one) => one === extension))
    throw new Error('Files of this kind are not stored. Take a PDF, a picture or an office document.')
  if (file.size > maxFileBytes) throw new Error('The file is too large: 10 MB at most.')
  return made(file.name.slice(-200), file.type || 'application/octet-stream', await file.arrayBuffer())
}

export async function readDrawing(canvas: HTMLCanvasElement): Promise<ReadFile> {
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (!blob) throw new Error('The signature could not be kept.')
  return made('signature.png', 'image/png', await blob.arrayBuffer())
}
