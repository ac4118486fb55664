import type { Server, Socket } from 'node:net'
import { isInRanges } from '@outpost/platform/http/address'
import { counter } from '@outpost/platform/http/metrics'
import type { Log } from '@outpost/platform/log'
import { readProxyHeader, type Source } from './proxy-header.ts'

export interface ProxyOptions {
  /** Addresses and ranges (CIDR) of the balancers; any other connection keeps its own address, and a header that it sends is not read. */
  proxies: readonly string[]
  log: Log
  /** How long a balancer may take to send its header. */
  headerMs?: number
}

const refused = counter('geo_proxy_headers_refused', 'Connections of balancers ended for want of a correct PROXY header', ['reason'])
/** A balancer that is set up wrongly does so with each connection: it is told once a minute. */
const quietMs = 60_000

/**
 * Makes a server (TCP or HTTP) take the address of the sender from the PROXY protocol header with which each connection of a balancer begins; its
 * listeners get the socket after that, with `remoteAddress` and `remotePort` of the sender. As the protocol asks, nobody guesses: from these
 * addresses a header must come, from others none is read. Call it once the server's own listeners are there; returns what ends the
 * connections that still wait for their header.
 */
export function behindProxies(server: Server, { proxies, log, headerMs = 5_000 }: ProxyOptions): () => void {
  if (proxies.length === 0) return () => undefined
  const listeners = server.listeners('connection')
  const waiting = new Set<Socket>()
  let toldAt = -quietMs
  const refuse = (socket: Socket, reason: string) => {
    const proxy = socket.remoteAddress
    socket.destroy()
    refused.inc({ reason })
    if (performance.now() - toldAt < quietMs) return
    toldAt = performance.now()
    log.warn({ proxy, reason }, 'a balancer sends no correct PROXY header: see DEVICE_PROXIES')
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const begin = () => {
      for (const listener of listeners) listener.call(server, socket)
    }
    if (!isInRanges(socket.remoteAddress ?? '', proxies)) return begin()
    waiting.add(socket)
    socket.once('close', () => waiting.delete(socket))
    awaitHeader(socket, headerMs, (heard) => {
      if (typeof heard === 'string') return refuse(socket, heard)
      waiting.delete(socket)
      if (heard) take(socket, heard)
      begin()
    })
  })
  return () => {
    for (const socket of waiting) socket.destroy()
  }
}

/** Calls back with the source, with null where the connection's own address counts, or with the reason why there is no header. */
function awaitHeader(socket: Socket, headerMs: number, done: (heard: Source | null | string) => void): void {
  let heard = Buffer.alloc(0)
  const fail = () => socket.destroy()
  const timer = setTimeout(() => finish('late'), headerMs)
  const finish = (result: Source | null | string) => {
    clearTimeout(timer)
    socket.off('data', hear).off('error', fail).off('end', fail).off('close', stop)
    done(result)
  }
  const hear = (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk])
    const header = readProxyHeader(heard)
    if (header.kind === 'more') return
    if (header.kind === 'bad') return finish(header.reason)
    socket.pause()
    const rest = heard.subarray(header.length)
    if (rest.length > 0) socket.unshift(rest)
    finish(header.source)
    // Whoever took over listens now; one that begins paused says so itself.
    if (!socket.destroyed) socket.resume()
  }
  // A check of the balancer that only connects and leaves is no failure.
  const stop = () => clearTimeout(timer)
  socket.on('data', hear).on('error', fail).on('end', fail).on('close', stop)
}

function take(socket: Socket, { address, port }: Source): void {
  Object.defineProperty(socket, 'remoteAddress', { value: address, configurable: true })
  Object.defineProperty(socket, 'remotePort', { value: port, configurable: true })
  Object.defineProperty(socket, 'remoteFamily', { value: address.includes(':') ? 'IPv6' : 'IPv4', configurable: true })
}
