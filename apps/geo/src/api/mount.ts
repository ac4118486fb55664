import { Readable } from 'node:stream'
import { fail } from '@outpost/contract/errors'
import { geoShapes, type GeoCallDefinition } from '@outpost/contract/geo/calls'
import { readerIn, repeatOnConflict, transactionIn } from '@outpost/platform/db/context'
import type { Pools } from '@outpost/platform/db/pool'
import { answerFailures } from '@outpost/platform/http/answer-failures'
import { mergedInput } from '@outpost/platform/http/input'
import type { Log } from '@outpost/platform/log'
import type { DbContext } from '@outpost/platform/types'
import { mayAny } from '@outpost/rules/people/permission'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sealFeedToken } from '../ingest/traccar/feeds.ts'
import type { GeoKeys } from '@outpost/platform/geo-keys'
import { createTokenReader, type Caller } from './token.ts'
import type { Answer, GeoCtx, GeoServices, Handler } from './types.ts'

export interface ApiOptions {
  /** Pool of a role that is subject to row-level security. */
  pool: Pools['app']
  /** Public keys of the server's tokens, and the key that seals feeds' tokens. */
  keys: Pick<GeoKeys, 'tokenKeys' | 'feedKey'>
  /** Hosts in the operator's network that feeds may name. */
  feedHosts?: readonly string[]
  log: Log
  services: GeoServices
  now?: () => number
}

/** A call with its handler. */
export interface AnsweredCall {
  call: GeoCallDefinition
  handler: Handler
}

const json = 'application/json; charset=utf-8'
const shapes: ReadonlyMap<string, RegExp> = new Map(Object.entries(geoShapes))

/**
 * Registers the calls of the geo service; the only place that does. The order of a call: token, permission, path, input, handler, reply.
 * Each statement sets the caller's context in its own transaction.
 */
export async function mountCalls(app: FastifyInstance, calls: readonly AnsweredCall[], options: ApiOptions): Promise<void> {
  const readToken = await createTokenReader({ keys: options.keys.tokenKeys, now: options.now ?? Date.now })
  await app.register(async (scope) => {
    answerFailures(scope, options.log)
    for (const { call, handler } of calls) {
      scope.route({
        method: call.method,
        url: call.path,
        handler: async (request, reply) => {
          const caller = readToken(request.headers.authorization)
          if (!mayAny(caller, call.anyOf)) fail('FORBIDDEN')
          const answer = await run(handler, { caller, options, request })
          return send(reply, answer, call.status)
        },
      })
    }
  })
}

interface Run {
  caller: Caller
  options: ApiOptions
  request: FastifyRequest
}

function run(handler: Handler, { caller, options, request }: Run): Promise<Answer> {
  const input = mergedInput(request)
  for (const name of Object.keys(request.params as object)) {
    const shape = shapes.get(name)
    if (shape && !shape.test(String(input[name]))) fail('INVALID', { fields: [{ field: name, message: 'is not readable' }] })
  }
  const ctx = openCtx(caller, options, request)
  return handler.run(ctx, handler.input.parse(input))
}

function openCtx(
  caller: Caller,
  { pool, keys, feedHosts: hosts = [], log, services, now = Date.now }: ApiOptions,
  { id: requestId }: FastifyRequest,
): GeoCtx {
  const context: DbContext = { company: caller.company, scope: caller.scope, user: caller.user, tenant: caller.tenant }
  return {
    caller,
    context,
    requestId,
    services,
    now,
    log: log.child({ requestId }),
    sql: readerIn(pool, context),
    feeds: { hosts, seal: (feed, token) => sealFeedToken(keys, feed, token) },
    transaction: (work) => repeatOnConflict(() => transactionIn(pool, context, work)),
  }
}

function send(reply: FastifyReply, answer: Answer, usual: number | undefined): FastifyReply {
  if ('json' in answer) return reply.type(json).send(answer.json)
  if ('lines' in answer) return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(answer.lines, { objectMode: false }))
  const { data, meta, status = usual ?? 200 } = answer
  return reply
    .status(status)
    .type(json)
    .send(JSON.stringify({ success: true, data, ...(meta ? { meta } : {}) }))
}
