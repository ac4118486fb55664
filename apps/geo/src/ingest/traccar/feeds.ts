import { setTimeout as wait } from 'node:timers/promises'
import type { GeoPools } from '@outpost/platform/db/pool'
import { deriveKey } from '@outpost/platform/keys'
import type { Log } from '@outpost/platform/log'
import { insideWords, openOutgoing } from '@outpost/platform/outgoing'
import { sealText, unsealText } from '@outpost/platform/seal'
import type { IngestServices } from '../listen/device-session.ts'
import type { Feed } from '../identity.ts'
import { createHttpStore } from '../http-store.ts'
import { pauseAfter, runFeed } from './feed-run.ts'
import { endLease, readProgress, takeLease, type Lease } from './progress.ts'
import { traccarClient, type TraccarClient } from './rest.ts'

export interface FeedsOptions {
  ingestServices: IngestServices
  pools: GeoPools
  /** The master secret, which opens the tokens of feeds. */
  secret: string
  /** Hosts inside the operator's own network that feeds may name all the same. */
  hosts: readonly string[]
  log: Log
  /** Feeds that are read at a time, milliseconds between looks, and before a call that failed is tried again. */
  most?: number
  everyMs?: number
  retryMs?: number
}

export interface Feeds {
  /** Reads every feed that is due and returns how many those were. */
  pass(): Promise<number>
  start(): void
  stop(): Promise<void>
}

/** The token of a feed's Traccar server as it stands in the database: for this feed of this company alone. */
export const sealFeedToken = (secret: string, feed: Feed, token: string): Buffer => sealText(feedKey(secret), token, purposeOf(feed))
const feedKey = (secret: string) => deriveKey(secret, 'feed tokens')
const purposeOf = ({ companyId, feedId }: Feed) => `${companyId} ${feedId}`

/**
 * Reads the Traccar servers behind feeds: each every 15 min, when it is asked for, and at once after an absence of
 * ours or of the database, for what was forwarded meanwhile is lost otherwise. Several processes may do it.
 */
export function createFeeds(options: FeedsOptions): Feeds {
  const { pools, log, most = 4, everyMs = 5_000 } = options
  const end = new AbortController()
  const running = new Map<string, Promise<unknown>>()
  const servers = openServers(options)
  const read = feedReader(options, servers, end.signal)
  let looking: Promise<void> = Promise.resolve()
  let isBehind = true

  async function begin(): Promise<number> {
    // The column rounds: what is due now must not be due in half a millisecond.
    if (isBehind) await pools.ingest.query(`update geo.feed set "nextRunAt" = date_trunc('milliseconds', now()) where "nextRunAt" > now() and "isActive" and "deletedAt" is null and ("leaseUntil" is null or "leaseUntil" <= now())`)
    isBehind = false
    const { rows } = await pools.ingest.query<Feed>(`select "companyId", "id" as "feedId" from geo.feed where "nextRunAt" <= now() and "isActive" and "deletedAt" is null
      and ("leaseUntil" is null or "leaseUntil" <= now()) and "id" <> all($1::uuid[]) order by "nextRunAt" limit $2`, [[...running.keys()], most - running.size])
    for (const feed of rows) {
      const work = read(feed).catch((error: unknown) => log.warn({ err: error, feedId: feed.feedId }, 'a feed waits')).finally(() => running.delete(feed.feedId))
      running.set(feed.feedId, work)
    }
    return rows.length
  }

  async function look(): Promise<void> {
    while (!end.signal.aborted) {
      await begin().catch((error: unknown) => {
        // What devices and servers sent meanwhile was refused.
        isBehind = true
        log.warn({ err: error }, 'feeds wait')
      })
      await wait(everyMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined)
    }
  }

  return {
    async pass() {
      const count = await begin()
      await Promise.all(running.values())
      return count
    },
    start: () => { looking = look() },
    async stop() {
      end.abort()
      await Promise.all([servers.close(), looking, ...running.values()])
    },
  }
}

interface Servers {
  /** What speaks to the server of a feed, or in words why nothing may. */
  clientOf(feed: Feed, lease: Lease): TraccarClient | string
  close(): Promise<unknown>
}

/** The way out: to anywhere but inside, and to the hosts inside that the operator allows. */
function openServers({ secret, hosts, retryMs }: FeedsOptions): Servers {
  const outgoing = openOutgoing({ reach: 'public', hosts, connections: 2, maxResponseSize: 67_108_864 })
  return {
    clientOf(feed, { url, sealedToken }) {
      if (outgoing.refuses(url)) return insideWords
      try {
        const token = unsealText(feedKey(secret), sealedToken, purposeOf(feed))
        return traccarClient({ url, login: { token }, outgoing, ...(retryMs === undefined ? {} : { retryMs }) })
      } catch {
        return 'The token of the Traccar server cannot be read any more, because the master secret is another one: enter it again.'
      }
    },
    close: () => outgoing.destroy(),
  }
}

/** Reads a feed once, unless another process is at it. */
function feedReader({ ingestServices, pools, log }: FeedsOptions, servers: Servers, signal: AbortSignal): (feed: Feed) => Promise<void> {
  const store = createHttpStore(ingestServices, pools.ingest)
  return async (feed) => {
    const lease = await takeLease(pools.geo, feed)
    if (!lease) return
    const client = servers.clientOf(feed, lease)
    if (typeof client === 'string') {
      const progress = await readProgress(pools.geo, feed)
      const failures = progress.failures + 1
      return endLease(pools.geo, feed, { ...progress, state: 'failed', failures, message: client, endedAt: new Date(ingestServices.now()).toISOString() }, pauseAfter(failures))
    }
    const { url, historyDays, isImport } = lease
    await runFeed({ feed, client, server: new URL(url).host, historyDays, isImport, pool: pools.geo, store, identities: ingestServices.identities, now: ingestServices.now, log, signal })
  }
}
