import type { FastifyRequest } from 'fastify'
import type { Log } from '@outpost/platform/log'
import type { FileStore } from '@outpost/platform/files/types'
import type { RequestInfo } from './types.ts'
import type { Form } from './uploads/form.ts'

/** What auth and uploads look at beside ctx and input. */
export function requestInfoOf(request: FastifyRequest, store: FileStore, form?: Form): RequestInfo {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
  return {
    ip: request.ip,
    userAgent: headers['user-agent'] ?? '',
    origin: headers.origin,
    host: request.host,
    cookies: (request as { cookies?: Record<string, string | undefined> }).cookies ?? {},
    headers,
    query: request.url.split('?').slice(1).join('?'),
    store,
    log: request.log as Log,
    ...(Buffer.isBuffer(request.body) ? { raw: request.body } : {}),
    ...(form ? { files: form.files } : {}),
  }
}
