import { del, get, set } from 'idb-keyval'
import { draftPlace } from '../../../offline/store/views-cache.ts'
import { currentDataKey, currentDataOwner } from '../../../session/unlock/unlock.ts'

export interface Draft {
  at: string
  values: Record<string, unknown>
}
interface Sealed {
  iv: Uint8Array<ArrayBuffer>
  body: ArrayBuffer
}

/** Where a form's draft is kept: per person, key, screen and record. */
export const draftKey = (screen: string, id: string | undefined): string =>
  `${draftPlace(currentDataOwner()?.userId ?? '', currentDataOwner()?.storeId ?? '')}${screen}:${id ?? 'new'}`

/** Keeps what was entered, sealed with this person's data key; without one nothing is kept on the device. */
export const storeDraft = (key: string, draft: Draft): Promise<void> => storeSealed(key, new TextEncoder().encode(JSON.stringify(draft)))

/** The draft kept for a form; undefined when there is none or it is torn. */
export async function readDraft(key: string): Promise<Draft | undefined> {
  const bytes = await readSealed(key)
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as Draft)
}

const fileKey = (key: string, id: string) => `${key}:file:${id}`

/** Keeps a file that was put into a form beside its draft. */
export const storeDraftFile = (key: string, id: string, bytes: ArrayBuffer): Promise<void> => storeSealed(fileKey(key, id), bytes)
export const readDraftFile = (key: string, id: string): Promise<ArrayBuffer | undefined> => readSealed(fileKey(key, id))
export const dropDraftFile = (key: string, id: string): Promise<void> => del(fileKey(key, id))

async function storeSealed(key: string, bytes: BufferSource): Promise<void> {
  const dataKey = currentDataKey()
  if (!dataKey) return
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const body = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, dataKey, bytes)
  await set(key, { iv, body } satisfies Sealed)
}

async function readSealed(key: string): Promise<ArrayBuffer | undefined> {
  const dataKey = currentDataKey()
  const sealed = dataKey ? await get<Sealed>(key) : undefined
  if (!dataKey || !sealed) return undefined
  try {
    return await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv }, dataKey, sealed.body)
  } catch {
    // Torn: its own key does not open it.
    await del(key)
    return undefined
  }
}

export const dropDraft = (key: string): Promise<void> => del(key)
