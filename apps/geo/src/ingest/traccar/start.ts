import type { GeoPools } from '@outpost/platform/db/pool'
import type { IngestServices } from '../listen/services.ts'
import { createHttpStore } from '../http-store.ts'
import { startBridge } from './bridge.ts'
import { createCursors } from './cursors.ts'
import { traccarClient } from './rest.ts'
import { importRecords } from './import-records.ts'

/** The installation's Traccar server and the feed it forwards into; without an address nothing is read. */
export interface TraccarSettings {
  TRACCAR_URL?: string | undefined
  TRACCAR_TOKEN?: string | undefined
  TRACCAR_FEED_TOKEN?: string | undefined
  TRACCAR_HISTORY_DAYS: number
}

/** Starts the bridge to the Traccar server of the settings; null when there is none. */
export function startTraccar(
  { ingestServices, pools }: { ingestServices: IngestServices; pools: GeoPools },
  settings: TraccarSettings,
): { stop(): Promise<void> } | null {
  const { TRACCAR_URL: url, TRACCAR_TOKEN: token, TRACCAR_FEED_TOKEN: feedToken, TRACCAR_HISTORY_DAYS: historyDays } = settings
  if (url === undefined || token === undefined || feedToken === undefined) return null
  const feedOf = async () => {
    const feed = await ingestServices.identities.findFeed(feedToken)
    if (!feed) throw new Error('TRACCAR_FEED_TOKEN is the token of no active feed')
    return feed
  }
  const client = traccarClient({ url, login: { token } })
  return startBridge({
    client,
    store: createHttpStore(ingestServices, pools.ingest),
    cursors: createCursors(pools.geo, async () => (await feedOf()).companyId),
    importRecords: async () => importRecords(client, { pool: pools.geo, feed: await feedOf(), server: new URL(url).host }),
    feed: { token: feedToken },
    now: ingestServices.now,
    log: ingestServices.log,
    historyDays,
  })
}
