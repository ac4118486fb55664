import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { companyId } from './support/rows.ts'
import { machineLoad, median, percentile, ratios, rounded, rounds, spread, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'

const calls = 24
const callers = 4
const sizes = { '8 MB': 7_900_000, '200 kB': 200_000, '20 kB': 20_000 }
/** Both are lists without parts of the caller's: one is streamed through @fastify/http-proxy, the other is read and parsed by pass(). */
const ways = { proxy: '/geo/devices', pass: '/geo/drivers' }
type Way = keyof typeof ways

interface Seen {
  p50: number
  lag: number
}

/** Large answers of the geo service through the server, streamed and parsed, in turn: how long a call takes and how long the event loop is blocked. */
export const bench: Bench = {
  name: 'geo-reads',
  leads: 0,
  run: async (house) => {
    let text = '{}'
    const service = createServer((_asked, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }).end(text)
    })
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
    const { port } = service.address() as AddressInfo
    const server = await house.startServer(resolve(import.meta.dirname, '../..'), {
      GEO_URL: `http://127.0.0.1:${port}`,
      PRESSURE_LAG: '0',
    })
    try {
      const { url } = await server.ready
      const headers = await house.signIn('md@sunrise.test')
      const figures: Figure[] = []
      for (const [size, bytes] of Object.entries(sizes)) {
        text = answerOf(bytes)
        figures.push(...(await compare(house, { url, headers, size })))
      }
      return figures
    } finally {
      await server.stop()
      service.closeAllConnections()
      service.close()
    }
  },
}

function answerOf(bytes: number): string {
  const row = {
    id: crypto.randomUUID(),
    companyId,
    latitude: -1.286389,
    longitude: 36.817223,
    speed: 41.5,
    attributes: { ignition: true, sat: 11 },
  }
  const count = Math.floor(bytes / (JSON.stringify(row).length + 1))
  return JSON.stringify({ success: true, data: { rows: Array.from({ length: count }, () => row) }, meta: { total: count } })
}

async function compare(house: House, at: { url: string; headers: Record<string, string>; size: string }): Promise<Figure[]> {
  const seen: Record<Way, Seen[]> = { proxy: [], pass: [] }
  for (let round = -1; round < rounds; round += 1)
    for (const way of Object.keys(ways) as Way[]) {
      const one = await burst(house, { ...at, path: ways[way] })
      if (round >= 0) seen[way].push(one)
    }
  const of = (way: Way, what: keyof Seen) => seen[way].map((one) => one[what])
  const figure = (what: keyof Seen, name: string): Figure => {
    const [proxy, pass] = [of('proxy', what), of('pass', what)]
    return {
      name: `${name}, ${at.size} of geo streamed over parsed`,
      value: rounded(median(ratios(proxy, pass))),
      unit: 'x',
      ...(at.size === '8 MB' ? { target: what === 'lag' ? '<= 0.5' : '<= 1' } : {}),
      detail: `streamed ${rounded(median(proxy))} ms (${spread(proxy)}), parsed ${rounded(median(pass))} ms (${spread(pass)}); ${calls} calls, ${callers} at once, ${machineLoad()}`,
    }
  }
  return [figure('p50', 'p50'), figure('lag', 'longest stop of the event loop')]
}

async function burst(house: House, { url, headers, path }: { url: string; headers: Record<string, string>; path: string }): Promise<Seen> {
  await lagOf(house, url)
  const times: number[] = []
  let left = calls
  const caller = async () => {
    while (left > 0) {
      left -= 1
      const { status, text, ms } = await house.call({ url, path, headers: { ...headers, 'accept-encoding': 'identity' } })
      if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`)
      times.push(ms)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return { p50: percentile(times, 0.5), lag: await lagOf(house, url) }
}

/** Milliseconds of the longest stop since it was asked last. */
async function lagOf(house: House, url: string): Promise<number> {
  const { text } = await house.call({ url, path: '/metrics' })
  return Number(/^nodejs_eventloop_lag_max_seconds ([\d.e-]+)$/m.exec(text)?.[1] ?? Number.NaN) * 1_000
}
