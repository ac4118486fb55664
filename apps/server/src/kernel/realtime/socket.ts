import websocket from '@fastify/websocket'
import { fail, Failure } from '@outpost/contract/errors'
import type { Log } from '@outpost/platform/log'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { requirePermission } from '../session/permission.ts'
import type { SessionServices } from '../session/services.ts'
import { redeemTicket } from '../session/tokens/ticket.ts'
import type { Ctx, MessageDefinition } from '../types.ts'
import { closeCodes, createConnection, socketLimits, type Connection } from './connection.ts'
import type { Hub } from './hub.ts'
import { parseMessage } from './messages.ts'

export interface SocketOptions {
  services: SessionServices
  hub: Hub
  messages: ReadonlyMap<string, MessageDefinition>
  /** Origins whose pages may open a socket, e.g. https://console.example. Programs send none and are let in by their ticket. */
  mayOpen: (origin: string, host: string) => boolean
  log: Log
}

const protocol = 'outpost'
const path = '/api/socket'

/**
 * GET /api/socket. The page offers the protocols `outpost` and `ticket.<one-time ticket>`; origin and ticket are
 * checked before the upgrade, so a refused one gets 403 or 401 and never a socket.
 */
export async function addSocket(app: FastifyInstance, options: SocketOptions): Promise<void> {
  const opened = new WeakMap<FastifyRequest, Ctx>()
  await app.register(websocket, {
    options: { maxPayload: socketLimits.messageBytes, perMessageDeflate: false, handleProtocols: () => protocol },
  })
  app.route({
    method: 'GET',
    url: path,
    websocket: true,
    preValidation: async (request) => void opened.set(request, await openSocket(request, options)),
    handler: (socket: WebSocket, request) => {
      const ctx = opened.get(request)
      if (ctx) welcome(socket, ctx, options)
      else socket.close(closeCodes.refused)
    },
  })
}

async function openSocket(request: FastifyRequest, { services, mayOpen, log }: SocketOptions): Promise<Ctx> {
  const { origin, host = '' } = request.headers
  if (origin !== undefined && !mayOpen(origin, host)) fail('ORIGIN_FORBIDDEN')
  const offered = String(request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
  const ticket = offered.find((name) => name.startsWith('ticket.'))?.slice('ticket.'.length)
  if (!offered.includes(protocol) || ticket === undefined) return fail('NO_SESSION')
  return redeemTicket({ ticket, ip: request.ip, log, requestId: request.id }, services)
}

function welcome(socket: WebSocket, ctx: Ctx, { hub, messages }: SocketOptions): void {
  const connection = createConnection(socket, ctx, {
    onMessage: (from, text) => void answer(from, text, messages),
    onClose: (closed) => hub.remove(closed),
  })
  hub.add(connection)
  connection.send('session', { SessionID: ctx.sessionId })
}

async function answer(connection: Connection, text: string, messages: SocketOptions['messages']): Promise<void> {
  const parsed = parseMessage(text)
  if (parsed.kind === 'foreign') return connection.end(closeCodes.refused, 'not a message of this protocol')
  if (parsed.kind === 'invalid') return void connection.send('error', { code: 'INVALID', message: parsed.text })
  if (parsed.name === 'ping') return
  const { ctx } = connection
  try {
    const definition = messages.get(parsed.name) ?? fail('NOT_CONFIGURED')
    requirePermission(ctx, definition.access)
    await definition.run(ctx, parsed.input, connection)
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure('UNKNOWN')
    if (failure !== error) ctx.log.error({ err: error, message: parsed.name }, 'a socket message failed')
    connection.send('error', { code: failure.failure, message: failure.message })
  }
}
