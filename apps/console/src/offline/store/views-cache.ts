import { createStore, del, entries, get, set, type UseStore } from 'idb-keyval'
import { currentDataKey, currentDataOwner, onDataKey, type DataOwner, type FormerKey } from '../../session/unlock.ts'
import { seal, unseal, type Sealed } from './seal.ts'

let opened: UseStore | null = null
const store = (): UseStore => (opened ??= createStore('outpost-views', 'views'))
/** A key's views lie apart from those of another key of the same person: none writes over what it cannot read. */
const placeOf = ({ userId, storeId }: Pick<DataOwner, 'userId' | 'storeId'>, name: string): string =>
  `${userId}:${storeId && `${storeId}:`}${name}`
/** Lists that wait to be sent; all other views can be fetched again. */
const queues = ['day-actions', 'positions'] as const
/** Sealed bytes of an empty list: two characters and the seal's own sixteen. */
const emptyBytes = 18
/** Values that came before the key was open (the frame of a sign-in), by name. */
const waiting = new Map<string, { value: unknown; userId: string }>()

/** Keeps a view sealed on this device for work without a connection; people without a data key keep nothing. */
export async function putCached(name: string, value: unknown, ofUser?: string): Promise<void> {
  const [key, owner] = [currentDataKey(), currentDataOwner()]
  if (!key || !owner) {
    if (ofUser) waiting.set(name, { value, userId: ofUser })
    return
  }
  if (ofUser && ofUser !== owner.userId) return
  const place = placeOf(owner, name)
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
  const place = placeOf(owner, name)
  try {
    const sealed = await get<Sealed>(place, store())
    return sealed && (await unseal<T>(key, place, sealed))
  } catch {
    // Sealed with an older key: as good as not there.
    return undefined
  }
}

/** How many lists of a key hold something to be sent; what and how much only the key can tell. */
export async function waitingQueues(userId: string, storeId: string): Promise<number> {
  const kept = await Promise.all(queues.map((name) => get<Sealed>(placeOf({ userId, storeId }, name), store())))
  return kept.filter((sealed) => sealed !== undefined && sealed.bytes.byteLength > emptyBytes).length
}

/** Puts the lists of a former key before those of the open one. */
export async function takeOverQueues(userId: string, { storeId, key }: Pick<FormerKey, 'storeId' | 'key'>): Promise<void> {
  for (const name of queues) {
    const place = placeOf({ userId, storeId }, name)
    const sealed = await get<Sealed>(place, store())
    if (!sealed) continue
    const waited = await unseal<{ Id: string }[]>(key, place, sealed)
    const held = (await cached<{ Id: string }[]>(name)) ?? []
    await putCached(name, [...waited.filter(({ Id }) => held.every((one) => one.Id !== Id)), ...held])
    await del(place, store())
  }
}

/** Takes a key's views off the device; the caller has made sure that nothing waits in them, or keeps the lists in which something may. */
export async function dropViews(userId: string, storeId: string, { isKeepingQueues = false } = {}): Promise<void> {
  const prefix = placeOf({ userId, storeId }, '')
  const kept = isKeepingQueues ? queues.map((name) => prefix + name) : []
  const isMine = (place: string) =>
    place.startsWith(prefix) && (storeId !== '' || !/^[0-9a-f-]{36}:/.test(place.slice(prefix.length))) && !kept.includes(place)
  for (const [place] of await entries<string, Sealed>(store())) if (isMine(place)) await del(place, store())
}

onDataKey((owner) => {
  if (!owner) return
  const late = [...waiting]
  waiting.clear()
  for (const [name, { value, userId }] of late) void putCached(name, value, userId)
})
