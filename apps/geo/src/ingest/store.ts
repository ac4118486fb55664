import type { Attributes, Fix } from '../positions/fix.ts'
import type { RefusedFix } from './validate-fix.ts'
import type { Feed } from './identity.ts'

/** What a forwarded feed sends about a device besides its position; used when an unknown device is listed for adoption. */
export interface DeviceLabels {
  name?: string
  model?: string
  phone?: string
  category?: string
  protocol?: string
}

/** An event reported by a feed, by Traccar's event types (deviceOverspeed, alarm, ignitionOn ...); km/h and metres. */
export interface ForwardedEvent {
  type: string
  at: number
  attributes: Attributes
}

/** The source of a report and the data that accompanies its fixes. */
export interface StoreMeta {
  /** osmand, batch, traccar, owntracks, teltonika, gt06, h02 */
  protocol: string
  /** Address of the sender; null when unknown. */
  remote: string | null
  /** The secret that was sent: the device's, or for a feed the company's. Null when none was sent. */
  token: string | null
  /** One sender forwards for many devices of a company: the token is the company's and is required. */
  isFeed: boolean
  /** The feed, when it is known without its token because we read its server ourselves. */
  feed?: Feed
  /** The sender reads a command from the reply; without it none is taken from the queue. */
  takesCommand: boolean
  /** Read from an archive, so it does not prove that the device is alive. */
  isHistory?: boolean
  /** Fixes refused before this call; counted for the device's operator, and stored in quarantine when nothing of them is stored. */
  refused: readonly RefusedFix[]
  device?: DeviceLabels
  events?: readonly ForwardedEvent[]
  /** Push address of the phone; a secret, not an attribute. */
  pushToken?: string
}

/**
 * The result for the fixes. `refused` names them by their index. With `unknownDevice` or `badToken` nothing was stored. `command` is the
 * text of the pending command for a device that polls over HTTP.
 */
export interface StoreResult {
  accepted: number
  refused: readonly RefusedFix[]
  unknownDevice?: boolean
  badToken?: boolean
  command?: string
}

/**
 * Stores the fixes of one device: resolves when all is committed, rejects when it could not be (the sender then retries). Storing the
 * same fix twice changes nothing. A call without fixes is a heartbeat and polls for the command.
 */
export type Store = (uniqueId: string, fixes: readonly Fix[], meta: StoreMeta) => Promise<StoreResult>
