import { errorAnswer } from '@outpost/contract/errors'
import type { FastifyInstance } from 'fastify'
import { toFailure } from '../failures.ts'
import type { Log } from '../log.ts'

/** Sends errors of a call in the common shape; Fastify's own (body too large, not JSON) go to the app's error handler. */
export function answerFailures(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, request, reply) => {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string' && code.startsWith('FST_')) throw error
    const { error: refusal, more } = toFailure(error, log.child({ requestId: request.id, route: request.routeOptions.url }))
    const body = errorAnswer(refusal, more, request.id)
    if (body.status === 503) reply.header('retry-after', '2')
    if (body.status === 429) reply.header('retry-after', '60')
    return reply.status(body.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
  })
}
