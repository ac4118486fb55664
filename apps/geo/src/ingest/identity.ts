import { createHash, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { GeoPools } from '@outpost/platform/db/pool'

/** A device as ingest knows it: its owner, and the secret it must send. */
export interface KnownDevice {
  companyId: string
  deviceId: string
  /** Increases with each change that makes this record outdated; every insert for the device checks it. */
  generation: number
  uniqueId: string
  protocol: string | null
  model: string | null
  /** Offset of its clock from UTC, where it is known to be set to local time. */
  utcOffsetMinutes: number | null
  /** SHA-256 of the token that it must send over HTTP. */
  tokenHash: Buffer | null
  /** The person whose phone it is; it is followed at work and with their consent alone. */
  userId: string | null
}

/** A device and its generation as one string. */
export const stateOf = ({ deviceId, generation }: Pick<KnownDevice, 'deviceId' | 'generation'>) => `${deviceId} ${generation}`

export interface Feed {
  companyId: string
  feedId: string
}

export interface Identities {
  /**
   * Finds the device of an identity; null when it does not exist or is disabled. Rejects while the database is away and the identity is
   * not cached.
   */
  find(uniqueId: string): Promise<KnownDevice | null>
  /** Finds the feed of a token. */
  findFeed(token: string): Promise<Feed | null>
  /** Drops cached entries: these identities were just registered or changed. */
  forget(uniqueIds: readonly string[]): void
}

const knownTtlMs = 30_000
/** Short, because a person who adopts a device does not want to wait. */
const unknownTtlMs = 5_000

/** Looks up devices by identity, many in one statement, and caches them for half a minute. */
export function createIdentities(pool: GeoPools['ingest']): Identities {
  const ask = batchLookups((ids: readonly string[]) => readDevices(pool, ids))
  const devices = cached<KnownDevice>(100_000, ask)
  const feeds = cached<Feed>(1_000, (key) => readFeed(pool, key))
  return {
    find: async (uniqueId) => (isIdentity(uniqueId) ? devices.read(uniqueId) : null),
    findFeed: (token) => feeds.read(tokenHash(token).toString('hex')),
    forget: (uniqueIds) => {
      for (const uniqueId of uniqueIds) devices.forget(uniqueId)
    },
  }
}

/** Valid identities: printable, at most 128 characters. */
export const isIdentity = (text: string) => /^[\x21-\x7e\u00a0-\uffff][^\p{Cc}]{0,127}$/u.test(text)

export const tokenHash = (token: string) => createHash('sha256').update(token).digest()

/** True when the device requires no token or this is its token. */
export function mayReport({ tokenHash: wanted }: KnownDevice, token: string | null): boolean {
  return wanted === null || (token !== null && timingSafeEqual(wanted, tokenHash(token)))
}

interface Memory<Value> {
  read(key: string): Promise<Value | null>
  forget(key: string): void
}

/** An expired entry is still used while the database is away. */
function cached<Value>(max: number, read: (key: string) => Promise<Value | null>): Memory<Value> {
  const cache = new LRUCache<string, { value: Value | null }>({
    max,
    ttl: knownTtlMs,
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (key, _old, { options }) => {
      const value = await read(key)
      if (value === null) options.ttl = unknownTtlMs
      return { value }
    },
  })
  return { read: async (key) => (await cache.fetch(key))?.value ?? null, forget: (key) => void cache.delete(key) }
}

/** Batches the lookups of one moment into one statement: a thousand trackers that reconnect at once cost one lookup. */
function batchLookups(
  readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, KnownDevice>>,
): (key: string) => Promise<KnownDevice | null> {
  let next: { keys: Set<string>; answer: Promise<ReadonlyMap<string, KnownDevice>> } | undefined
  return async (key) => {
    if (!next) {
      const keys = new Set<string>()
      const answer = new Promise<void>((done) => setTimeout(done, 2)).then(() => {
        next = undefined
        return readAll([...keys])
      })
      next = { keys, answer }
    }
    next.keys.add(key)
    return (await next.answer).get(key) ?? null
  }
}

async function readDevices(pool: GeoPools['ingest'], ids: readonly string[]): Promise<ReadonlyMap<string, KnownDevice>> {
  const { rows } = await pool.query<KnownDevice>({
    name: 'geo device by identity',
    text: `select "companyId", "id" as "deviceId", "generation", "uniqueId", "protocol", "model", "tokenHash", "userId", ("attributes" ->> 'utcOffsetMinutes')::int as "utcOffsetMinutes" from geo.device
      where "uniqueId" = any($1) and "deletedAt" is null and not "disabled"`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.uniqueId, row]))
}

async function readFeed(pool: GeoPools['ingest'], hash: string): Promise<Feed | null> {
  const { rows } = await pool.query<Feed>(
    `select "companyId", "id" as "feedId" from geo.feed where "tokenHash" = $1 and "isActive" and "deletedAt" is null`,
    [Buffer.from(hash, 'hex')],
  )
  return rows[0] ?? null
}
