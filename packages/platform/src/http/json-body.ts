import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { fail, Failure } from '@outpost/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body may come as gzip. Whoever answers calls `openBody` once it is known who asks. */
    takesGzip?: boolean
  }
}

/** A compressed body as it came: nothing of it is inflated for somebody who may not send it. */
class PackedBody {
  readonly open: () => Promise<unknown>
  constructor(open: () => Promise<unknown>) {
    this.open = open
  }
}

/** Only JSON bodies are accepted; an empty one counts as none, whatever its type. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const parse = (request: FastifyRequest, text: string, done: (error: Error | null, body?: unknown) => void): void => {
    if (text === '') done(null, undefined)
    else if (isDeeperThan(text, maxDepth))
      done(new Failure('BAD_REQUEST', { message: `The request holds more than ${maxDepth} levels, one inside the other.` }))
    else void parseJson(request, text, done)
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { config, bodyLimit } = request.routeOptions
    const [bytes, encoding] = [body as Buffer, request.headers['content-encoding']?.toLowerCase() ?? 'identity']
    if (encoding === 'identity') parse(request, bytes.toString(), done)
    else if (encoding === 'gzip' && config.takesGzip === true)
      done(null, new PackedBody(async () => promisify(parse)(request, await inflated(bytes, bodyLimit))))
    else done(new Failure('UNSUPPORTED_TYPE', { message: 'This call does not take a body of that Content-Encoding.' }))
  })
}

/** Reads a body that came compressed, in its place. Throws TOO_LARGE and BAD_REQUEST as the parser of a plain one does. */
export async function openBody(request: FastifyRequest): Promise<void> {
  if (request.body instanceof PackedBody) request.body = await request.body.open()
}

/** The text of gzip bytes; no more than the limit is ever inflated. */
async function inflated(bytes: Buffer, limit: number): Promise<string> {
  const text = await promisify(gunzip)(bytes, { maxOutputLength: limit }).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ERR_BUFFER_TOO_LARGE'
      ? fail('TOO_LARGE')
      : fail('BAD_REQUEST', { message: 'The body is not gzip, as its Content-Encoding says, or it is broken or cut off.' }),
  )
  return text.toString()
}

/** Maximum depth of a JSON body: recursive code would overflow the stack. */
const maxDepth = 64

/** Whether brackets are nested more than this deep; those inside texts do not count. Reads each character once. */
function isDeeperThan(text: string, most: number): boolean {
  let [depth, isText] = [0, false]
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isText) {
      if (character === '\\') at += 1
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > most) return true
  }
  return false
}
