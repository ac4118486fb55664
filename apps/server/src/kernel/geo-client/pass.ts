import { createHash } from 'node:crypto'
import { z } from 'zod'
import { requireInPerson } from '../session/permission.ts'
import type { Answer, AnswerSchema, Operation } from '../types.ts'
import type { GeoCall, GeoClient } from './client.ts'

export interface PassTarget {
  method: GeoCall['method']
  /** Path at the geo service; `:name` parts are taken from the input and must have the shape named for them. */
  path: string
  shapes?: Readonly<Record<string, RegExp>>
  /** Names of the query that are handed on; anything else is refused. */
  query?: readonly string[]
  /** Names of the body that nobody may set while impersonating. */
  keys?: readonly string[]
  /** Body fields set whatever the caller sends, e.g. the kind of entity. */
  fixed?: Readonly<Record<string, unknown>>
  /** Status of the good answer; default 200. */
  status?: number
  /** The answer gets an ETag of its text, and a caller who has it gets 304. */
  isTagged?: boolean
  /** A read whose answer may be large: it is streamed through (proxy.ts). Its path has no parts of the caller's. */
  isLarge?: boolean
  /** What data of a good answer holds. */
  answer?: AnswerSchema
}

const idShape = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Hands a call on to the geo service: this method, this path and these query names only. The parts of the path are
 * checked against their shapes and encoded again, so that no address can be made to mean another one.
 */
export function pass(
  client: GeoClient,
  { method, path, shapes = {}, query = [], keys = [], fixed, status, isTagged = false, isLarge = false, answer }: PassTarget,
): Operation<Record<string, unknown>> {
  const parts = path.split('/').filter((part) => part !== '')
  const names = parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
  const known = {
    ...Object.fromEntries(names.map((name) => [name, z.string().regex(shapes[name] ?? idShape, 'is not an identifier')])),
    ...Object.fromEntries(query.map((name) => [name, z.string().max(200).optional()])),
  }
  const hasBody = method !== 'GET'
  const asked = (input: Record<string, unknown>) => Object.fromEntries(query.map((name) => [name, input[name] as string | undefined]))
  if (isLarge && (hasBody || isTagged || names.length > 0))
    throw new Error(`${path} cannot be streamed: it has a body, a tag or parts of the caller's`)
  return {
    kind: 'pass',
    ...(isLarge ? { proxied: { client, path, query: asked } } : {}),
    input: hasBody ? z.looseObject(known) : z.strictObject(known),
    ...(answer ? { answer } : {}),
    isReadOnly: true, // writes nothing here: no transaction is held while the other side works
    run: async (ctx, input, facts) => {
      if (keys.some((name) => Object.hasOwn(input, name))) requireInPerson(ctx)
      const segments = parts.map((part) => (part.startsWith(':') ? String(input[part.slice(1)]) : part))
      const body = Object.fromEntries(Object.entries(input).filter(([key]) => !Object.hasOwn(known, key)))
      const json = await client.call(ctx, { method, segments, query: asked(input), ...(hasBody ? { body: { ...body, ...fixed } } : {}) })
      return isTagged ? tagged(json, facts.headers['if-none-match']) : { json, ...(status === undefined ? {} : { status }) }
    },
  }
}

/** Weak, because compression on the way may change the bytes. */
function tagged(json: string, had: string | undefined): Answer {
  const etag = `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`
  const headers = { etag, 'cache-control': 'private, no-cache' }
  return had?.split(',').some((one) => one.trim() === etag) === true ? { json: '', status: 304, headers } : { json, headers }
}
