import { errorAnswer, type ErrorName } from '@outpost/contract/errors'
import type { FastifyReply } from 'fastify'
import { readBatch } from '../batch/batch.ts'
import { deliverAll, outcomeWords, type ItemResult } from '../deliver.ts'
import type { Malformed, Reading } from '../report.ts'
import { readTraccarEvents, readTraccarPositions, readTraccarUrl } from '../traccar/forward.ts'
import { parseJson, readSafely, sayMalformed, senderOf, type Call } from './call.ts'

type Readings = { readings: Reading[] } | { malformed: Malformed }

/** Our batch: 200 with what became of each item, in order; 401 or 404 when it holds for all of them. */
export async function answerBatch(call: Call): Promise<unknown> {
  const body = parseJson(call.body)
  if (body === undefined) return sayFailure(call, 'BAD_REQUEST', { field: 'body', message: 'the body must be JSON' })
  const read: Readings = readSafely(() => readBatch(body))
  if ('malformed' in read) return sayFailure(call, 'INVALID', read.malformed)
  const items = await deliverAll(read.readings, senderOf(call, 'batch'), call.delivery)
  if (items.every(({ status }) => status === 'badToken')) return sayFailure(call, 'NO_SESSION', { field: 'token', message: outcomeWords.badToken })
  if (items.every(({ status }) => status === 'unknownDevice')) return sayFailure(call, 'NOT_FOUND', { field: 'uniqueId', message: outcomeWords.unknownDevice })
  return sayItems(call.reply, 200, items)
}

export const answerTraccarPositions = (call: Call) => answerFeed(call, () => readTraccarPositions(parseJson(call.body)))
export const answerTraccarEvents = (call: Call) => answerFeed(call, () => readTraccarEvents(parseJson(call.body)))
export const answerTraccarUrl = (call: Call) => answerFeed(call, () => ({ readings: [readTraccarUrl(call.params)] }))

/**
 * A Traccar server forwards for many devices of the company whose token it shows. 200 only when everything is kept; 202
 * when some of it never can be (unknown device, 101): Traccar repeats whatever is not 2xx and drops new positions while
 * more than 100 wait, so one unknown device must not cost the others theirs.
 */
async function answerFeed(call: Call, read: () => Readings): Promise<unknown> {
  if (call.token === null) return sayFailure(call, 'NO_SESSION', { field: 'token', message: outcomeWords.badToken })
  const result = readSafely(read)
  if ('malformed' in result) return sayMalformed(call.reply, result.malformed)
  const [only] = result.readings
  if (result.readings.length === 1 && only && 'malformed' in only) return sayMalformed(call.reply, only.malformed)
  const items = await deliverAll(result.readings, senderOf(call, 'traccar', { isFeed: true }), call.delivery)
  if (items.some(({ status }) => status === 'badToken')) return sayFailure(call, 'NO_SESSION', { field: 'token', message: outcomeWords.badToken })
  return sayItems(call.reply, items.every(({ status }) => status === 'accepted') ? 200 : 202, items)
}

function sayItems(reply: FastifyReply, status: number, items: readonly ItemResult[]): unknown {
  const accepted = items.filter((item) => item.status === 'accepted').length
  return reply.status(status).send({ success: true, data: { accepted, refused: items.length - accepted, results: items } })
}

function sayFailure({ request, reply }: Call, name: ErrorName, field: Malformed): unknown {
  const answer = errorAnswer(name, { message: field.message, fields: [field] }, request.id)
  return reply.status(answer.status).send(answer)
}
