import { errorTable, Failure, fail, type ErrorName, type FailDetails } from '@outpost/contract/errors'
import { openOutgoing, type Outgoing, type OutgoingAnswer } from '@outpost/platform/outgoing'
import { systemClock, type Clock } from '../session/clock.ts'
import type { Ctx } from '../types.ts'
import { createBreaker, type Breaker } from './breaker.ts'
import { serviceToken } from './service-token.ts'
import type { GeoCall, GeoClient } from './types.ts'

export type { GeoCall, GeoClient } from './types.ts'

export interface GeoOptions {
  /** Address of the geo service; without one every call answers GEO_UNAVAILABLE. */
  url: string | undefined
  limitMs?: number
  maxBytes?: number
  /** How long the service is left in peace after five failures in a row. */
  pauseMs?: number
  /** By which the pause is counted. */
  clock?: Clock
}

/** The answers of the geo service that our caller may see; any other answer is a fault of ours or of the service. */
const passedOn: Record<number, ErrorName> = { 400: 'INVALID', 404: 'NOT_FOUND', 409: 'CONFLICT', 429: 'TOO_MANY_REQUESTS', 422: 'INVALID' }

/**
 * Speaks to the geo service for a caller: a token of a minute that carries company, reach and user; headers and path
 * built here, nothing of the client's; 10 s and 8 MiB at most; JSON only; a breaker that spares a service in trouble.
 */
export function createGeoClient({
  url,
  limitMs = 10_000,
  maxBytes = 8_388_608,
  pauseMs = 10_000,
  clock = systemClock,
}: GeoOptions): GeoClient {
  const limits = { reach: 'operator', tracedAs: 'geo', maxResponseSize: maxBytes, connections: 32, connectMs: 2_000 } as const
  const outgoing = openOutgoing({ ...limits, limitMs })
  // timed-request.ts limits the time until an answer begins; then it is passed on at the pace of its reader, and may not fall silent.
  const forReads = openOutgoing({ ...limits, bodyTimeout: limitMs })
  const breaker = createBreaker({ failures: 5, pauseMs, clock })
  return {
    upstream: { url, limitMs, maxBytes, breaker, outgoing: forReads },
    async call(ctx, call) {
      if (url === undefined || !breaker.mayTry()) return fail('GEO_UNAVAILABLE')
      try {
        const text = await send({ url, outgoing }, ctx, call)
        breaker.succeeded()
        return text
      } catch (error) {
        return refuse(error, { ctx, breaker, path: call.segments[0] })
      }
    },
    close: async () => void (await Promise.all([outgoing.close(), forReads.close()])),
  }
}

/** What the breaker and our caller learn from a call that failed. */
export function refuse(error: unknown, { ctx, breaker, path }: { ctx: Ctx; breaker: Breaker; path: string | undefined }): never {
  if (error instanceof Failure && error.failure !== 'GEO_UNAVAILABLE') {
    breaker.succeeded()
    throw error
  }
  breaker.failed()
  ctx.log.warn({ err: error, path }, 'geo service')
  return fail('GEO_UNAVAILABLE')
}

/** All that the service learns about a caller; the caller's own headers are not sent. */
export function geoHeaders(ctx: Ctx): Record<string, string> {
  return { authorization: `Bearer ${serviceToken(ctx)}`, accept: 'application/json', 'x-request-id': ctx.requestId }
}

interface Line {
  url: string
  outgoing: Outgoing
}

async function send({ url, outgoing }: Line, ctx: Ctx, { method, segments, query = {}, body }: GeoCall): Promise<string> {
  const address = new URL(`${new URL(url).href.replace(/\/$/, '')}/${segments.map(encodeSegment).join('/')}`)
  for (const [key, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(key, value)
  const answer = await outgoing.request(address, {
    method,
    headers: {
      ...geoHeaders(ctx),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return readAnswer(ctx, answer)
}

/** A part that is only dots would climb when the other side decodes it. */
function encodeSegment(segment: string): string {
  if (segment === '' || /^\.+$/.test(segment)) fail('NOT_FOUND')
  return encodeURIComponent(segment)
}

export const isJsonAnswer = ({ headers }: Pick<OutgoingAnswer, 'headers'>): boolean =>
  /^application\/json\b/i.test(String(headers['content-type'] ?? ''))

/** The text of an answer that was read whole and looked into. Stops with the service's refusal, or GEO_UNAVAILABLE. */
export async function readAnswer(
  ctx: Ctx,
  { statusCode, headers, body }: Pick<OutgoingAnswer, 'statusCode' | 'headers' | 'body'>,
): Promise<string> {
  const isJson = isJsonAnswer({ headers })
  const known = passedOn[statusCode]
  const isGood = statusCode >= 200 && statusCode < 300
  if (!isJson || (!isGood && !known)) {
    await body.dump({ limit: 65_536 }).catch(() => undefined)
    return statusCode === 404 ? fail('NOT_FOUND') : fail('GEO_UNAVAILABLE')
  }
  const text = await body.text()
  const value: unknown = JSON.parse(text)
  if (known) return fail(ownName(value, statusCode) ?? known, refusal(value))
  if (holdsForeign(value, ctx.company.id)) {
    ctx.log.error({ company: ctx.company.id }, 'the geo service answered with rows of another company')
    return fail('GEO_UNAVAILABLE')
  }
  return text
}

/** The service's errors have our names; one is believed when its status is that of the table. */
function ownName(value: unknown, status: number): ErrorName | undefined {
  const { code } = (value ?? {}) as { code?: unknown }
  const isKnown = (name: unknown): name is ErrorName => typeof name === 'string' && Object.hasOwn(errorTable, name)
  return isKnown(code) && errorTable[code].status === status ? code : undefined
}

/** Message, fields and details of a refusal, when they have our shape. */
function refusal(value: unknown): FailDetails {
  const { message, fields, details } = (value ?? {}) as { message?: unknown; fields?: unknown; details?: unknown }
  const told = Array.isArray(fields)
    ? fields.filter(
        (one): one is { field: string; message: string } =>
          typeof (one as { field?: unknown } | null)?.field === 'string' && typeof (one as { message?: unknown }).message === 'string',
      )
    : []
  return {
    ...(typeof message === 'string' ? { message: message.slice(0, 300) } : {}),
    ...(told.length > 0 ? { fields: told.slice(0, 50) } : {}),
    ...(typeof details === 'object' && details !== null && !Array.isArray(details) ? { details: details as Record<string, unknown> } : {}),
  }
}

/** The service checks every row itself; should that wall fall, rows marked with another company stop here. */
function holdsForeign(value: unknown, companyId: string): boolean {
  if (Array.isArray(value)) return value.some((part) => holdsForeign(part, companyId))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, part]) =>
    key === 'companyId' ? typeof part === 'string' && part.toLowerCase() !== companyId.toLowerCase() : holdsForeign(part, companyId),
  )
}
