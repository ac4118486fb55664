import { createStore, del, delMany, entries, get, keys, set, type UseStore } from 'idb-keyval'
import { currentDataKey, currentDataOwner, onDataKey, type DataOwner, type FormerKey } from '../../session/unlock/unlock.ts'
import { makeExclusive } from './exclusive.ts'
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
const holdsSomething = ({ bytes }: Sealed): boolean => bytes.byteLength > emptyBytes
/** What is changed, and not only replaced, is read and written by one at a time, among tabs too. */
const alone = makeExclusive('outpost-views')
/** Values that came before the key was open (the layout of a sign-in), by name. */
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

/**
 * Changes a kept view as it is at that moment: nothing comes between reading and writing it, in another tab either. Gives what is kept
 * then; undefined where nothing can be kept.
 */
export function changeCached<T>(name: string, change: (now: T | undefined) => T): Promise<T | undefined> {
  return alone(() => changeAlone(name, change))
}

async function changeAlone<T>(name: string, change: (now: T | undefined) => T): Promise<T | undefined> {
  const [key, owner] = [currentDataKey(), currentDataOwner()]
  if (!key || !owner) return undefined
  const place = placeOf(owner, name)
  const next = change(await cached<T>(name))
  try {
    await set(place, await seal(key, place, next), store())
    return next
  } catch (error) {
    console.warn(`The list ${name} could not be kept on this device.`, error)
    return undefined
  }
}

/** How many lists of a key hold something to be sent; what and how much can be read only with the key. */
export async function waitingQueues(userId: string, storeId: string): Promise<number> {
  const kept = await Promise.all(queues.map((name) => get<Sealed>(placeOf({ userId, storeId }, name), store())))
  return kept.filter((sealed) => sealed !== undefined && holdsSomething(sealed)).length
}

/** Puts the lists of a former key before those of the open one; what cannot be put there stays where it is. */
export function takeOverQueues(userId: string, { storeId, key }: Pick<FormerKey, 'storeId' | 'key'>): Promise<void> {
  return alone(async () => {
    for (const name of queues) {
      const place = placeOf({ userId, storeId }, name)
      const sealed = await get<Sealed>(place, store())
      if (!sealed) continue
      const waited = await unseal<{ Id: string }[]>(key, place, sealed)
      const joined = await changeAlone<{ Id: string }[]>(name, (held = []) => [
        ...waited.filter(({ Id }) => held.every((one) => one.Id !== Id)),
        ...held,
      ])
      if (joined) await del(place, store())
    }
  })
}

/** Where drafts of forms lie that one key seals. */
export const draftPlace = (userId: string, storeId: string): string => `outpost.draft:${userId}:${storeId}:`

/** Drafts and their files go with the key: nothing else opens them. */
async function dropDrafts(userId: string, storeId: string): Promise<void> {
  const place = draftPlace(userId, storeId)
  await delMany((await keys()).filter((key) => typeof key === 'string' && key.startsWith(place)))
}

/**
 * Takes a key's views off the device, and its lists of what waits to be sent unless they are kept. One in which something waits stays:
 * it may have come since the caller looked. False when any stayed.
 */
export function dropViews(userId: string, storeId: string, { isKeepingQueues = false } = {}): Promise<boolean> {
  return alone(async () => {
    const prefix = placeOf({ userId, storeId }, '')
    const lists = queues.map((name) => prefix + name)
    const isMine = (place: string) => place.startsWith(prefix) && (storeId !== '' || !/^[0-9a-f-]{36}:/.test(place.slice(prefix.length)))
    let isAll = true
    for (const [place, sealed] of await entries<string, Sealed>(store())) {
      if (!isMine(place)) continue
      const isKept = lists.includes(place) && (isKeepingQueues || holdsSomething(sealed))
      if (!isKept) await del(place, store())
      else if (holdsSomething(sealed)) isAll = false
    }
    if (isAll && !isKeepingQueues) await dropDrafts(userId, storeId)
    return isAll
  })
}

onDataKey((owner) => {
  if (!owner) return
  const late = [...waiting]
  waiting.clear()
  for (const [name, { value, userId }] of late) void putCached(name, value, userId)
})
