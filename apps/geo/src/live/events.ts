import { readIn } from '@outpost/platform/db/context'
import { listen } from '@outpost/platform/db/listen'
import type { GeoPools } from '@outpost/platform/db/pool'
import { roleUrl, type RoleSecret } from '@outpost/platform/db/roles'
import { sql } from '@outpost/platform/db/sql'
import type { Log } from '@outpost/platform/log'
import type { FiledEvent, Relay } from '@outpost/platform/relay'
import type { DbContext } from '@outpost/platform/types'
import { chunk } from 'es-toolkit/array/chunk'
import { liveEvents } from './event-rows.ts'
import { createChangeBatches } from './change-batches.ts'

export interface LiveEventsOptions {
  pool: GeoPools['geo']
  relay: Pick<Relay, 'publish' | 'subscribe'>
  log: Log
  /** The connection on which the database announces changed events. */
  database: { url: string; secret: RoleSecret }
  everyMs?: number
  now?: () => number
}

/** The relay takes messages of up to 256 KiB. */
const maxInMessage = 100
const whole = (company: string): DbContext => ({ company, scope: '*', user: null, tenant: null })

/**
 * Sends changed events of devices to the server and its watchers. The database announces with each commit which events were written, by
 * whatever code, so no writer can forget to.
 */
export function createLiveEvents({ pool, relay, log, database, everyMs = 300, now = Date.now }: LiveEventsOptions): {
  close(): Promise<void>
} {
  const batches = createChangeBatches({
    relay,
    topic: 'geo.eventsFollowed',
    log,
    everyMs,
    now,
    send: async (companyId, ids) => {
      for (const some of chunk(ids, maxInMessage)) {
        const events = await readIn<FiledEvent>(pool, whole(companyId), liveEvents(companyId, [sql`e."id" = any(${some}::uuid[])`]))
        if (events.length > 0) relay.publish('geo.events', { companyId, events })
      }
    },
  })
  const note = (signal: string) => {
    const [companyId = '', ids = ''] = signal.split(' ')
    batches.note(companyId, ids.split(','))
  }
  /** After a reconnect: announcements may have been missed. Events may be sent twice. */
  const catchUp = async () => {
    for (const companyId of batches.followed()) {
      const rows = await readIn<{ id: string }>(
        pool,
        whole(companyId),
        sql`select "id" from geo.event where "companyId" = ${companyId} and "changedAt" > now() - interval '1 minute'`,
      )
      batches.note(
        companyId,
        rows.map(({ id }) => id),
      )
    }
  }
  const listener = listen({
    url: roleUrl(database.url, 'fx_geo', database.secret),
    channel: 'geo_events',
    log,
    onSignal: (signal) => {
      if (signal !== undefined) note(signal)
      else catchUp().catch((error: unknown) => log.warn({ err: error }, 'events of a break wait'))
    },
  })
  return {
    close: async () => {
      await listener.close()
      await batches.close()
    },
  }
}
