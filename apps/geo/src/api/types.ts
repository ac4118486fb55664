import type { DbContext, Sql } from '@outpost/platform/types'
import type { Log } from '@outpost/platform/log'
import type { Point } from '@outpost/rules/distance'
import type { z } from 'zod'
import type { Address } from '../geocoding/geocode.ts'
import type { Feed } from '../ingest/identity.ts'
import type { Caller } from './token.ts'

/** All that a call knows about whom it works for; `sql` reads, each statement inside the walls of the caller. */
export interface GeoCtx {
  readonly caller: Caller
  readonly context: DbContext
  readonly requestId: string
  readonly log: Log
  readonly sql: Sql
  /** Runs in one transaction inside the same walls. */
  transaction<Result>(run: (sql: Sql) => Promise<Result>): Promise<Result>
  now(): number
  /** Closes the token of a feed's Traccar server for the database; hosts inside our own network that feeds may name. */
  readonly feeds: { seal(feed: Feed, token: string): Buffer, hosts: readonly string[] }
  readonly services: GeoServices
}

/** What calls need of the running service beside the database. */
export interface GeoServices {
  /** Puts a place into words; never fails, whatever is reachable. */
  describePlace(ctx: GeoCtx, place: Point): Promise<Address>
  /** The same for many at once, as far as it is known here: nobody outside is asked. */
  describePlaces(ctx: GeoCtx, places: readonly Point[]): Promise<string[]>
  /** A command is committed: whoever holds the device's connection may send it now. */
  commandQueued(command: { companyId: string, deviceId: string, id: string }): void
}

export interface Meta { page: number, size: number, total: number }

export type Answer =
  | { data: Record<string, unknown>, meta?: Meta | Record<string, unknown>, status?: number }
  /** The whole envelope, as Postgres built it. */
  | { json: string }
  /** Lines of JSON as they come; what breaks off before its last line has failed. */
  | { lines: AsyncIterable<string> }

export interface Handler<Input = unknown> {
  /** Path, query and body as one object. */
  input: z.ZodType<Input>
  run(ctx: GeoCtx, input: Input): Promise<Answer>
}

/** Binds a handler's input to its schema. */
export function handler<Input>(input: z.ZodType<Input>, run: Handler<Input>['run']): Handler {
  return { input, run } as Handler
}
