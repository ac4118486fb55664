import type { FastifyInstance } from 'fastify'
import { run, type Answer, type Line } from './answers/call.ts'
import { answerBatch, answerTraccarEvents, answerTraccarPositions, answerTraccarUrl } from './answers/list.ts'
import { answerOsmand, answerPhone } from './answers/phone.ts'
import type { Store } from './store.ts'
import type { SpeedUnit } from './values.ts'

export interface IngestOptions {
  store: Store
  /** Epoch milliseconds. */
  now?: () => number
  /** Unit of `speed` in OsmAnd's query form; Traccar Client sends knots. */
  speedUnit?: SpeedUnit
}

/** Bytes of 1,000 rich positions. */
const longestBody = 4_194_304

/**
 * The ways in over HTTP, a plugin of Fastify: `/` for phones (OsmAnd query, form and JSON, OwnTracks), `/ingest/*` by
 * name. A phone keeps what is not answered with 200 and sends it again before anything newer. So 200 also answers a
 * place that can never be used (counted, and said in the header x-refused); 400, 401 and 404 are for what an operator
 * must mend, 503 for what could not be kept. Nothing is answered before it is committed.
 */
export async function ingestRoutes(app: FastifyInstance, options: IngestOptions): Promise<void> {
  const line: Line = { delivery: { store: options.store, now: options.now ?? Date.now }, speedUnit: options.speedUnit ?? 'kn' }
  // Traccar's configuration may overwrite the type and phones send forms: what the body begins with decides.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  const on = (method: 'GET' | 'POST', url: string, answer: Answer) => app.route({
    method, url, bodyLimit: longestBody, exposeHeadRoute: false, handler: (request, reply) => run(answer, line, request, reply),
  })
  for (const url of ['/', '/ingest/osmand']) {
    on('GET', url, answerOsmand)
    on('POST', url, answerPhone)
  }
  on('POST', '/ingest/owntracks', answerPhone)
  on('POST', '/ingest/positions', answerBatch)
  on('GET', '/ingest/traccar/positions', answerTraccarUrl)
  on('POST', '/ingest/traccar/positions', answerTraccarPositions)
  on('POST', '/ingest/traccar/events', answerTraccarEvents)
}
