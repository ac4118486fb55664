import { formerSlots, openFormerKeys, UnlockError, type DataOwner, type FormerKey } from '../../session/unlock/unlock.ts'
import { unlockStore } from '../../session/unlock/entries.ts'
import { databaseName, readDatabaseName } from './core.ts'
import { currentOffline } from '../current.ts'
import { addWork, dropStore, peekStore, storesOf, type UnsentWork } from './drop-store.ts'
import { openStore, type OfflineStore } from './store.ts'
import { dropViews, takeOverQueues, waitingQueues } from './views-cache.ts'

type Person = Pick<DataOwner, 'userId' | 'storeId'>

const storesOfKey = async (userId: string, storeId: string): Promise<string[]> =>
  (await storesOf(userId)).filter((name) => readDatabaseName(name, userId)?.storeId === storeId)

async function workOfKey(userId: string, storeId: string): Promise<UnsentWork> {
  const stores = await Promise.all((await storesOfKey(userId, storeId)).map(peekStore))
  const queues = await waitingQueues(userId, storeId)
  return addWork([...stores, { count: queues, oldest: null, newest: null, maxClientSeq: 0 }])
}

/** Takes a key with all that it sealed off the device. Throws StoreInUseError when any of it never reached the server. */
async function dropKey(userId: string, { slot, storeId }: { slot: string; storeId: string }): Promise<void> {
  for (const name of await storesOfKey(userId, storeId)) await dropStore(name)
  if (await dropViews(userId, storeId)) await unlockStore.removeEntry(slot)
}

/**
 * What waits behind earlier passwords of the signed-in person. Keys that seal no unsent work any more leave the device,
 * and their stores with them.
 */
export async function tidyFormerKeys({ userId, storeId: inUse }: Person): Promise<UnsentWork> {
  // Two entries of before may share the databases that bear the person alone.
  const former = (await formerSlots(userId)).filter(({ storeId }) => storeId !== inUse)
  const works = new Map<string, UnsentWork>()
  for (const { storeId } of former) if (!works.has(storeId)) works.set(storeId, await workOfKey(userId, storeId))
  for (const one of former) if (works.get(one.storeId)?.count === 0) await dropKey(userId, one)
  return addWork([...works.values()])
}

/**
 * Opens what an earlier password seals and carries it into the store in use. Throws UnlockError when the password opens
 * nothing, or an Error while no store is open. Work of another company stays until the person works there.
 */
export async function openSealedWork(password: string): Promise<void> {
  const store = currentOffline()?.store
  if (!store) throw new Error('The data of this device is locked. Sign in again.')
  const keys = await openFormerKeys(store.owner.userId, password)
  let isOpened = false
  for (const key of keys) isOpened = (await carry(store, key)) || isOpened
  if (!isOpened) throw new UnlockError('wrong', 'This password does not open the changes that wait.')
}

async function carry(store: OfflineStore, former: FormerKey): Promise<boolean> {
  const { owner } = store
  const name = databaseName({ ...owner, storeId: former.storeId })
  if ((await storesOf(owner.userId)).includes(name)) {
    const old = await openStore({ ...owner, storeId: former.storeId }, former.key).catch(() => null)
    if (!old) return false
    const work = await old.work()
    await store.takeOver(work)
    await old.release(work)
    old.close()
    await dropStore(name)
  }
  await takeOverQueues(owner.userId, former)
  return true
}

/** Takes all of a person's keys and stores off this device; gives how much unsent work stays behind, and its key with it. */
export async function forgetPerson(userId: string): Promise<number> {
  let kept = 0
  for (const {
    slot,
    entry: { storeId = '' },
  } of await unlockStore.entriesOf(userId)) {
    const { count } = await workOfKey(userId, storeId)
    kept += count
    if (count === 0) await dropKey(userId, { slot, storeId })
  }
  return kept
}

/** Unsent work of a person on this device, whatever key seals it. */
export async function workOfPerson(userId: string): Promise<number> {
  const keys = new Set((await unlockStore.entriesOf(userId)).map(({ entry }) => entry.storeId ?? ''))
  const works = await Promise.all([...keys].map((storeId) => workOfKey(userId, storeId)))
  return addWork(works).count
}
