import type { FastifyRequest } from 'fastify'
import type { RequestFacts, Route, UploadPart } from './types.ts'

/** What auth and uploads look at beside ctx and input. */
export function factsOf(request: FastifyRequest, { options }: Pick<Route, 'options'>): RequestFacts {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
  return {
    ip: request.ip,
    userAgent: headers['user-agent'] ?? '',
    origin: headers.origin,
    host: request.host,
    cookies: (request as { cookies?: Record<string, string | undefined> }).cookies ?? {},
    headers,
    ...(options.upload && request.isMultipart?.() === true ? { files: () => filesOf(request) } : {}),
  }
}

async function* filesOf(request: FastifyRequest): AsyncGenerator<UploadPart> {
  for await (const part of request.files()) {
    yield { fieldName: part.fieldname, fileName: part.filename, mimeType: part.mimetype, body: part.file }
  }
}
