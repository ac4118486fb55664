import { fail } from '@outpost/contract/errors'
import type { FastifyRequest } from 'fastify'

/**
 * Path parameters, query and body (the fields of a multipart form) of a request as one object. Throws when a name has two different
 * values.
 */
export function mergedInput(request: FastifyRequest, fields?: Record<string, unknown>): Record<string, unknown> {
  const isMultipart = (request as { isMultipart?(): boolean }).isMultipart?.() === true
  const body = isMultipart ? fields : Buffer.isBuffer(request.body) ? undefined : request.body
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    fail('INVALID', { fields: [{ field: 'body', message: 'must be an object' }] })
  }
  // A Map, because every object answers to inherited names that the caller never sent.
  const merged = new Map<string, unknown>()
  for (const part of [request.params, presentQuery(request.query), body]) {
    for (const [key, value] of Object.entries(part ?? {})) {
      if (key === '__proto__') continue
      if (merged.has(key) && merged.get(key) !== value) fail('INVALID', { fields: [{ field: key, message: 'is said twice, differently' }] })
      merged.set(key, value)
    }
  }
  return Object.fromEntries(merged)
}

/** Query parameters with a value: empty ones and cache busters of old clients count as absent. */
function presentQuery(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([key, value]) => value !== '' && key !== '_dc'))
}
