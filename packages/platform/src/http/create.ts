import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import { errorAnswer, Failure, type ErrorAnswer, type ErrorName } from '@outpost/contract/errors'
import Fastify, { LogController, type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:zlib'
import type { Log } from '../log.ts'
import type { Counters } from './counters.ts'
import { answerHeaders, permissionsPolicy } from './headers.ts'
import { addHealth, type HealthOptions } from './health.ts'
import { acceptJsonOnly } from './json-body.ts'
import { addRequestLog } from './request-log.ts'
import { withRequestId } from '../request-id.ts'
import { limitStore } from './limit-store.ts'
import { addTracing, type TraceOptions } from './tracing.ts'

export interface HttpOptions {
  log: Log
  counters: Counters
  /** Addresses of proxies whose X-Forwarded-* is trusted; never simply true (security.md M8). */
  trustProxy?: readonly string[]
  isHttps?: boolean
  health: HealthOptions
  /** Requests per minute and address; 0 disables it (tests). */
  perAddress?: number
  /** Milliseconds of event-loop lag above which requests are refused with 503; 0 disables it. */
  pressureLagMs?: number
  /** Compresses JSON answers for who accepts it; left out where only other services ask. */
  isCompressed?: boolean
  /** Takes the id of a request from its caller, one of our own programs, so that both logs can be read together. */
  keepsRequestId?: boolean
  /** How long a body may take to arrive on routes other than uploads. */
  bodyTimeoutMs?: number
  /** Where its requests are traced to; default: nowhere. */
  traces?: TraceOptions
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts large files: its body may take minutes. */
    isUpload?: boolean
  }
}

const minute = 60_000

/** Requests a minute that one address may make in all. A route with `rateLimit: false` in its config is not among them. */
export const addressLimit = 3_000

/**
 * The Fastify on which every service is built: limits on size, time and number, headers, request ids, health, metrics, one error shape.
 * Routes registered on it inherit all of it.
 */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1_048_576,
    // Node has one limit for all requests; uploads need this much, the others are checked below.
    requestTimeout: 300_000,
    // A reader that takes nothing for this long holds a cursor and a database connection; sockets are exempt.
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    maxRequestsPerSocket: 1_000,
    forceCloseConnections: 'idle',
    // Requests on an open connection are still answered; the answer closes the connection.
    return503OnClosing: false,
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_000, ignoreDuplicateSlashes: false },
    trustProxy: options.trustProxy?.length ? [...options.trustProxy] : false,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    genReqId: (request) => (options.keepsRequestId === true ? idFrom(request.headers['x-request-id']) : randomUUID()),
    frameworkErrors: (error, request, reply) => {
      const answer = answerFor(error, request.id, options.log)
      // Its type has no per-route answers, so it would accept none.
      void (reply as unknown as FastifyReply).status(answer.status).send(answer)
    },
  }) as unknown as FastifyInstance // the logger's type would otherwise appear in every signature
  if (options.traces) await addTracing(app, options.traces, { isInside: options.keepsRequestId === true })
  nameLogLines(app)
  acceptJsonOnly(app)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = answerFor(error, request.id, options.log)
    if (answer.status === 503) reply.header('retry-after', '2')
    return reply.status(answer.status).send(answer)
  })
  await addHealth(app, options.health)
  await app.register(helmet, answerHeaders({ isHttps: options.isHttps === true }))
  app.addHook('onSend', async (request, reply) => {
    reply.header('permissions-policy', permissionsPolicy).header('x-request-id', request.id)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    if (!options.health.isOpen()) reply.header('connection', 'close')
  })
  if (options.isCompressed) await addCompression(app)
  addRequestLog(app, options.log)
  watchBodies(app, options.bodyTimeoutMs ?? 15_000)
  await addPressure(app, options.pressureLagMs ?? 250)
  await addAddressLimit(app, options)
  return app
}

/**
 * Answers of more than a packet's size travel compressed to who accepts it. Only JSON: files come compressed from disk or are so by
 * nature, and a stream of events may not be held back. Secrets are in no answer that a foreign page can ask for (no cookie is a session).
 */
async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: 1_024,
    encodings: ['br', 'gzip'],
    customTypes: /^application\/json\b/,
    // Quicker than gzip at its default, and smaller.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    zlibOptions: { level: 4 },
  })
}

/** A body is read in the connection's own context, so the request's begins again after it. */
function nameLogLines(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => withRequestId(request.id, done))
  app.addHook('preValidation', (request, _reply, done) => withRequestId(request.id, done))
}

const idFrom = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(header) ? header : randomUUID()

/** Ends requests whose body arrives too slowly (security.md M7); closes the connection with 408. */
function watchBodies(app: FastifyInstance, limitMs: number): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    const hasBody = raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
    if (!hasBody || raw.complete || request.routeOptions.config.isUpload) return
    const timer = setTimeout(() => {
      if (raw.complete) return
      reply.raw.once('finish', () => raw.destroy())
      void reply
        .status(408)
        .header('connection', 'close')
        .send(errorAnswer('BAD_REQUEST', { message: 'The request did not arrive in time.' }, request.id))
    }, limitMs)
    const stop = () => clearTimeout(timer)
    raw.once('end', stop).once('close', stop)
  })
}

async function addPressure(app: FastifyInstance, lagMs: number): Promise<void> {
  if (lagMs === 0) return
  await app.register(underPressure, {
    maxEventLoopDelay: lagMs,
    retryAfter: 2,
    pressureHandler: (request, reply) => {
      // Files and health cost nothing and must not fail under pressure.
      if (!/^\/(api|geo)\//.test(request.url)) return
      reply
        .header('retry-after', '2')
        .status(503)
        .send(errorAnswer('UNAVAILABLE', {}, request.id))
    },
  })
}

async function addAddressLimit(app: FastifyInstance, { counters, perAddress = addressLimit }: HttpOptions): Promise<void> {
  if (perAddress === 0) return
  await app.register(rateLimit, {
    max: perAddress,
    timeWindow: minute,
    store: limitStore(counters),
    keyGenerator: (request) => request.ip,
    errorResponseBuilder: () => new Failure('TOO_MANY_REQUESTS'),
  })
}

/** Fastify's own refusals, as our errors. */
const frameworkErrors: ReadonlyMap<string, ErrorName> = new Map(
  Object.entries({
    FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
    FST_REQ_FILE_TOO_LARGE: 'TOO_LARGE',
    FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
    FST_ERR_NOT_FOUND: 'NOT_FOUND',
    FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
    FST_ERR_BAD_URL: 'BAD_REQUEST',
  }),
)

/** The response to an error that reached Fastify: our failures by name, Fastify's refusals in our shape, else UNKNOWN and a log line. */
export function answerFor(error: unknown, requestId: string, log: Log): ErrorAnswer {
  if (error instanceof Failure) return errorAnswer(error.error, error.more, requestId)
  const { code = '', statusCode = 500 } = (error ?? {}) as { code?: string; statusCode?: number }
  const name = frameworkErrors.get(code) ?? (statusCode >= 400 && statusCode < 500 ? 'BAD_REQUEST' : 'UNKNOWN')
  if (name === 'UNKNOWN') log.error({ err: error, requestId }, 'request failed')
  return errorAnswer(name, {}, requestId)
}
