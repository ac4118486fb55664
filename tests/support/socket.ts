import { WebSocket } from 'ws'
import type { SignedInClient } from './app.ts'
import { until } from './until.ts'

export interface Heard {
  event: string
  data: Record<string, unknown>
  seq: number
}
export interface TestSocket {
  socket: WebSocket
  heard: Heard[]
  /** The close code once it is closed. */
  closed: { code?: number }
  send(event: string, data?: object): void
  /** The first message of that event that fits; waits for it. */
  next(event: string, fits?: (data: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  isClosed(limitMs?: number): Promise<number>
}

/** Opens a socket for a signed-in client with a fresh ticket; the app must listen. */
export async function openSocket(url: string, client: SignedInClient, options: { origin?: string } = {}): Promise<TestSocket> {
  const { body } = await client.post<{ ticket: string }>('/api/auth/ticket', {})
  return dial(url, ['outpost', `ticket.${body.data.ticket}`], options)
}

/** Opens a socket with any protocols; rejects with the HTTP status when the upgrade is refused. */
export function dial(url: string, protocols: string[], options: { origin?: string } = {}): Promise<TestSocket> {
  return new Promise((done, refuse) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/socket`, protocols, options)
    const heard: Heard[] = []
    const closed: { code?: number } = {}
    socket.on('message', (data) => heard.push(JSON.parse(String(data)) as Heard))
    socket.on('close', (code) => {
      closed.code = code
    })
    socket.on('unexpected-response', (_request, response) => refuse(new Error(`refused ${response.statusCode}`)))
    socket.on('error', refuse)
    socket.on('open', () =>
      done({
        socket,
        heard,
        closed,
        send: (event, data = {}) => socket.send(JSON.stringify({ event, data })),
        next: async (event, fits = () => true) => {
          const find = () => heard.find((one) => one.event === event && fits(one.data))
          await until(() => find() !== undefined)
          return find()?.data ?? {}
        },
        isClosed: async (limitMs) => {
          await until(() => closed.code !== undefined, limitMs)
          return closed.code ?? 0
        },
      }),
    )
  })
}
