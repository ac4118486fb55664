import type { Readable } from 'node:stream'
import type {} from '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import type { Envelope } from '@outpost/contract/envelope'
import type { Answer, CookieChange } from './types.ts'

const json = 'application/json; charset=utf-8'
/** Rows are sent in pieces of about this many characters. */
const pieceSize = 65_536

/** Sends what an operation gave back, in the one shape of good answers; open makes a stream of the pieces of a large one. */
export function sendAnswer(reply: FastifyReply, answer: Answer, open: (pieces: AsyncIterable<string>) => Readable): FastifyReply {
  for (const cookie of 'cookies' in answer ? (answer.cookies ?? []) : []) setCookie(reply, cookie)
  if ('json' in answer)
    return reply
      .status(answer.status ?? 200)
      .headers(answer.headers ?? {})
      .type(json)
      .send(answer.json)
  if ('redirect' in answer) return reply.redirect(answer.redirect, 302)
  if ('text' in answer)
    return reply
      .status(answer.text.status ?? 200)
      .headers(answer.text.headers ?? {})
      .type(answer.text.type)
      .send(answer.text.text)
  if ('rows' in answer) return reply.type(json).send(open(pieces(answer)))
  if ('file' in answer) return sendFile(reply, answer.file)
  const { data, meta, message, status = 200, headers = {} } = answer
  const envelope: Envelope = { success: true, data, ...(meta ? { meta } : {}), ...(message === undefined ? {} : { message }) }
  // A 304 has no body.
  return reply
    .status(status)
    .headers(headers)
    .type(json)
    .send(status === 304 ? '' : toJson(envelope))
}

/** JSON of values that a program handed over: counters and money are numbers on the wire. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, function wire(this: Record<string, unknown>, key, part: unknown) {
    if (typeof part === 'bigint') return Number(part)
    return isDecimal(this[key]) ? Number(part) : part
  })
}

// Prisma's Decimal would write itself as text; it is recognised by this method, which no other value here has.
const isDecimal = (value: unknown) => typeof value === 'object' && value !== null && 'toDecimalPlaces' in value

function sendFile(
  reply: FastifyReply,
  { name, mimeType, size, body, inline, isForEver }: Extract<Answer, { file: unknown }>['file'],
): FastifyReply {
  const plainName = name.replace(/[^\w.() -]/g, '_')
  reply.header(
    'content-disposition',
    `${inline ? 'inline' : 'attachment'}; filename="${plainName}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  )
  reply.header('x-content-type-options', 'nosniff').header('content-security-policy', "default-src 'none'; sandbox")
  if (size !== undefined) reply.header('content-length', size)
  if (isForEver) reply.header('cache-control', 'public, max-age=31536000, immutable')
  return reply.type(mimeType).send(body)
}

function setCookie(reply: FastifyReply, { name, value, maxAgeSeconds, path }: CookieChange): void {
  const isSecure = name.startsWith('__Host-') || reply.request.protocol === 'https'
  const common = { path, httpOnly: true, sameSite: 'strict' as const, secure: isSecure }
  if (value === null) void reply.clearCookie(name, common)
  else void reply.setCookie(name, value, { ...common, ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }) })
}

/** The envelope of a streamed list; a failure midway breaks the connection, so half a list is never taken for a whole. */
async function* pieces({ rows, many, meta }: Extract<Answer, { rows: unknown }>): AsyncGenerator<string> {
  let piece = `{"success":true,"data":{${JSON.stringify(many)}:[`
  let isFirst = true
  for await (const row of rows) {
    piece += isFirst ? row : `,${row}`
    isFirst = false
    if (piece.length < pieceSize) continue
    yield piece
    piece = ''
  }
  yield `${piece}]},"meta":${JSON.stringify(meta)}}`
}
