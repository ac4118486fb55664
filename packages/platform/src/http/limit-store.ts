import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Counters } from './counters.ts'

/** Our counters as the store of @fastify/rate-limit, whose own Redis store fails or opens when Redis is away. */
export function limitStore(counters: Counters): FastifyRateLimitStoreCtor {
  return class CounterStore implements FastifyRateLimitStore {
    incr(key: string, done: (error: Error | null, result?: { current: number; ttl: number }) => void, windowMs: number): void {
      counters.hit(`address:${key}`, windowMs).then(({ count, resetMs }) => done(null, { current: count, ttl: resetMs }), done)
    }

    child(): FastifyRateLimitStore {
      return new CounterStore()
    }
  }
}
