import type { Outgoing } from '@outpost/platform/outgoing'
import type { Ctx } from '../types/ctx.ts'
import type { Breaker } from './breaker.ts'

/** One call of the geo service. */
export interface GeoCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Parts of the path, not yet encoded; each stays one part. */
  segments: readonly string[]
  query?: Readonly<Record<string, string | undefined>>
  body?: unknown
}

export interface GeoClient {
  /** The JSON text the geo service answers with. Stops with GEO_UNAVAILABLE, NOT_FOUND, INVALID or CONFLICT. */
  call(ctx: Ctx, call: GeoCall): Promise<string>
  /** For the proxy of large reads (proxy.ts): the same service, limits and breaker. */
  readonly upstream: GeoUpstream
  close(): Promise<void>
}

export interface GeoUpstream {
  url: string | undefined
  limitMs: number
  maxBytes: number
  breaker: Breaker
  /** Connections of its own: answers that slow readers take never keep the other calls waiting. */
  outgoing: Outgoing
}

/** A read whose answer is streamed through; all that leaves for the service is made here, from checked input. */
export interface ProxiedRead {
  client: GeoClient
  /** Path at the service, without parts of the caller's. */
  path: string
  query(input: Record<string, unknown>): Readonly<Record<string, string | undefined>>
}
