import { setTimeout as wait } from 'node:timers/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { createDeviceSession, type DeviceSession, type IngestServices } from './device-session.ts'
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
  mostSockets?: number
  /** Frames a second per connection; faster ones wait in the network. */
  perSecond?: number
}

export interface Listener {
  port: number
  sockets(): number
  /** Accepts no more; waits for commits in progress, at most limitMs, and ends the connections. */
  close(limitMs?: number): Promise<void>
}

/** Uncommitted frames of one connection at which reading pauses. */
const maxPending = 200

interface ListenerState { ingestServices: IngestServices, options: Required<TcpOptions>, byAddress: Map<string, number>, talks: Map<Socket, DeviceSession> }

/** Listens for devices; rejects when the port is taken. */
export async function listenTcp(ingestServices: IngestServices, { port, host }: { port: number, host: string }, options: TcpOptions): Promise<Listener> {
  const all = { isMirror: false, idleMs: 1_800_000, unknownDeviceMs: 60_000, perAddress: 2_000, mostSockets: 20_000, perSecond: 500, ...options }
  const standing: ListenerState = { ingestServices, options: all, byAddress: new Map(), talks: new Map() }
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 120_000 }, (socket) => accept(standing, socket))
  server.maxConnections = all.mostSockets
  await new Promise<void>((done, refuse) => server.once('error', refuse).listen({ port, host, backlog: 1_024 }, done))
  server.on('error', (error) => ingestServices.log.error({ err: error, port }, 'a port for devices fails'))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    sockets: () => standing.talks.size,
    close: (limitMs = 10_000) => close(server, standing, limitMs),
  }
}

function accept(standing: ListenerState, socket: Socket): void {
  const { options, byAddress, ingestServices } = standing
  const address = socket.remoteAddress ?? ''
  const open = (byAddress.get(address) ?? 0) + 1
  // Socket errors are not logged: networks cut connections all day.
  socket.on('error', () => socket.destroy())
  if (address === '' || open > options.perAddress) return void socket.destroy()
  byAddress.set(address, open)
  const talk = createDeviceSession(ingestServices, {
    codec: options.codec, isMirror: options.isMirror, remote: `${address}:${socket.remotePort ?? 0}`,
    send: (bytes) => { if (socket.writable) socket.write(bytes) },
    end: () => socket.destroySoon(),
  })
  standing.talks.set(socket, talk)
  socket.setTimeout(options.idleMs, () => socket.destroy())
  const unknownTimer = setInterval(() => closeUnidentified(options, socket, talk), options.unknownDeviceMs)
  socket.once('close', () => {
    clearInterval(unknownTimer)
    talk.close()
    standing.talks.delete(socket)
    if (byAddress.get(address) === 1) byAddress.delete(address)
    else byAddress.set(address, (byAddress.get(address) ?? 1) - 1)
  })
  read(standing, socket, talk)
}

/** Closes a connection without a device: it never had one, or its device no longer exists. A mirror waits for a login. */
function closeUnidentified({ isMirror }: TcpOptions, socket: Socket, talk: DeviceSession): void {
  if (!isMirror && !talk.known()) socket.destroy()
}

/** Reads chunks in order; stops reading while the connection's frames wait for the database. */
function read({ ingestServices, options }: ListenerState, socket: Socket, talk: DeviceSession): void {
  const reader = frameReader(options.codec)
  let queue = Promise.resolve()
  let isWaiting = false
  const pace = rateLimitOf(options.perSecond)
  const hear = async (chunk: Uint8Array) => {
    // A device that reconnects because no acknowledgement came repeats its data; these must not add up in memory.
    if (ingestServices.writer.isFull()) await Promise.race([ingestServices.writer.room(), closed(socket)])
    if (socket.destroyed) return
    const frames = reader.push(chunk, ingestServices.now(), talk.known() ?? undefined)
    await talk.take(frames)
    await pace(frames.length)
    if (talk.pending() > maxPending || ingestServices.writer.isFull()) await Promise.race([Promise.all([talk.settled(), ingestServices.writer.room()]), closed(socket)])
  }
  socket.on('data', (chunk: Uint8Array) => {
    socket.pause()
    isWaiting = true
    queue = queue.then(() => hear(chunk)).then(() => {
      isWaiting = false
      if (!socket.destroyed) socket.resume()
    }, (error: unknown) => {
      ingestServices.log.warn({ err: error }, 'a line was ended')
      socket.destroy()
    })
  })
  // The device closed its side; frames it sent are still acknowledged.
  socket.on('end', () => void queue.then(() => (isWaiting ? undefined : talk.settled())).finally(() => socket.destroySoon()))
}

/** Pauses a sender that exceeds its rate until the second is over. */
function rateLimitOf(perSecond: number): (count: number) => Promise<void> {
  let [since, sum] = [0, 0]
  return async (count) => {
    const now = performance.now()
    if (now - since >= 1_000) [since, sum] = [now, 0]
    sum += count
    if (sum > perSecond) await wait(1_000 * sum / perSecond - (now - since))
  }
}

const closed = (socket: Socket) => new Promise<void>((done) => (socket.destroyed ? done() : socket.once('close', () => done())))

async function close(server: Server, { talks }: ListenerState, limitMs: number): Promise<void> {
  const isClosed = new Promise<void>((done) => server.close(() => done()))
  // The server closes a moment before its last sockets report it, and only then are their devices offline.
  const areGone = Promise.all([...talks.keys()].map((socket) => new Promise((done) => socket.once('close', done))))
  for (const socket of talks.keys()) socket.pause()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((done) => { timer = setTimeout(done, limitMs) })
  await Promise.race([late, Promise.all([...talks.values()].map((talk) => talk.settled()))])
  clearTimeout(timer)
  for (const socket of talks.keys()) socket.destroySoon()
  const end = setTimeout(() => { for (const socket of talks.keys()) socket.destroy() }, 500)
  await Promise.all([isClosed, areGone])
  clearTimeout(end)
}
