import { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { Log } from '../log.ts'

/** Counts events in a window of time; shared between processes when there is Redis. */
export interface Counters {
  /** Counts one more and returns the count and the milliseconds until the window ends. Never throws. */
  hit(key: string, windowMs: number): Promise<CounterState>
  /** Counts one more; true while the count is within the maximum. */
  take(key: string, most: number, windowMs: number): Promise<boolean>
  /** Returns the count without counting. */
  peek(key: string): Promise<number>
  /** Rejects while Redis is configured but away: the counts are then local to each process. */
  check(): Promise<void>
  close(): Promise<void>
}
export interface CounterState {
  count: number
  resetMs: number
}

const script = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`

/**
 * Counters in Redis when an address is given, else in this process. When Redis fails or takes longer than 100 ms, the local counts apply
 * for that call: limits neither vanish nor turn into errors.
 */
export function createCounters({ redisUrl, log }: { redisUrl?: string | undefined; log: Log }): Counters {
  const local = createLocalCounts()
  const redis = redisUrl ? connect(redisUrl, log) : undefined
  const hit = async (key: string, windowMs: number): Promise<CounterState> => {
    // The local count always runs too, so that an attacker gains nothing when Redis fails during an attack.
    const here = local.hit(key, windowMs)
    if (!redis || redis.status !== 'ready') return here
    try {
      const [count, resetMs] = (await redis.eval(script, 1, `limit:${key}`, windowMs)) as [number, number]
      return { count, resetMs: Math.max(resetMs, 0) }
    } catch (error) {
      log.debug({ err: error }, 'rate counter fell back to this process')
      return here
    }
  }
  return {
    hit,
    take: async (key, most, windowMs) => (await hit(key, windowMs)).count <= most,
    peek: async (key) => {
      if (!redis || redis.status !== 'ready') return local.peek(key)
      return redis.get(`limit:${key}`).then(Number, () => local.peek(key))
    },
    check: async () => {
      if (redis && redis.status !== 'ready') throw new Error('redis is away')
    },
    close: async () => redis?.disconnect(),
  }
}

function connect(redisUrl: string, log: Log): Redis {
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 100,
    connectTimeout: 2_000,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  })
  redis.on('error', (error) => log.debug({ err: error }, 'redis of the rate counters'))
  return redis
}

function createLocalCounts() {
  const counts = new LRUCache<string, { count: number; endsAt: number }>({ max: 50_000 })
  const current = (key: string) => {
    const entry = counts.get(key)
    return entry && entry.endsAt > Date.now() ? entry : undefined
  }
  return {
    hit(key: string, windowMs: number): CounterState {
      const entry = current(key) ?? { count: 0, endsAt: Date.now() + windowMs }
      entry.count += 1
      counts.set(key, entry)
      return { count: entry.count, resetMs: entry.endsAt - Date.now() }
    },
    peek: (key: string) => current(key)?.count ?? 0,
  }
}
