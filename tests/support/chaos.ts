import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { freePort } from './port.ts'

/** What a network does to bytes. `black-hole` and `hold` keep them and lose none: TCP would send them again too. */
export type Toxic =
  | { kind: 'pass' }
  /** Nobody listens any more, and what was open is gone. */
  | { kind: 'refuse' }
  /** Connections stay open and are accepted, and nothing moves in either direction until the toxic changes. */
  | { kind: 'black-hole' }
  /** Every connection ends with RST, those to come at their first byte. */
  | { kind: 'reset' }
  | { kind: 'latency'; ms: number }
  | { kind: 'throttle'; bytesPerSecond: number }
  /** The answer breaks off after so many bytes. */
  | { kind: 'cut'; afterBytes: number }
  /** The request arrives and takes effect; its answer never does. */
  | { kind: 'swallow' }
  /** Requests are kept that long, then delivered. */
  | { kind: 'hold'; ms: number }
  /** Every byte of a request arrives twice, on two connections at once; the second answer is thrown away. */
  | { kind: 'duplicate' }

export interface Chaos {
  port: number
  /** The address with this proxy's host and port in place of the target's. */
  through(url: string): string
  set(toxic: Toxic): Promise<void>
  /** How often a toxic bit: connections cut, answers swallowed, requests doubled. */
  bites(): number
  close(): Promise<void>
}

interface Line {
  client: Socket
  server: Socket
  twin: Socket | undefined
  answered: number
}
interface State {
  toxic: Toxic
  changed: PromiseWithResolvers<void>
  bites: number
  target: { host: string; port: number }
  lines: Set<Line>
}

/** A TCP proxy in front of the target's host and port that can be made to misbehave. Close it in afterAll. */
export async function startChaos(targetUrl: string): Promise<Chaos> {
  const { hostname, port: targetPort } = new URL(targetUrl)
  const state: State = {
    toxic: { kind: 'pass' },
    changed: Promise.withResolvers(),
    bites: 0,
    target: { host: hostname, port: Number(targetPort) },
    lines: new Set(),
  }
  const server = createServer({ noDelay: true }, (client) => join(state, client))
  const listen = (port: number) =>
    new Promise<void>((done, refuse) =>
      server.once('error', refuse).listen(port, '127.0.0.1', () => {
        server.off('error', refuse)
        done()
      }),
    )
  // Given back while it refuses.
  await listen(await freePort())
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    if (!server.listening) return
    const isClosed = new Promise((done) => server.close(done))
    for (const line of state.lines) drop(line)
    await isClosed
  }
  return {
    port,
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href.replace(/\/$/, ''),
    bites: () => state.bites,
    async set(toxic) {
      const before = state.changed
      Object.assign(state, { toxic, changed: Promise.withResolvers<void>() })
      before.resolve()
      if (toxic.kind === 'refuse') return stop()
      if (toxic.kind === 'reset') for (const line of state.lines) bite(state, line)
      if (!server.listening) await listen(port)
    },
    async close() {
      state.toxic = { kind: 'pass' }
      state.changed.resolve()
      await stop()
    },
  }
}

function join(state: State, client: Socket): void {
  const server = connect({ ...state.target, noDelay: true })
  const twin = state.toxic.kind === 'duplicate' ? connect({ ...state.target, noDelay: true }) : undefined
  const line: Line = { client, server, twin, answered: 0 }
  state.lines.add(line)
  for (const socket of [client, server]) {
    socket.on('error', () => drop(line))
    socket.on('close', () => {
      drop(line)
      state.lines.delete(line)
    })
  }
  twin?.on('error', () => undefined).resume()
  void pump(client, (chunk) => forward(state, line, chunk))
  void pump(server, (chunk) => giveBack(state, line, chunk))
}

/** Chunk after chunk, so that order and back-pressure stay; the end of one side is the end of both. */
async function pump(from: Socket, move: (chunk: Buffer) => Promise<void>): Promise<void> {
  try {
    for await (const chunk of from) await move(chunk as Buffer)
  } catch {
    // The connection was cut, which its sockets have reported already.
    from.destroy()
  }
}

async function forward(state: State, line: Line, chunk: Buffer): Promise<void> {
  await delay(state, chunk)
  if (state.toxic.kind === 'hold') await sleep(state.toxic.ms)
  if (state.toxic.kind === 'reset') return bite(state, line)
  if (line.twin) state.bites += 1
  line.twin?.write(chunk)
  await write(line.server, chunk)
}

async function giveBack(state: State, line: Line, chunk: Buffer): Promise<void> {
  await delay(state, chunk)
  const { toxic } = state
  if (toxic.kind === 'swallow') return bite(state, line)
  if (toxic.kind === 'cut' && line.answered + chunk.length >= toxic.afterBytes) {
    await write(line.client, chunk.subarray(0, Math.max(0, toxic.afterBytes - line.answered)))
    return bite(state, line)
  }
  line.answered += chunk.length
  await write(line.client, chunk)
}

async function delay(state: State, chunk: Buffer): Promise<void> {
  while (state.toxic.kind === 'black-hole') await state.changed.promise
  if (state.toxic.kind === 'latency') await sleep(state.toxic.ms)
  if (state.toxic.kind === 'throttle') await sleep((chunk.length / state.toxic.bytesPerSecond) * 1_000)
}

function write(to: Socket, chunk: Buffer): Promise<void> {
  return new Promise((done, refuse) => to.write(chunk, (error) => (error ? refuse(error) : done())))
}

function bite(state: State, line: Line): void {
  state.bites += 1
  line.client.resetAndDestroy()
  drop(line)
}

function drop({ client, server, twin }: Line): void {
  for (const socket of [client, server, twin]) socket?.destroy()
}

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))
