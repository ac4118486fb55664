import type { Attributes, Fix } from '../positions/fix.ts'
import type { RefusedFix } from './validate-fix.ts'
import type { Feed } from './identity.ts'

/** What a forwarded feed tells of a device beside its place; used when an unknown one is listed for adoption. */
export interface DeviceWords { name?: string, model?: string, phone?: string, category?: string, protocol?: string }

/** Something a feed says has happened, by Traccar's event types (deviceOverspeed, alarm, ignitionOn ...); km/h and metres. */
export interface ForwardedEvent { type: string, at: number, attributes: Attributes }

/** Where a report came from and what came along with its fixes. */
export interface StoreMeta {
  /** osmand, batch, traccar, owntracks, teltonika, gt06, h02 */
  protocol: string
  /** Address of the sender; null unknown. */
  remote: string | null
  /** The secret sent along: the device's own, or for a feed the company's. Null when none was sent. */
  token: string | null
  /** One sender speaks for many devices of one company: the token is the company's and must be there. */
  isFeed: boolean
  /** The feed, where it is known without its token: we read its server ourselves. */
  feed?: Feed
  /** The sender reads a command from the answer; without it none is taken from the queue. */
  takesCommand: boolean
  /** Read from somebody's archive: no sign of life of the device. */
  isHistory?: boolean
  /** Fixes refused before they came here; counted for the operator of the device, and kept in quarantine when nothing of them is stored. */
  refused: readonly RefusedFix[]
  device?: DeviceWords
  events?: readonly ForwardedEvent[]
  /** Address for messages to the phone; a secret, no attribute. */
  pushToken?: string
}

/**
 * What became of the fixes. `refused` names them by their index in what was given. With `unknownDevice` or `badToken`
 * nothing was stored. `command` is the text of the one command that waits for a device that asks over HTTP.
 */
export interface StoreResult {
  accepted: number
  refused: readonly RefusedFix[]
  unknownDevice?: boolean
  badToken?: boolean
  command?: string
}

/**
 * Keeps the fixes of one device: resolves when all is committed, rejects when it could not be (the sender then sends
 * again). Storing the same fix twice changes nothing. No fixes at all is a sign of life, and asks for the command.
 */
export type Store = (uniqueId: string, fixes: readonly Fix[], meta: StoreMeta) => Promise<StoreResult>
