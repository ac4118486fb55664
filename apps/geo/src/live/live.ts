import { readIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import type { Log } from '@outpost/platform/log'
import type { FiledPosition, Relay } from '@outpost/platform/relay'
import type { DbContext } from '@outpost/platform/types'
import { createChangeBatches } from './change-batches.ts'
import { livePositions } from './rows.ts'

/** Tells the server, and through it who watches, what devices do: what changed within a moment goes in one message. */
export interface Live {
  /** Something newer of these devices is committed. */
  note(devices: Iterable<{ companyId: string, deviceId: string }>): void
  /** Tells what is left. */
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
const mostInMessage = 500

/** Reads what is committed rather than what came in: two messages of one device may have been united, and an older one changes nothing. */
export function createLive({ pool, relay, log, everyMs = 300, now = Date.now }: LiveOptions): Live {
  const gathering = createChangeBatches({ relay, topic: 'geo.followed', log, everyMs, now, send: (companyId, deviceIds) => tell({ pool, relay }, companyId, deviceIds) })
  return {
    note(devices) {
      for (const { companyId, deviceId } of devices) gathering.note(companyId, [deviceId])
    },
    close: gathering.close,
  }
}

/** The server cuts it to the reach of each who watches; here the whole company is read. */
async function tell({ pool, relay }: Pick<LiveOptions, 'pool' | 'relay'>, companyId: string, deviceIds: readonly string[]): Promise<void> {
  const context: DbContext = { company: companyId, scope: '*', user: null, tenant: null }
  for (let from = 0; from < deviceIds.length; from += mostInMessage) {
    const some = deviceIds.slice(from, from + mostInMessage)
    const positions = await readIn<FiledPosition>(pool, context, livePositions(companyId, [sql`l."deviceId" = any(${some}::uuid[])`]))
    if (positions.length > 0) relay.publish('geo.positions', { companyId, positions })
  }
}
