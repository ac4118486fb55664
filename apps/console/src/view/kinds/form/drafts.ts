import { del, get, set } from 'idb-keyval'
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
  `outpost.draft:${currentDataOwner()?.userId ?? ''}:${currentDataOwner()?.storeId ?? ''}:${screen}:${id ?? 'new'}`

/** Keeps what was entered, sealed with this person's data key; without one nothing is kept on the device. */
export async function storeDraft(key: string, draft: Draft): Promise<void> {
  const dataKey = currentDataKey()
  if (!dataKey) return
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const body = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, dataKey, new TextEncoder().encode(JSON.stringify(draft)))
  await set(key, { iv, body } satisfies Sealed)
}

/** The draft kept for a form; undefined when there is none or it is torn. */
export async function readDraft(key: string): Promise<Draft | undefined> {
  const dataKey = currentDataKey()
  const sealed = dataKey ? await get<Sealed>(key) : undefined
  if (!dataKey || !sealed) return undefined
  try {
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv }, dataKey, sealed.body)
    return JSON.parse(new TextDecoder().decode(text)) as Draft
  } catch {
    // Torn: its own key does not open it.
    await del(key)
    return undefined
  }
}

export const dropDraft = (key: string): Promise<void> => del(key)
