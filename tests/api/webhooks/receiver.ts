import { createHmac } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: Record<string, string>
  text: string
  body: {
    id: string
    event: string
    time: string
    company: { Id: string; name: string }
    recordId: string
    move: { field: string; from: string; to: string } | null
    record: Record<string, unknown> | null
  }
}

/** Another system that hears: keeps what it got and answers as `answer` says, by default 200. */
export async function startReceiver() {
  const received: Received[] = []
  let answer: (got: Received, response: ServerResponse) => void = (_, response) => void response.end('ok')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const got = {
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        text,
        body: JSON.parse(text) as Received['body'],
      }
      received.push(got)
      answer(got, response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answers: (how: typeof answer) => void (answer = how),
    clear: () => {
      received.length = 0
      answer = (_, response) => void response.end('ok')
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  }
}

/** Whether a message is signed with the secret, as the Standard Webhooks scheme says. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const mac = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`).digest('base64')
  const isFresh = Math.abs(Date.now() / 1_000 - Number(headers['webhook-timestamp'])) < 300
  return isFresh && (headers['webhook-signature'] ?? '').split(' ').includes(`v1,${mac}`)
}
