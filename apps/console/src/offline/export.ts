import { saveFile } from '../data/api.ts'
import { currentOffline } from './current.ts'
import type { OfflineStore } from './store/store.ts'

/** Hands everything unsent and refused to the user as one JSON file, photos included; gives how many changes and photos there were. */
export async function exportLog(): Promise<number> {
  const offline = currentOffline()
  if (!offline) return 0
  const madeAt = new Date().toISOString()
  const { content, count } = await exportOf(offline.store, madeAt)
  saveFile(content, `outpost-unsent-${madeAt.slice(0, 10)}.json`)
  return count
}

/**
 * The file: whose it is, the changes of the log, those refused, and the files with their bytes as `base64`. It is put together out of
 * parts, because all the photos of a device as one text would not fit into a phone's memory.
 */
export async function exportOf(store: OfflineStore, madeAt: string): Promise<{ content: Blob; count: number }> {
  const { userId, companyId, deviceId } = store.owner
  const [unsent, files] = await Promise.all([store.unsent(), store.files.list()])
  const head = JSON.stringify({ madeAt, userId, companyId, deviceId, ...unsent }, null, 2)
  const parts: BlobPart[] = [`${head.slice(0, -2)},\n  "files": [`]
  for (const file of files) {
    const bytes = await store.files.bytes(file.id)
    // A photo that was sent meanwhile is at the office.
    if (!bytes) continue
    const told = JSON.stringify({ ...file, base64: base64Of(bytes) })
    parts.push(new Blob([`${parts.length === 1 ? '' : ','}\n    ${told}`]))
  }
  parts.push('\n  ]\n}\n')
  return {
    content: new Blob(parts, { type: 'application/json' }),
    count: unsent.log.length + unsent.attention.length + files.length,
  }
}

/** So many bytes at once fit into the arguments of a call; three bytes are four letters. */
const slice = 3 * 8_192

function base64Of(bytes: ArrayBuffer): string {
  let text = ''
  for (let at = 0; at < bytes.byteLength; at += slice)
    text += btoa(String.fromCharCode(...new Uint8Array(bytes, at, Math.min(slice, bytes.byteLength - at))))
  return text
}
