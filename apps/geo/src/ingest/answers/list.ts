import { errorAnswer, type ErrorName } from '@outpost/contract/errors'
import type { FastifyReply } from 'fastify'
import { readBatch } from '../batch/batch.ts'
import { deliverAll, outcomeMessages, type ItemResult } from '../deliver.ts'
import type { Malformed, Reading } from '../report.ts'
import { readTraccarEvents, readTraccarPositions, readTraccarUrl } from '../traccar/forward.ts'
import { parseJson, readSafely, sendMalformed, senderOf, type Call } from './call.ts'

type Readings = { readings: Reading[] } | { malformed: Malformed }

/** Answers our batch format: 200 with the result of each item, in order; 401 or 404 when it applies to all of them. */
export async function answerBatch(call: Call): Promise<unknown> {
  const body = parseJson(call.body)
  if (body === undefined) return sendFailure(call, 'BAD_REQUEST', { field: 'body', message: 'the body must be JSON' })
  const read: Readings = readSafely(() => readBatch(body))
  if ('malformed' in read) return sendFailure(call, 'INVALID', read.malformed)
  const items = await deliverAll(read.readings, senderOf(call, 'batch'), call.delivery)
  if (items.every(({ status }) => status === 'badToken'))
    return sendFailure(call, 'NO_SESSION', { field: 'token', message: outcomeMessages.badToken })
  if (items.every(({ status }) => status === 'unknownDevice'))
    return sendFailure(call, 'NOT_FOUND', { field: 'uniqueId', message: outcomeMessages.unknownDevice })
  return sendItems(call.reply, 200, items)
}

export const answerTraccarPositions = (call: Call) => answerFeed(call, () => readTraccarPositions(parseJson(call.body)))
export const answerTraccarEvents = (call: Call) => answerFeed(call, () => readTraccarEvents(parseJson(call.body)))
export const answerTraccarUrl = (call: Call) => answerFeed(call, () => ({ readings: [readTraccarUrl(call.params)] }))

/**
 * A Traccar server forwards for many devices of the company whose token it sends. 200 only when everything is stored; 202 when some
 * items can never be stored (unknown device, 101). Traccar repeats whatever is not 2xx and drops new positions while more than 100 wait,
 * so one unknown device must not cost the others theirs.
 */
async function answerFeed(call: Call, read: () => Readings): Promise<unknown> {
  if (call.token === null) return sendFailure(call, 'NO_SESSION', { field: 'token', message: outcomeMessages.badToken })
  const result = readSafely(read)
  if ('malformed' in result) return sendMalformed(call.reply, result.malformed)
  const [only] = result.readings
  if (result.readings.length === 1 && only && 'malformed' in only) return sendMalformed(call.reply, only.malformed)
  const items = await deliverAll(result.readings, senderOf(call, 'traccar', { isFeed: true }), call.delivery)
  if (items.some(({ status }) => status === 'badToken'))
    return sendFailure(call, 'NO_SESSION', { field: 'token', message: outcomeMessages.badToken })
  return sendItems(call.reply, items.every(({ status }) => status === 'accepted') ? 200 : 202, items)
}

function sendItems(reply: FastifyReply, status: number, items: readonly ItemResult[]): unknown {
  const accepted = items.filter((item) => item.status === 'accepted').length
  return reply.status(status).send({ success: true, data: { accepted, refused: items.length - accepted, results: items } })
}

function sendFailure({ request, reply }: Call, name: ErrorName, field: Malformed): unknown {
  const answer = errorAnswer(name, { message: field.message, fields: [field] }, request.id)
  return reply.status(answer.status).send(answer)
}
