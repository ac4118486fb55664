import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'
import { countRequest } from './metrics.ts'

/**
 * One log line and one count per request, by the route's pattern: path parameters and queries may contain secrets (legacy refresh, reset
 * links), so the address itself is never logged.
 */
export function addRequestLog(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '(unknown)'
    const ms = Math.round(reply.elapsedTime)
    countRequest({ method: request.method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 })
    log.info({ requestId: request.id, method: request.method, route, status: reply.statusCode, ms, ip: request.ip }, 'request')
  })
}
