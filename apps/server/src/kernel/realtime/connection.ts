import type { Box } from '@outpost/contract/box'
import type { ServerEventName, ServerEvents } from '@outpost/contract/events'
import type { RawData, WebSocket } from 'ws'
import type { Ctx } from '../types/ctx.ts'

/** Bounds of one socket (security.md D11). */
export const socketLimits = {
  messageBytes: 65_536,
  messagesAMinute: 100,
  socketsAUser: 5,
  queueBytes: 1_048_576,
  pingMs: 30_000,
} as const

/** Close codes: those of the protocol, and our own for a session that is over and for a socket that made room for a newer one (console: data/live.ts). */
export const closeCodes = { notText: 1003, refused: 1008, restarting: 1012, sessionEnded: 4001, madeRoom: 4002 } as const

/** What of the geo service a socket may follow. */
export type Followed = 'positions' | 'events'

export interface Connection {
  /** The rights of the latest check; replaced, never changed. */
  ctx: Ctx
  readonly openedAt: number
  /** What it follows. */
  readonly follows: Set<Followed>
  /** The stretch of the map it looks at, and since when (epoch milliseconds); null: positions from everywhere. */
  view: { box: Box; since: number } | null
  /** False when the socket was too slow and has been cut. */
  send<Name extends ServerEventName>(event: Name, data: ServerEvents[Name]): boolean
  /** The same with data that is JSON already, written once for many sockets. */
  sendJson(event: ServerEventName, json: string): boolean
  end(code: number, reason: string): void
}

export interface ConnectionEvents {
  onMessage: (connection: Connection, text: string) => void
  onClose: (connection: Connection) => void
}

/**
 * One open socket: numbers what it sends, cuts readers that do not keep up (their queue would fill our memory), and
 * closes on floods, binary frames and silence.
 */
export function createConnection(socket: WebSocket, ctx: Ctx, events: ConnectionEvents): Connection {
  let seq = 0
  const connection: Connection = {
    ctx,
    openedAt: Date.now(),
    follows: new Set(),
    view: null,
    send: (event, data) => connection.sendJson(event, JSON.stringify(data)),
    sendJson(event, json) {
      if (socket.readyState !== socket.OPEN) return false
      if (socket.bufferedAmount > socketLimits.queueBytes) {
        socket.terminate()
        return false
      }
      seq += 1
      socket.send(`{"event":${JSON.stringify(event)},"data":${json},"seq":${seq}}`)
      return true
    },
    end: (code, reason) => endSocket(socket, code, reason),
  }
  const mayReceive = createFloodGate()
  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) return socket.close(closeCodes.notText)
    if (!mayReceive()) return socket.close(closeCodes.refused, 'too many messages')
    events.onMessage(connection, String(data))
  })
  const stopPings = keepAlive(socket)
  socket.on('close', () => {
    stopPings()
    events.onClose(connection)
  })
  // A close follows each error; too large a message comes this way, with 1009 already sent.
  socket.on('error', (error) => connection.ctx.log.debug({ err: error }, 'socket'))
  return connection
}

/** A peer that does not answer the close within two seconds is cut. */
function endSocket(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason)
  setTimeout(() => socket.terminate(), 2_000).unref()
}

/** At most so many messages in any window of a minute. */
function createFloodGate(): () => boolean {
  let startedAt = Date.now()
  let count = 0
  return () => {
    if (Date.now() - startedAt >= 60_000) {
      startedAt = Date.now()
      count = 0
    }
    count += 1
    return count <= socketLimits.messagesAMinute
  }
}

function keepAlive(socket: WebSocket): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, socketLimits.pingMs)
  timer.unref()
  return () => clearInterval(timer)
}
