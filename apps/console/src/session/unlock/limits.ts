import { t } from '../labels.ts'
import type { UnlockEntry } from './entries.ts'

/** Why the device was not unlocked; the first two messages are the specification's. */
export class UnlockError extends Error {
  readonly reason: 'unknown' | 'wrong' | 'locked'
  constructor(reason: 'unknown' | 'wrong' | 'locked', message: string) {
    super(message)
    this.reason = reason
  }
}

const maxFailures = 10
/** From this many wrong passwords on the next try has to wait: a minute, then twice as long each time. */
const freeFailures = 5
const minute = 60_000
const day = 86_400_000
/** A device clock that was set back further than this counts as an attempt to extend the days offline. */
const clockTolerance = 3 * day

/** Stops a password while the device is locked, or has to wait after wrong ones. Throws UnlockError. */
export function refuseLocked(entry: UnlockEntry): void {
  if (entry.failures >= maxFailures) {
    throw new UnlockError('locked', 'This device is locked after 10 wrong passwords. Connect to the network and sign in to unlock it.')
  }
  refuseAbsent(entry)
  const minutes = Math.ceil(waitAfterFailures(entry) / minute)
  if (minutes > 0)
    throw new UnlockError(
      'locked',
      t('Too many wrong passwords. Try again in {{count}} minutes, or connect to the network and sign in.', { count: minutes }),
    )
}

/** Milliseconds until the next password may be tried. A clock that was set back keeps nobody waiting. */
function waitAfterFailures({ failures, lastFailure = 0 }: UnlockEntry): number {
  if (failures < freeFailures) return 0
  const pause = minute * 2 ** (failures - freeFailures)
  const passed = Date.now() - lastFailure
  return passed < 0 ? 0 : Math.max(0, pause - passed)
}

/** Stops whoever the office has signed out here, or was not heard of for too long. Throws UnlockError. */
export function refuseAbsent(entry: UnlockEntry): void {
  if (entry.isSignedOut)
    throw new UnlockError('locked', 'Your office has signed this device out. Connect to the network and sign in to unlock it.')
  if (isAbsentTooLong(entry)) {
    throw new UnlockError(
      'locked',
      t('This device was offline for more than {{count}} days. Connect to the network and sign in to unlock it.', {
        count: daysOffline(entry),
      }),
    )
  }
}

const daysOffline = ({ offlineDays = 7 }: UnlockEntry): number => offlineDays

/** No contact for more days than the company lets a device open without it. */
export function isAbsentTooLong(entry: UnlockEntry): boolean {
  const absence = Date.now() - entry.lastContact
  return absence > daysOffline(entry) * day || absence < -clockTolerance
}
