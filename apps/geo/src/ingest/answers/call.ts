import { errorAnswer } from '@outpost/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Delivered, Delivery, Sender } from '../deliver.ts'
import { malformed, type Malformed } from '../report.ts'
import { readToken } from '../token.ts'
import type { SpeedUnit } from '../values.ts'

/** What every HTTP endpoint for devices works with. */
export interface Line {
  delivery: Delivery
  speedUnit: SpeedUnit
}
export interface Call extends Line {
  request: FastifyRequest
  reply: FastifyReply
  params: URLSearchParams
  body: string
  token: string | null
}
export type Answer = (call: Call) => Promise<unknown>

const retrySeconds = 5

/** Runs a handler. A failing store is the only expected error: the sender keeps its data and retries. */
export async function run(answer: Answer, line: Line, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const params = new URLSearchParams(request.raw.url?.split('?').slice(1).join('?') ?? '')
  const body = typeof request.body === 'string' ? request.body : ''
  try {
    return await answer({ ...line, request, reply, params, body, token: readToken(request.headers, params) })
  } catch (error) {
    request.log.error({ err: error }, 'positions could not be kept')
    return reply
      .status(503)
      .header('retry-after', String(retrySeconds))
      .send(errorAnswer('UNAVAILABLE', {}, request.id))
  }
}

export const senderOf = ({ request, token }: Call, protocol: string, more: Partial<Sender> = {}): Sender => ({
  protocol,
  remote: request.ip,
  token,
  isFeed: false,
  takesCommand: false,
  ...more,
})

export const looksLikeJson = (body: string) => /^\s*[{[]/.test(body)

/** The body as JSON; undefined when it is not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Parses untrusted input: JSON that is nested too deeply to be written back is refused as malformed. */
export function readSafely<Result>(read: () => Result): Result | { malformed: Malformed } {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return malformed('body', 'the body is nested too deeply')
    throw error
  }
}

/** Sends 400 with one line of text that names the field, as phones show it in their log. */
export function sendMalformed(reply: FastifyReply, { message }: Malformed): unknown {
  return sendText(reply, 400, message)
}

/**
 * Sends the reply of a phone's protocol. `good` is sent when the report is stored, and when a position can never be used; then x-refused
 * has the reason.
 */
export function sendDelivered(
  reply: FastifyReply,
  { outcome, refused }: Delivered,
  words: { good: string; unknownStatus: number },
): unknown {
  if (outcome === 'unknownDevice') return sendText(reply, words.unknownStatus, 'No device with this identifier is registered.')
  if (outcome === 'badToken') return sendText(reply, 401, 'The token is missing or wrong.')
  const [first] = refused
  if (first) reply.header('x-refused', `${first.code} ${first.message}`)
  return words.good.startsWith('[') ? reply.status(200).type('application/json').send(words.good) : sendText(reply, 200, words.good)
}

const sendText = (reply: FastifyReply, status: number, text: string) => reply.status(status).type('text/plain; charset=utf-8').send(text)
