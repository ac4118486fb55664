import { lookupOf, unlockStore } from './entries.ts'
import { isUnlockSupported, prepareDataKey, unlockOffline, type Contact } from './unlock.ts'

/** A person whom the server let in without a password: by single sign-on or with a code. */
export interface Unsealed extends Contact {
  /** The names that they sign in under on this device. */
  names: readonly string[]
}

/** Wrong passwords after which tries wait longest; with a connection a device is never locked for good. */
const longestWait = 9

/** What this device asks of such a person: the password that seals what it keeps, or a new one; `none` where it can keep nothing. */
export async function deviceDoor(userId: string): Promise<'sealed' | 'new' | 'none'> {
  if (!isUnlockSupported()) return 'none'
  const [current] = await unlockStore.entriesOf(userId)
  return current && current.entry.isFormer !== true ? 'sealed' : 'new'
}

/**
 * Opens what the device keeps with the password that seals it, under the limits of a sign-in without a connection: the server has
 * vouched for the person, not for this password. Throws UnlockError.
 */
export async function openWithDevicePassword({ userId, offlineDays, names }: Unsealed, password: string): Promise<void> {
  const [current] = await unlockStore.entriesOf(userId)
  for (const name of names) await unlockStore.putName(await lookupOf(name), userId)
  if (current)
    await unlockStore.changeEntry(current, ({ failures }) => ({
      lastContact: Date.now(),
      isSignedOut: false,
      failures: Math.min(failures, longestWait),
      ...(offlineDays === undefined ? {} : { offlineDays }),
    }))
  await unlockOffline(names[0] ?? '', password)
}

/** Seals what the device keeps from now on with a password of its own, as the account's password would. What another one seals stays as it is. */
export const sealWithDevicePassword = ({ names, ...contact }: Unsealed, password: string): Promise<void> =>
  prepareDataKey({ ...contact, names, password })
