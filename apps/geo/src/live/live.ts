import { readIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import type { Log } from '@outpost/platform/log'
import type { FiledPosition, Relay } from '@outpost/platform/relay'
import type { DbContext } from '@outpost/platform/types'
import { createChangeBatches } from './change-batches.ts'
import { livePositions } from './rows.ts'

/** Sends changes of devices to the server and its watchers; changes within a moment go in one message. */
export interface Live {
  /** Newer data of these devices are committed. */
  note(devices: Iterable<{ companyId: string; deviceId: string }>): void
  /** Sends what is left. */
  close(): Promise<void>
}

export interface LiveOptions {
  pool: GeoPools['geo']
  relay: Pick<Relay, 'publish' | 'subscribe'>
  log: Log
  everyMs?: number
  now?: () => number
}

/** The relay takes messages of up to 256 KiB. */
const maxInMessage = 500

/**
 * Reads the committed rows instead of the incoming messages: two messages of one device may have been merged, and an older one changes
 * nothing.
 */
export function createLive({ pool, relay, log, everyMs = 300, now = Date.now }: LiveOptions): Live {
  const batches = createChangeBatches({
    relay,
    topic: 'geo.followed',
    log,
    everyMs,
    now,
    send: (companyId, deviceIds) => publishCompany({ pool, relay }, companyId, deviceIds),
  })
  return {
    note(devices) {
      for (const { companyId, deviceId } of devices) batches.note(companyId, [deviceId])
    },
    close: batches.close,
  }
}

/** The whole company is read; the server filters it by each watcher's reach. */
async function publishCompany(
  { pool, relay }: Pick<LiveOptions, 'pool' | 'relay'>,
  companyId: string,
  deviceIds: readonly string[],
): Promise<void> {
  const context: DbContext = { company: companyId, scope: '*', user: null, tenant: null }
  for (let from = 0; from < deviceIds.length; from += maxInMessage) {
    const some = deviceIds.slice(from, from + maxInMessage)
    const positions = await readIn<FiledPosition>(pool, context, livePositions(companyId, [sql`l."deviceId" = any(${some}::uuid[])`]))
    if (positions.length > 0) relay.publish('geo.positions', { companyId, positions })
  }
}
