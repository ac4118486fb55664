import { createHash, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { GeoPools } from '@outpost/platform/db/pool'

/** A device as the ways in know it: whose it is, and what it must show. */
export interface KnownDevice {
  companyId: string
  deviceId: string
  /** Grows with each change that makes this knowledge old; what is written for the device asks for it. */
  generation: number
  uniqueId: string
  protocol: string | null
  model: string | null
  /** How far its clock is from UTC, where it is known to be set to local time. */
  utcOffsetMinutes: number | null
  /** SHA-256 of the token it must show over HTTP. */
  tokenHash: Buffer | null
}

/** A device and its generation in one word. */
export const stateOf = ({ deviceId, generation }: Pick<KnownDevice, 'deviceId' | 'generation'>) => `${deviceId} ${generation}`

export interface Feed { companyId: string, feedId: string }

export interface Identities {
  /** The device of that identity; null when there is none or it is switched off. Rejects while the database is away and it was never asked before. */
  find(uniqueId: string): Promise<KnownDevice | null>
  /** The feed of that token. */
  findFeed(token: string): Promise<Feed | null>
  /** What was known of these is not true any more: they have just been registered, or changed. */
  forget(uniqueIds: readonly string[]): void
}

const knownMs = 30_000
/** Who adopts a device does not want to wait for it. */
const unknownMs = 5_000

/** Looks devices up by identity, many at once in one statement, and remembers them for half a minute. */
export function createIdentities(pool: GeoPools['ingest']): Identities {
  const ask = gather((ids: readonly string[]) => readDevices(pool, ids))
  const devices = remembering<KnownDevice>(100_000, ask)
  const feeds = remembering<Feed>(1_000, (key) => readFeed(pool, key))
  return {
    find: async (uniqueId) => (isIdentity(uniqueId) ? devices.read(uniqueId) : null),
    findFeed: (token) => feeds.read(tokenHash(token).toString('hex')),
    forget: (uniqueIds) => { for (const uniqueId of uniqueIds) devices.forget(uniqueId) },
  }
}

/** What may stand for a device: printable, of at most 128 characters. */
export const isIdentity = (text: string) => /^[\x21-\x7e\u00a0-\uffff][^\p{Cc}]{0,127}$/u.test(text)

export const tokenHash = (token: string) => createHash('sha256').update(token).digest()

/** True when the device asks for no token or this is it. */
export function mayReport({ tokenHash: wanted }: KnownDevice, token: string | null): boolean {
  return wanted === null || (token !== null && timingSafeEqual(wanted, tokenHash(token)))
}

interface Memory<Value> { read(key: string): Promise<Value | null>, forget(key: string): void }

/** An answer that has grown old serves on while the database is away. */
function remembering<Value>(max: number, read: (key: string) => Promise<Value | null>): Memory<Value> {
  const cache = new LRUCache<string, { value: Value | null }>({
    max, ttl: knownMs, allowStaleOnFetchRejection: true, noDeleteOnFetchRejection: true,
    fetchMethod: async (key, _old, { options }) => {
      const value = await read(key)
      if (value === null) options.ttl = unknownMs
      return { value }
    },
  })
  return { read: async (key) => (await cache.fetch(key))?.value ?? null, forget: (key) => void cache.delete(key) }
}

/** Turns the questions of one moment into one statement: a thousand trackers that come back at once are one look-up. */
function gather(readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, KnownDevice>>): (key: string) => Promise<KnownDevice | null> {
  let next: { keys: Set<string>, answer: Promise<ReadonlyMap<string, KnownDevice>> } | undefined
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
    text: `select "companyId", "id" as "deviceId", "generation", "uniqueId", "protocol", "model", "tokenHash", ("attributes" ->> 'utcOffsetMinutes')::int as "utcOffsetMinutes" from geo.device
      where "uniqueId" = any($1) and "deletedAt" is null and not "disabled"`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.uniqueId, row]))
}

async function readFeed(pool: GeoPools['ingest'], hash: string): Promise<Feed | null> {
  const { rows } = await pool.query<Feed>(`select "companyId", "id" as "feedId" from geo.feed where "tokenHash" = $1 and "isActive" and "deletedAt" is null`, [Buffer.from(hash, 'hex')])
  return rows[0] ?? null
}
