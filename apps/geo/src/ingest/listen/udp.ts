import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { LRUCache } from 'lru-cache'
import { createDeviceSession, type DeviceSession } from './device-session.ts'
import type { IngestServices } from './services.ts'
import type { Codec } from '../codec.ts'
import type { Listener } from './tcp.ts'

export interface UdpOptions {
  codec: Codec
  isMirror?: boolean
  /** Datagrams a second per address; further ones are not read. */
  perSecond?: number
}

/** A device that is silent for this long must identify itself again. */
const idleMs = 1_800_000
const maxSessions = 50_000

/**
 * Listens for datagrams. Replies go to the sender's address. A session that ends is forgotten; the next datagram starts another. Rejects
 * when the port is taken.
 */
export async function listenUdp(
  ingestServices: IngestServices,
  { port, host }: { port: number; host: string },
  { codec, isMirror = false, perSecond = 2_000 }: UdpOptions,
): Promise<Listener> {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: 4_194_304 })
  const sessions = new LRUCache<string, DeviceSession>({
    max: maxSessions,
    ttl: idleMs,
    updateAgeOnGet: true,
    ttlAutopurge: false,
    dispose: (session) => session.close(),
  })
  const isTooMuch = perSecondLimit(perSecond)
  await new Promise<void>((done, refuse) => {
    socket.once('error', refuse)
    socket.bind({ port, address: host }, () => {
      socket.off('error', refuse)
      done()
    })
  })
  socket.on('error', (error) => ingestServices.log.error({ err: error, port }, 'a port for devices fails'))
  let isOpen = true
  socket.on('message', (bytes, from) => {
    if (!isOpen || isTooMuch(from.address, ingestServices.now()) || ingestServices.writer.isFull()) return
    const session =
      sessions.get(keyOf(from)) ??
      rememberSession(
        sessions,
        from,
        createDeviceSession(
          ingestServices,
          sessionOptions(socket, from, { codec, isMirror, end: () => void sessions.delete(keyOf(from)) }),
        ),
      )
    const frames = codec.readDatagram?.(bytes, ingestServices.now(), session.known() ?? undefined) ?? []
    session.take(frames).catch((error: unknown) => ingestServices.log.warn({ err: error }, 'a datagram was not heard'))
  })
  return {
    port: socket.address().port,
    sockets: () => sessions.size,
    close: async (limitMs = 10_000) => {
      isOpen = false
      const all = Promise.all([...sessions.values()].map((session) => session.settled()))
      await Promise.race([all, new Promise((done) => setTimeout(done, limitMs).unref())])
      sessions.clear()
      await new Promise<void>((done) => socket.close(() => done()))
    },
  }
}

const keyOf = ({ address, port }: RemoteInfo) => `${address}:${port}`

function rememberSession(sessions: LRUCache<string, DeviceSession>, from: RemoteInfo, session: DeviceSession): DeviceSession {
  sessions.set(keyOf(from), session)
  return session
}

const sessionOptions = (socket: Socket, from: RemoteInfo, line: { codec: Codec; isMirror: boolean; end: () => void }) => ({
  ...line,
  remote: keyOf(from),
  send: (bytes: Uint8Array) => socket.send(bytes, from.port, from.address, () => undefined),
})

/** Counts per address within each second. */
function perSecondLimit(most: number): (address: string, now: number) => boolean {
  let second = 0
  let counts = new Map<string, number>()
  return (address, now) => {
    const at = Math.trunc(now / 1_000)
    if (at !== second) [second, counts] = [at, new Map()]
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    return count > most
  }
}
