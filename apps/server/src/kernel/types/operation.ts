import type { Failure } from '@outpost/contract/errors'
import type { Meta } from '@outpost/contract/envelope'
import type { Access } from '@outpost/contract/permissions'
import type { Log as Logger } from '@outpost/platform/log'
import type { FileStore } from '@outpost/platform/files/types'
import type { Statement } from '@outpost/platform/types'
import type { z } from 'zod'
import type { ProxiedRead } from '../geo-client/types.ts'
import type { RouteOptions } from '../route-options.ts'
import type { UploadedFile } from '../uploads/form.ts'
import type { Ctx } from './ctx.ts'
import type { AnyResource } from './resource.ts'

/** What an operation gives back. `json` is a whole envelope that Postgres built, sent as it is. */
export type Answer =
  | { json: string; status?: number; cookies?: CookieChange[]; headers?: Record<string, string> }
  | {
      data: Record<string, unknown>
      meta?: Meta
      message?: string
      status?: number
      cookies?: CookieChange[]
      headers?: Record<string, string>
    }
  /** `isForEver`: its address names its very bytes, and everybody may have it. */
  | { file: { name: string; mimeType: string; size?: number; body: NodeJS.ReadableStream | Buffer; inline?: boolean; isForEver?: boolean } }
  | { redirect: string }
  /** In the format of who asks, such as a provider. */
  | { text: { status?: number; type: string; text: string; headers?: Record<string, string> } }
  /** Rows streamed as one envelope; `many` names the array. */
  | { rows: AsyncIterable<string>; many: string; meta: Omit<Meta, 'total'> & { total?: number } }

export interface CookieChange {
  name: string
  value: string | null
  maxAgeSeconds?: number
  path: string
}

/** The parts of a request that a few operations (auth, uploads) need beside ctx and input. */
export interface RequestInfo {
  ip: string
  userAgent: string
  origin: string | undefined
  host: string
  cookies: Readonly<Record<string, string | undefined>>
  headers: Readonly<Record<string, string | undefined>>
  /** The query of the address as it came, without its question mark: signatures of some senders cover these characters. */
  query: string
  /** The body as it came, on routes that ask for it (`raw`). */
  raw?: Buffer
  log: Logger
  /** The files of a multipart form; absent when the body is none. */
  files?: readonly UploadedFile[]
  /** Where the bytes of files are, by key. */
  store: FileStore
}

export interface Operation<Input = unknown> {
  kind:
    | 'list'
    | 'get'
    | 'history'
    | 'create'
    | 'update'
    | 'remove'
    | 'restore'
    | 'setField'
    | 'files'
    | 'attach'
    | 'download'
    | 'detach'
    | 'query'
    | 'command'
    | 'pass'
  /** Path parameters, query and body come merged as one object and are checked by this schema. */
  input: z.ZodType<Input>
  /** For the API document, where the call takes more than it should be given: what it is to be given. */
  documented?: () => z.ZodType
  /** Reads only: runs without a write transaction. */
  isReadOnly: boolean
  /** Only operations on public routes get null as ctx. */
  run(ctx: Ctx, input: Input, facts: RequestInfo): Promise<Answer>
  /** What data of a good answer holds (where it answers no envelope: what all of it is), for the API document and the typed client; tests check every answer by it. */
  answer?: AnswerSchema
  resource?: AnyResource
  /** A large read of the geo service: its answer is streamed through instead of `run`. */
  proxied?: ProxiedRead
  /** Lists of remote resources only: the first records that a text finds. */
  find?(ctx: Ctx, search: string, size: number): Promise<Record<string, unknown>[]>
  /** Lists only: the statement behind the whole list, one wire record as JSON text in each row's `row`. */
  exportRows?(ctx: Ctx, input: Input): Promise<Statement>
}
/** A schema, or how it is made once all resources are loaded. */
export type AnswerSchema = z.ZodType | (() => z.ZodType)

/** A message of a provider as it was stored. */
export interface StoredMessage {
  id: string
  body: Buffer
  connectionId: string
}
/** Does a stored message of a provider, from its bytes. */
export type FinishMessage = (ctx: Ctx, stored: StoredMessage) => Promise<void>

/** An operation of a public route: there is no ctx. */
export interface PublicOperation<Input = unknown> {
  kind: 'public'
  input: z.ZodType<Input>
  run(input: Input, facts: RequestInfo): Promise<Answer>
  /** How a refusal reads there; left out: the one shape of every error. */
  refuse?(failure: Failure, request: { host: string }): Answer
  answer?: AnswerSchema
  /** Doors of providers where many call at once: how a message is done that was stored and left. */
  finish?: FinishMessage
}

export interface Route {
  /** area.verb, unique; actions and screens name routes by it. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify path with :params; {id} of the specification is :id. */
  path: string
  access: Access
  operation: Operation | PublicOperation
  options: RouteOptions
}
