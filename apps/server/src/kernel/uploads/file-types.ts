import { fileTypeFromFile } from 'file-type'
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import type { StoredExtension } from '@outpost/contract/views/file-types'

type TextExtension = 'txt' | 'csv'

/** Extensions that may be stored, with the types their first bytes may show. Text has no such bytes and is looked at whole. */
const allowed: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    pdf: ['application/pdf'],
    png: ['image/png'],
    jpg: ['image/jpeg'],
    jpeg: ['image/jpeg'],
    gif: ['image/gif'],
    webp: ['image/webp'],
    heic: ['image/heic', 'image/heif'],
    docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  } satisfies Record<Exclude<StoredExtension, TextExtension>, readonly string[]>),
)
const texts: ReadonlyMap<string, string> = new Map(
  Object.entries({ txt: 'text/plain; charset=utf-8', csv: 'text/csv; charset=utf-8' } satisfies Record<TextExtension, string>),
)

/** The type of a stored file by its bytes and its extension together; undefined when they do not agree or are not allowed. The type that the sender names is ignored. */
export async function allowedType(path: string, fileName: string): Promise<string | undefined> {
  const extension = extname(fileName).slice(1).toLowerCase()
  if (texts.has(extension)) return (await isPlainText(path)) ? texts.get(extension) : undefined
  const found = await fileTypeFromFile(path)
  return found && allowed.get(extension)?.includes(found.mime) ? found.mime : undefined
}

/** Whether a file's name ends with one of these extensions, in any case. */
export const isOfExtension = (fileName: string, extensions: readonly string[]): boolean =>
  extensions.includes(extname(fileName).slice(1).toLowerCase())

/** UTF-8 without control characters and without the marks of another type. */
async function isPlainText(path: string): Promise<boolean> {
  if (await fileTypeFromFile(path)) return false
  const handle = await open(path, 'r')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of handle.readableWebStream() as AsyncIterable<ArrayBuffer>) {
      // eslint-disable-next-line no-control-regex
      if (/[\0-\x08\x0e-\x1f]/.test(decoder.decode(chunk, { stream: true }))) return false
    }
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  } finally {
    await handle.close().catch(() => undefined)
  }
}

/** A file name that is safe in a path and a header: its last part, plain characters, at most 100 long. */
export function plainName(fileName: string): string {
  const last = fileName.normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const plain = last
    .replace(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^[. ]+/, '')
    .trim()
  const extension = extname(plain)
  return plain.length <= 100 ? plain || 'file' : `${plain.slice(0, 100 - extension.length)}${extension}`
}
