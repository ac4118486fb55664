import httpProxy from '@fastify/http-proxy'
import { fail } from '@outpost/contract/errors'
import type { OutgoingAnswer } from '@outpost/platform/outgoing'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mergedInput } from '@outpost/platform/http/input'
import { sendAnswer } from '../reply.ts'
import { createStreams, type Streams } from '../streams.ts'
import type { Answer, Ctx, Operation, Route } from '../types.ts'
import { geoHeaders, isJsonAnswer, readAnswer, refuse } from './client.ts'
import { ownRows } from './own-rows.ts'
import { requestOf, type TimedRequest } from './timed-request.ts'
import type { GeoClient, ProxiedRead } from './types.ts'

export interface ProxyOptions {
  /** Session, permission and limits, as for every other route. */
  admit(route: Route, request: FastifyRequest): Promise<Ctx>
  checkAnswer?: (route: Route, answer: Answer) => void
}

type ProxiedRoute = Route & { operation: Operation & { proxied: ProxiedRead } }
interface Read {
  ctx: Ctx
  route: ProxiedRoute
  search: string
}

/** Answers of at most this many bytes are parsed as before: that costs less than a millisecond, and a refusal still has its own status. */
const wholeUpTo = 65_536
const json = 'application/json; charset=utf-8'

export const isProxied = (route: Route): route is ProxiedRoute => 'proxied' in route.operation && route.operation.proxied !== undefined

/**
 * Large reads of the geo service through @fastify/http-proxy, behind the same guard, permission and input as all calls. Its list of addresses is the
 * route table's; path, query and headers on the way out are ours, and no header of the service comes back. Rows of another company cut an
 * answer off. Each client has its proxy, for the service, its breaker and its connections are the client's.
 */
export async function addGeoProxy(app: FastifyInstance, routes: readonly ProxiedRoute[], options: ProxyOptions): Promise<void> {
  for (const [client, own] of Map.groupBy(routes, ({ operation }) => operation.proxied.client)) await addOne(app, client, own, options)
}

async function addOne(app: FastifyInstance, client: GeoClient, routes: readonly ProxiedRoute[], options: ProxyOptions): Promise<void> {
  const byPath = new Map(routes.map((route) => [route.path, route]))
  const reads = new WeakMap<FastifyRequest, Read>()
  const readOf = (request: FastifyRequest): Read => reads.get(request) ?? fail('UNKNOWN')
  const upstream = requestOf(() => client.upstream)
  const streams = createStreams({ perUser: 6, perProcess: 24 })
  await app.register(httpProxy, {
    upstream: '',
    routes: [...byPath.keys()],
    httpMethods: ['GET'],
    proxyPayloads: false,
    disableRequestLogging: true,
    disableCache: true,
    undici: { request: upstream.request },
    preHandler: async (request) => {
      const route = byPath.get(request.routeOptions.url ?? '') ?? fail('NOT_FOUND')
      const ctx = await options.admit(route, request)
      reads.set(request, { ctx, route, search: searchOf(route, request) })
      if (client.upstream.url === undefined || !client.upstream.breaker.mayTry()) fail('GEO_UNAVAILABLE')
    },
    // What the caller wrote as the path plays no part, however it was spelled.
    handler: (request, reply, _path, hooks) => reply.from(addressOf(client, readOf(request)), hooks),
    replyOptions: {
      method: 'GET',
      getUpstream: () => new URL(client.upstream.url ?? '').origin,
      queryString: (_search, _url, request) => readOf(request as FastifyRequest).search,
      rewriteRequestHeaders: (request) => geoHeaders(readOf(request as FastifyRequest).ctx),
      rewriteHeaders: () => ({}),
      // The breaker decides when the service is asked again.
      retryDelay: () => null,
      onResponse: (request, reply, response) => {
        const from = response as unknown as FromService
        const read = readOf(request as FastifyRequest)
        void answer({ client, read, from, streams, upstream, options }, reply as unknown as FastifyReply)
      },
      onError: (reply, { error }) => sendRefusal(client, readOf(reply.request as FastifyRequest), error, reply as unknown as FastifyReply),
    },
  })
}

/** What reply-from hands on of an answer. */
interface FromService {
  statusCode: number
  headers: OutgoingAnswer['headers']
  stream: OutgoingAnswer['body']
}

function searchOf({ operation }: ProxiedRoute, request: FastifyRequest): string {
  const input = operation.input.parse(mergedInput(request)) as Record<string, unknown>
  const given = Object.entries(operation.proxied.query(input)).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return new URLSearchParams(given).toString()
}

const addressOf = (client: GeoClient, { route }: Read): string =>
  `${new URL(client.upstream.url ?? '').pathname.replace(/\/$/, '')}${route.operation.proxied.path}`

interface Answering {
  client: GeoClient
  read: Read
  from: FromService
  streams: Streams
  upstream: TimedRequest
  options: ProxyOptions
}

async function answer({ client, read, from, streams, upstream, options }: Answering, reply: FastifyReply): Promise<void> {
  const { ctx, route } = read
  const { breaker, maxBytes } = client.upstream
  const length = Number(from.headers['content-length'] ?? Number.NaN)
  const isLarge = from.statusCode === 200 && isJsonAnswer(from) && length > wholeUpTo && length <= maxBytes
  if (isLarge && streams.hasRoom(ctx.user.id)) {
    upstream.hasBegun(from.stream)
    breaker.succeeded()
    const hasLeft = endWithReader(reply, from)
    const pieces = ownRows(from.stream, { companyId: ctx.company.id, broken: (error) => hasLeft() || noteBreak(error, client, read) })
    void reply.status(200).type(json).header('content-length', length).send(streams.open(ctx.user.id, pieces))
    return
  }
  try {
    const text = await readAnswer(ctx, { ...from, body: from.stream })
    breaker.succeeded()
    options.checkAnswer?.(route, { json: text })
    sendAnswer(reply, { json: text }, (rows) => streams.open(ctx.user.id, rows))
  } catch (error) {
    sendRefusal(client, read, error, reply)
  }
}

/** Ends what comes from the service when its reader leaves, also while the service is silent; that is no fault of the service. Tells whether it was so. */
function endWithReader(reply: FastifyReply, { stream }: FromService): () => boolean {
  let isLeft = false
  reply.raw.once('close', () => {
    if (reply.raw.writableFinished) return
    isLeft = true
    stream.destroy()
  })
  return () => isLeft
}

/** The answer has begun: its reader sees the connection break, never half an answer as a whole. */
function noteBreak(error: unknown, { upstream }: GeoClient, { ctx, route }: Read): void {
  upstream.breaker.failed()
  ctx.log.error({ err: error, path: route.operation.proxied.path, company: ctx.company.id }, 'an answer of the geo service was cut off')
}

function sendRefusal(client: GeoClient, { ctx, route }: Read, error: unknown, reply: FastifyReply): void {
  try {
    refuse(error, { ctx, breaker: client.upstream.breaker, path: route.operation.proxied.path })
  } catch (refusal) {
    void reply.send(refusal)
  }
}
