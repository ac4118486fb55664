import { setTimeout as wait } from 'node:timers/promises'
import type { GeoPools } from '@outpost/platform/db/pool'
import type { GeoKeys } from '@outpost/platform/geo-keys'
import type { Log } from '@outpost/platform/log'
import { privateAddressMessage, openOutgoing } from '@outpost/platform/outgoing'
import { sealText, unsealWithAny } from '@outpost/platform/seal'
import type { IngestServices } from '../listen/services.ts'
import type { Feed } from '../identity.ts'
import { createHttpStore } from '../http-store.ts'
import { secondsToNextRun, runFeed } from './feed-run.ts'
import { endLease, readProgress, takeLease, type Lease } from './progress.ts'
import { traccarClient, traccarLimits, type TraccarClient } from './rest.ts'

export interface FeedsOptions {
  ingestServices: IngestServices
  pools: GeoPools
  /** The key that decrypts the tokens of feeds. */
  keys: Pick<GeoKeys, 'feedKey' | 'formerFeedKeys'>
  /** Hosts in the operator's own network that feeds may name nevertheless. */
  hosts: readonly string[]
  log: Log
  /** Feeds read at a time, milliseconds between polls, and the pause before a failed call is retried. */
  most?: number
  everyMs?: number
  retryMs?: number
}

export interface Feeds {
  /** Reads every due feed and returns their number. */
  pass(): Promise<number>
  start(): void
  stop(): Promise<void>
}

/** Encrypts the token of a feed's Traccar server for the database: only this feed of this company can decrypt it. */
export const sealFeedToken = (keys: Pick<GeoKeys, 'feedKey'>, feed: Feed, token: string): Buffer =>
  sealText(keyOf(keys), token, purposeOf(feed))
const keyOf = ({ feedKey }: Pick<GeoKeys, 'feedKey'>) => Buffer.from(feedKey, 'base64')
const purposeOf = ({ companyId, feedId }: Feed) => `${companyId} ${feedId}`

/**
 * Reads the Traccar servers behind feeds: each every 15 min, on request, and at once after our own or the database's downtime, because
 * what was forwarded then is lost otherwise. Several processes may run it.
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
    // The column rounds to milliseconds: a due time must not lie half a millisecond ahead.
    if (isBehind)
      await pools.ingest.query(
        `update geo.feed set "nextRunAt" = date_trunc('milliseconds', now()) where "nextRunAt" > now() and "isActive" and "deletedAt" is null and ("leaseUntil" is null or "leaseUntil" <= now())`,
      )
    isBehind = false
    const { rows } = await pools.ingest.query<Feed>(
      `select "companyId", "id" as "feedId" from geo.feed where "nextRunAt" <= now() and "isActive" and "deletedAt" is null
      and ("leaseUntil" is null or "leaseUntil" <= now()) and "id" <> all($1::uuid[]) order by "nextRunAt" limit $2`,
      [[...running.keys()], most - running.size],
    )
    for (const feed of rows) {
      const work = read(feed)
        .catch((error: unknown) => log.warn({ err: error, feedId: feed.feedId }, 'a feed waits'))
        .finally(() => running.delete(feed.feedId))
      running.set(feed.feedId, work)
    }
    return rows.length
  }

  async function look(): Promise<void> {
    while (!end.signal.aborted) {
      await begin().catch((error: unknown) => {
        // What was sent in the meantime was refused.
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
    start: () => {
      looking = look()
    },
    async stop() {
      end.abort()
      await Promise.all([servers.close(), looking, ...running.values()])
    },
  }
}

interface Servers {
  /** The client of a feed's server, or the reason in words why it may not be called. */
  clientOf(feed: Feed, lease: Lease): TraccarClient | string
  close(): Promise<unknown>
}

/** The outgoing client: public addresses only, plus the private hosts that the operator allows. */
function openServers({ keys, hosts, retryMs }: FeedsOptions): Servers {
  const outgoing = openOutgoing({ reach: 'public', hosts, ...traccarLimits })
  return {
    clientOf(feed, { url, sealedToken }) {
      if (outgoing.refuses(url)) return privateAddressMessage
      try {
        const token = unsealWithAny(
          [keyOf(keys), ...(keys.formerFeedKeys ?? []).map((one) => Buffer.from(one, 'base64'))],
          sealedToken,
          purposeOf(feed),
        )
        return traccarClient({ url, login: { token }, outgoing, ...(retryMs === undefined ? {} : { retryMs }) })
      } catch {
        return 'The token of the Traccar server cannot be read any more, because the master secret is another one: enter it again.'
      }
    },
    close: () => outgoing.destroy(),
  }
}

/** Reads a feed once, unless another process is reading it. */
function feedReader({ ingestServices, pools, log }: FeedsOptions, servers: Servers, signal: AbortSignal): (feed: Feed) => Promise<void> {
  const store = createHttpStore(ingestServices, pools.ingest)
  return async (feed) => {
    const lease = await takeLease(pools.geo, feed)
    if (!lease) return
    const client = servers.clientOf(feed, lease)
    if (typeof client === 'string') {
      const progress = await readProgress(pools.geo, feed)
      const failures = progress.failures + 1
      return endLease(
        pools.geo,
        feed,
        { ...progress, state: 'failed', failures, message: client, endedAt: new Date(ingestServices.now()).toISOString() },
        secondsToNextRun(failures),
      )
    }
    const { url, historyDays, isImport } = lease
    await runFeed({
      feed,
      client,
      server: new URL(url).host,
      historyDays,
      isImport,
      pool: pools.geo,
      store,
      identities: ingestServices.identities,
      now: ingestServices.now,
      log,
      signal,
    })
  }
}
