import { createStore, get, set, type UseStore } from 'idb-keyval'
import { currentDataKey, currentDataOwner, onDataKey } from '../session/unlock.ts'
import { seal, unseal, type Sealed } from './seal.ts'

let opened: UseStore | null = null
const store = (): UseStore => (opened ??= createStore('outpost-views', 'views'))
/** Values that came before the key was open (the frame of a sign-in), by name. */
const waiting = new Map<string, { value: unknown, userId: string }>()

/** Keeps a view sealed on this device for work without a connection; people without a data key keep nothing. */
export async function putCached(name: string, value: unknown, ofUser?: string): Promise<void> {
  const [key, owner] = [currentDataKey(), currentDataOwner()]
  if (!key || !owner) {
    if (ofUser) waiting.set(name, { value, userId: ofUser })
    return
  }
  if (ofUser && ofUser !== owner.userId) return
  const place = `${owner.userId}:${name}`
  try {
    await set(place, await seal(key, place, value), store())
  } catch (error) {
    // A full or broken database costs the offline copy, never the view that is on the screen.
    console.warn(`The view ${name} could not be kept for offline use.`, error)
  }
}

/** The kept view; undefined when there is none that this key opens. */
export async function cached<T>(name: string): Promise<T | undefined> {
  const [key, owner] = [currentDataKey(), currentDataOwner()]
  if (!key || !owner) return undefined
  const place = `${owner.userId}:${name}`
  try {
    const sealed = await get<Sealed>(place, store())
    return sealed && await unseal<T>(key, place, sealed)
  } catch {
    // Sealed with an older key: as good as not there.
    return undefined
  }
}

onDataKey((owner) => {
  if (!owner) return
  const late = [...waiting]
  waiting.clear()
  for (const [name, { value, userId }] of late) void putCached(name, value, userId)
})
