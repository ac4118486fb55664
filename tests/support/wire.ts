import type { FastifyInstance } from 'fastify'
import supertest from 'supertest'
import { png, type FormFile } from './form.ts'

/** Calls over a real connection, as a browser makes them: forms, cookies that are kept, compressed answers. */
export interface Wire {
  /** The address; the server listens from the first call on. */
  url(): Promise<string>
  /** Sends a form of these fields and files; lists are said once for each value. */
  upload(path: string, form: WireForm): Promise<supertest.Response>
  /** A browser of its own, which keeps its cookies. */
  browser(): Promise<ReturnType<typeof supertest.agent>>
}

interface WireForm {
  fields: Record<string, unknown>
  files?: readonly FormFile[] | undefined
  headers: Record<string, string>
}

export function createWire(http: FastifyInstance): Wire {
  let listening: Promise<string> | undefined
  const url = () => (listening ??= http.listen({ host: '127.0.0.1', port: 0 }))
  return {
    url,
    browser: async () => supertest.agent(await url()),
    upload: async (path, { fields, files = [{ name: 'probe.png', bytes: png }], headers }) => {
      const call = supertest(await url())
        .post(path)
        .set({ 'user-agent': 'lightMyRequest', ...headers })
        .ok(() => true)
        .buffer(true)
        .parse(readAll)
      for (const [key, value] of Object.entries(fields))
        for (const one of Array.isArray(value) ? value : [value])
          void call.field(key, typeof one === 'object' && one !== null ? JSON.stringify(one) : String(one))
      for (const { name, bytes, field = 'file' } of files) void call.attach(field, Buffer.from(bytes), name)
      return call
    },
  }
}

/** The body as bytes, whatever its type. */
function readAll(answer: supertest.Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = []
  const stream = answer as unknown as NodeJS.ReadableStream
  stream.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)))
  stream.on('error', (error: Error) => done(error, Buffer.alloc(0)))
  stream.on('end', () => done(null, Buffer.concat(chunks)))
}
