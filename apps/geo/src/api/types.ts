import type { DbContext, Sql } from '@outpost/platform/types'
import type { Log } from '@outpost/platform/log'
import type { Point } from '@outpost/rules/places/distance'
import type { z } from 'zod'
import type { Address } from '../geocoding/geocode.ts'
import type { Feed } from '../ingest/identity.ts'
import type { Caller } from './token.ts'

/** The context of a call. `sql` reads; each statement runs within the caller's row-level security. */
export interface GeoCtx {
  readonly caller: Caller
  readonly context: DbContext
  readonly requestId: string
  readonly log: Log
  readonly sql: Sql
  /** Runs in one transaction with the same row-level security. */
  transaction<Result>(run: (sql: Sql) => Promise<Result>): Promise<Result>
  now(): number
  /** Encrypts the token of a feed's Traccar server; and the hosts in the operator's network that feeds may name. */
  readonly feeds: { seal(feed: Feed, token: string): Buffer; hosts: readonly string[] }
  readonly services: GeoServices
}

/** Services that calls use besides the database. */
export interface GeoServices {
  /** Names a place; never fails, whatever is reachable. */
  describePlace(ctx: GeoCtx, place: Point): Promise<Address>
  /** Names many places from local sources only; the remote geocoder is not asked. */
  describePlaces(ctx: GeoCtx, places: readonly Point[]): Promise<string[]>
  /** Called when a command is committed: the process with the device's connection may send it now. */
  commandQueued(command: { companyId: string; deviceId: string; id: string }): void
}

export interface Meta {
  page: number
  size: number
  total: number
}

export type Answer =
  | { data: Record<string, unknown>; meta?: Meta | Record<string, unknown>; status?: number }
  /** The whole envelope as Postgres built it. */
  | { json: string }
  /** Lines of JSON as a stream; a stream that ends before its last line has failed. */
  | { lines: AsyncIterable<string> }

export interface Handler<Input = unknown> {
  /** Path, query and body as one object. */
  input: z.ZodType<Input>
  run(ctx: GeoCtx, input: Input): Promise<Answer>
}

/** Binds a handler's input type to its schema. */
export function handler<Input>(input: z.ZodType<Input>, run: Handler<Input>['run']): Handler {
  return { input, run } as Handler
}
