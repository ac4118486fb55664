import { z } from 'zod'
import type { Operation } from '../types.ts'
import type { GeoCall, GeoClient } from './client.ts'

export interface PassTarget {
  method: GeoCall['method']
  /** Path at the geo service; `:name` parts are taken from the input and must have the shape named for them. */
  path: string
  shapes?: Readonly<Record<string, RegExp>>
  /** Names of the query that are handed on; anything else is refused. */
  query?: readonly string[]
  /** Body fields set whatever the caller sends, e.g. the kind of entity. */
  fixed?: Readonly<Record<string, unknown>>
}

const idShape = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Hands a call on to the geo service: this method, this path and these query names only. The parts of the path are
 * checked against their shapes and encoded again, so that no address can be made to mean another one.
 */
export function pass(client: GeoClient, { method, path, shapes = {}, query = [], fixed }: PassTarget): Operation<Record<string, unknown>> {
  const parts = path.split('/').filter((part) => part !== '')
  const names = parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
  const known = {
    ...Object.fromEntries(names.map((name) => [name, z.string().regex(shapes[name] ?? idShape, 'is not an identifier')])),
    ...Object.fromEntries(query.map((name) => [name, z.string().max(200).optional()])),
  }
  const hasBody = method !== 'GET'
  return {
    kind: 'pass',
    input: hasBody ? z.looseObject(known) : z.strictObject(known),
    isReadOnly: true, // writes nothing here: no transaction is held while the other side works
    run: async (ctx, input) => {
      const segments = parts.map((part) => (part.startsWith(':') ? String(input[part.slice(1)]) : part))
      const asked = Object.fromEntries(query.map((name) => [name, input[name] as string | undefined]))
      const body = Object.fromEntries(Object.entries(input).filter(([key]) => !(key in known)))
      return { json: await client.call(ctx, { method, segments, query: asked, ...(hasBody ? { body: { ...body, ...fixed } } : {}) }) }
    },
  }
}
