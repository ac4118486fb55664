import { unlockStore } from '../../session/unlock/entries.ts'
import { openDatabase, type Step } from './database.ts'
import { storesOf } from './drop-store.ts'
import { makeExclusive } from './exclusive.ts'
import { forgetPerson } from './sealed-work.ts'
import { dropViews } from './views-cache.ts'

/**
 * Forgets what a person's stores hold of the office's records, once the office has signed this device out: copies, lists, screens, and keys
 * that seal nothing else. What never reached the office stays, sealed, and opens only after its person has signed in at the office again.
 */
export async function wipeDevice(userId: string): Promise<void> {
  await forgetPerson(userId)
  const left = await unlockStore.entriesOf(userId)
  for (const one of left) {
    await unlockStore.changeEntry(one, () => ({ isSignedOut: true }))
    await dropViews(userId, one.entry.storeId ?? '', { isKeepingQueues: true })
  }
  // Alone: what another tab changes between the look and the removal would be removed with its record.
  for (const name of await storesOf(userId)) await makeExclusive(name)(() => dropCopies(name))
  if (left.length === 0) for (const credentialId of await unlockStore.passkeysOf(userId)) await unlockStore.removePasskey(credentialId)
}

/** Takes everything that the office has off a store whose unsent changes stay; the next pull begins anew. */
async function dropCopies(name: string): Promise<void> {
  const db = await openDatabase(name)
  try {
    const rows = await db.read((open) => open.getAll('entities'))
    const copies = rows.filter(({ state }) => state === 'clean')
    await db.commit([
      ...copies.map(({ gen, type, id }): Step => ({ in: 'entities', drop: [gen, type, id] })),
      { in: 'meta', drop: 'cursor' },
      { in: 'meta', drop: 'shadow' },
    ])
  } finally {
    db.close()
  }
}
