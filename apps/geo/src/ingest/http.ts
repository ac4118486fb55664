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

/** Bytes of 1,000 positions with many attributes. */
const maxBody = 4_194_304

/**
 * The HTTP endpoints for devices, a Fastify plugin: `/` for phones (OsmAnd query, form and JSON, OwnTracks), `/ingest/*` by name. A
 * phone keeps what is not answered with 200 and sends it again before anything newer. So 200 also answers a position that can never be
 * used (counted, and reported in the header x-refused). 400, 401 and 404 are for what an operator must fix, 503 for what could not be
 * stored. Nothing is answered before it is committed.
 */
export async function ingestRoutes(app: FastifyInstance, options: IngestOptions): Promise<void> {
  const line: Line = { delivery: { store: options.store, now: options.now ?? Date.now }, speedUnit: options.speedUnit ?? 'kn' }
  // Traccar's configuration may override the content type and phones send forms, so the start of the body decides.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  const on = (method: 'GET' | 'POST', url: string, answer: Answer) =>
    app.route({
      method,
      url,
      bodyLimit: maxBody,
      exposeHeadRoute: false,
      handler: (request, reply) => run(answer, line, request, reply),
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
