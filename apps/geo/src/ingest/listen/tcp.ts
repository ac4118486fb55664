import { setTimeout as wait } from 'node:timers/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { behindProxies } from './behind-proxies.ts'
import { createDeviceSession, type DeviceSession } from './device-session.ts'
import type { IngestServices } from './services.ts'
import { frameReader } from './frames.ts'
import type { Codec } from '../codec.ts'

export interface TcpOptions {
  codec: Codec
  isMirror?: boolean
  /** A tracker that is silent for this long is disconnected. */
  idleMs?: number
  /** A connection without identity is closed after this long, however much it sends. */
  unknownDeviceMs?: number
  /** Open sockets per address; a mobile network puts many trackers behind one. */
  perAddress?: number
  maxSockets?: number
  /** Frames a second per connection; faster ones wait in the network. */
  perSecond?: number
  /** Balancers that send a PROXY protocol header. */
  proxies?: readonly string[]
  /** How long they may take for it. */
  headerMs?: number
}

export interface Listener {
  port: number
  sockets(): number
  /** Accepts no more; waits for commits in progress, at most limitMs, and ends the connections. */
  close(limitMs?: number): Promise<void>
}

/** Uncommitted frames of one connection at which reading pauses. */
const maxPending = 200

interface ListenerState {
  ingestServices: IngestServices
  options: Required<TcpOptions>
  byAddress: Map<string, number>
  sessions: Map<Socket, DeviceSession>
}

/** Listens for devices; rejects when the port is taken. */
export async function listenTcp(
  ingestServices: IngestServices,
  { port, host }: { port: number; host: string },
  options: TcpOptions,
): Promise<Listener> {
  const all = {
    isMirror: false,
    idleMs: 1_800_000,
    unknownDeviceMs: 60_000,
    perAddress: 2_000,
    maxSockets: 20_000,
    perSecond: 500,
    proxies: [],
    headerMs: 5_000,
    ...options,
  }
  const state: ListenerState = { ingestServices, options: all, byAddress: new Map(), sessions: new Map() }
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 120_000 }, (socket) => accept(state, socket))
  const endWaiting = behindProxies(server, { ...all, log: ingestServices.log })
  server.maxConnections = all.maxSockets
  await new Promise<void>((done, refuse) => server.once('error', refuse).listen({ port, host, backlog: 1_024 }, done))
  server.on('error', (error) => ingestServices.log.error({ err: error, port }, 'a port for devices fails'))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    sockets: () => state.sessions.size,
    close: (limitMs = 10_000) => {
      endWaiting()
      return close(server, state, limitMs)
    },
  }
}

function accept(state: ListenerState, socket: Socket): void {
  const { options, byAddress, ingestServices } = state
  const address = socket.remoteAddress ?? ''
  const open = (byAddress.get(address) ?? 0) + 1
  // Socket errors are not logged: networks cut connections all day.
  socket.on('error', () => socket.destroy())
  if (address === '' || open > options.perAddress) return void socket.destroy()
  byAddress.set(address, open)
  const session = createDeviceSession(ingestServices, {
    codec: options.codec,
    isMirror: options.isMirror,
    remote: `${address}:${socket.remotePort ?? 0}`,
    send: (bytes) => {
      if (socket.writable) socket.write(bytes)
    },
    end: () => socket.destroySoon(),
  })
  state.sessions.set(socket, session)
  socket.setTimeout(options.idleMs, () => socket.destroy())
  const unknownTimer = setInterval(() => closeUnidentified(options, socket, session), options.unknownDeviceMs)
  socket.once('close', () => {
    clearInterval(unknownTimer)
    session.close()
    state.sessions.delete(socket)
    if (byAddress.get(address) === 1) byAddress.delete(address)
    else byAddress.set(address, (byAddress.get(address) ?? 1) - 1)
  })
  read(state, socket, session)
}

/** Closes a connection without a device: it never had one, or its device no longer exists. A mirror waits for a login. */
function closeUnidentified({ isMirror }: TcpOptions, socket: Socket, session: DeviceSession): void {
  if (!isMirror && !session.known()) socket.destroy()
}

/** Reads chunks in order; stops reading while the connection's frames wait for the database. */
function read({ ingestServices, options }: ListenerState, socket: Socket, session: DeviceSession): void {
  const reader = frameReader(options.codec)
  let queue = Promise.resolve()
  let isWaiting = false
  const pace = rateLimitOf(options.perSecond)
  const hear = async (chunk: Uint8Array) => {
    // A device that reconnects because no acknowledgement came repeats its data; these must not add up in memory.
    if (ingestServices.writer.isFull()) await Promise.race([ingestServices.writer.room(), closed(socket)])
    if (socket.destroyed) return
    const frames = reader.push(chunk, ingestServices.now(), session.known() ?? undefined)
    await session.take(frames)
    await pace(frames.length)
    if (session.pending() > maxPending || ingestServices.writer.isFull())
      await Promise.race([Promise.all([session.settled(), ingestServices.writer.room()]), closed(socket)])
  }
  socket.on('data', (chunk: Uint8Array) => {
    socket.pause()
    isWaiting = true
    queue = queue
      .then(() => hear(chunk))
      .then(
        () => {
          isWaiting = false
          if (!socket.destroyed) socket.resume()
        },
        (error: unknown) => {
          ingestServices.log.warn({ err: error }, 'a line was ended')
          socket.destroy()
        },
      )
  })
  // The device closed its side; frames it sent are still acknowledged.
  socket.on('end', () => void queue.then(() => (isWaiting ? undefined : session.settled())).finally(() => socket.destroySoon()))
}

/** Pauses a sender that exceeds its rate until the second is over. */
function rateLimitOf(perSecond: number): (count: number) => Promise<void> {
  let [since, sum] = [0, 0]
  return async (count) => {
    const now = performance.now()
    if (now - since >= 1_000) [since, sum] = [now, 0]
    sum += count
    if (sum > perSecond) await wait((1_000 * sum) / perSecond - (now - since))
  }
}

const closed = (socket: Socket) => new Promise<void>((done) => (socket.destroyed ? done() : socket.once('close', () => done())))

async function close(server: Server, { sessions }: ListenerState, limitMs: number): Promise<void> {
  const isClosed = new Promise<void>((done) => server.close(() => done()))
  // The server closes a moment before its last sockets report it, and only then are their devices offline.
  const areGone = Promise.all([...sessions.keys()].map((socket) => new Promise((done) => socket.once('close', done))))
  for (const socket of sessions.keys()) socket.pause()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, limitMs)
  })
  await Promise.race([late, Promise.all([...sessions.values()].map((session) => session.settled()))])
  clearTimeout(timer)
  for (const socket of sessions.keys()) socket.destroySoon()
  const end = setTimeout(() => {
    for (const socket of sessions.keys()) socket.destroy()
  }, 500)
  await Promise.all([isClosed, areGone])
  clearTimeout(end)
}
