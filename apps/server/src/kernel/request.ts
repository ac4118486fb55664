import type { FastifyRequest } from 'fastify'
import { fail } from '@outpost/contract/errors'
import type { RequestFacts, Route, UploadPart } from './types.ts'

/** Path parameters, query and body of a request as one object. A name said twice with different values is refused. */
export function mergedInput(request: FastifyRequest): Record<string, unknown> {
  const body = request.isMultipart?.() === true ? undefined : request.body
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    fail('INVALID', { fields: [{ field: 'body', message: 'must be an object' }] })
  }
  const merged: Record<string, unknown> = {}
  for (const part of [request.params, asked(request.query), body]) {
    for (const [key, value] of Object.entries(part ?? {})) {
      if (key === '__proto__') continue
      if (key in merged && merged[key] !== value) fail('INVALID', { fields: [{ field: key, message: 'is said twice, differently' }] })
      merged[key] = value
    }
  }
  return merged
}

/** Query parameters that say something: empty ones count as absent, and so do the cache busters of old clients. */
function asked(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([key, value]) => value !== '' && key !== '_dc'))
}

/** What auth and uploads look at beside ctx and input. */
export function factsOf(request: FastifyRequest, { options }: Pick<Route, 'options'>): RequestFacts {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
  return {
    ip: request.ip,
    userAgent: headers['user-agent'] ?? '',
    origin: headers.origin,
    host: request.host,
    cookies: (request as { cookies?: Record<string, string | undefined> }).cookies ?? {},
    headers,
    ...(options.upload && request.isMultipart?.() === true ? { files: () => filesOf(request) } : {}),
  }
}

async function* filesOf(request: FastifyRequest): AsyncGenerator<UploadPart> {
  for await (const part of request.files()) {
    yield { fieldName: part.fieldname, fileName: part.filename, mimeType: part.mimetype, body: part.file }
  }
}
