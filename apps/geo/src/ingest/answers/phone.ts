import type { FastifyRequest } from 'fastify'
import { deliver } from '../deliver.ts'
import { isOsmandJson, readOsmandJson } from '../osmand/json.ts'
import { readOsmandQuery } from '../osmand/query.ts'
import { isOwnTracks, readOwnTracks } from '../owntracks/owntracks.ts'
import { looksLikeJson, parseJson, readSafely, sendDelivered, sendMalformed, senderOf, type Call } from './call.ts'

/** Answers OsmAnd's query or form; the body of the reply is the pending command, if any. */
export async function answerOsmand(call: Call): Promise<unknown> {
  const { params, body, delivery, speedUnit, reply } = call
  const reading = readOsmandQuery(new URLSearchParams([...params, ...new URLSearchParams(body)]), delivery.now(), speedUnit)
  if ('malformed' in reading) return sendMalformed(reply, reading.malformed)
  const delivered = await deliver(reading.report, senderOf(call, 'osmand', { takesCommand: true }), delivery)
  return sendDelivered(reply, delivered, { good: delivered.command ?? '', unknownStatus: 400 })
}

/** Answers any POST of a phone: Traccar Client's JSON, OwnTracks, else a form. */
export async function answerPhone(call: Call): Promise<unknown> {
  if (!looksLikeJson(call.body)) return answerOsmand(call)
  const body = parseJson(call.body)
  if (isOwnTracks(body)) return answerOwnTracks(call, body)
  if (!isOsmandJson(body))
    return sendMalformed(call.reply, {
      field: 'body',
      message: 'the body must be JSON with device_id and location, or a message of OwnTracks',
    })
  const reading = readSafely(() => readOsmandJson(body, call.delivery.now()))
  if ('malformed' in reading) return sendMalformed(call.reply, reading.malformed)
  return sendDelivered(call.reply, await deliver(reading.report, senderOf(call, 'osmand'), call.delivery), { good: '', unknownStatus: 404 })
}

/** OwnTracks reads the reply as a list of messages; ours is empty. */
async function answerOwnTracks(call: Call, body: Record<string, unknown>): Promise<unknown> {
  const reading = readOwnTracks(body, userAndDevice(call.request, call.params))
  if ('malformed' in reading) return sendMalformed(call.reply, reading.malformed)
  if ('ignored' in reading) return call.reply.status(200).send([])
  return sendDelivered(call.reply, await deliver(reading.report, senderOf(call, 'owntracks'), call.delivery), {
    good: '[]',
    unknownStatus: 400,
  })
}

/** The identity outside the message: `?u=&d=` or X-Limit-U and X-Limit-D. */
function userAndDevice({ headers }: FastifyRequest, params: URLSearchParams): string | null {
  const user = params.get('u') ?? headers['x-limit-u']
  const device = params.get('d') ?? headers['x-limit-d']
  return typeof user === 'string' && typeof device === 'string' ? `owntracks/${user}/${device}` : null
}
