import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface Span {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number; message?: string }
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** A collector: takes OTLP as JSON and keeps what came. */
export async function startCollector() {
  const received: string[] = []
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      received.push(`${request.url} ${(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8')}`)
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const spans = (): Span[] =>
    received.flatMap((one) => {
      const { resourceSpans } = JSON.parse(one.slice(one.indexOf(' '))) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    })
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type Collector = Awaited<ReturnType<typeof startCollector>>

/** The attributes of a span by name. */
export const told = ({ attributes }: Span) =>
  new Map(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))
