import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { encodePacket } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { fixAt } from '../geo/support/devices.ts'
import { freePort } from '../support/port.ts'
import { createMake, type MadeTenant } from '../support/make.ts'
import { percentile, rounded, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { dial } from './support/trackers.ts'

const devices = Number(process.env.BENCH_DEVICES ?? 5_000)
const browsers = 200
const socketsAUser = 5
/** Every tracker reports once in this time; so long is measured. */
const everyMs = 10_000
const rounds = 3
/** Of so many browsers each message is read; the others only take it. */
const listeners = 10
const imeiOf = (n: number) => `36${String(n).padStart(13, '0')}`

/** What a person with the map open waits for a vehicle's move: from the bytes on the tracker's line to the message in the browser. */
export const bench: Bench = {
  name: 'geo-live',
  leads: 0,
  run: async (house) => {
    const port = await freePort()
    const company = await createMake(house).company()
    await house.admin.query(
      `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") select $1, $1, '36' || lpad(n::text, 13, '0'), 'Tracker ' || n from generate_series(0, $2::int - 1) n`,
      [company.id, devices],
    )
    const geo = await house.startGeo({ DEVICE_PORTS: `teltonika:${port}`, DEVICE_HOST: '127.0.0.1', DEVICES_PER_ADDRESS: '20000' })
    const sent = new Map<string, number>()
    const seen: number[] = []
    const crowd = await openBrowsers(house, company, (key) => {
      const at = sent.get(key)
      if (at !== undefined) seen.push(performance.now() - at)
    })
    const lines: Socket[] = []
    try {
      for (let first = 0; first < devices; first += 250)
        lines.push(...(await Promise.all(Array.from({ length: Math.min(250, devices - first) }, (_, n) => dial(port, imeiOf(first + n))))))
      await wait(3_000)
      await drive(lines, sent)
      await wait(5_000)
      return figures({
        seen,
        bytes: crowd.bytes(),
        reports: devices * rounds,
        cut: crowd.sockets.filter((socket) => socket.readyState !== socket.OPEN).length,
      })
    } finally {
      for (const line of lines) line.destroy()
      for (const socket of crowd.sockets) socket.terminate()
      await geo.stop()
    }
  },
}

/** The latitude says which report it was; nothing else of it does. */
const keyOf = (latitude: number) => latitude.toFixed(6)

async function drive(lines: readonly Socket[], sent: Map<string, number>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const begin = performance.now()
    for (const [n, line] of lines.entries()) {
      const pause = (n * everyMs) / lines.length - (performance.now() - begin)
      if (pause > 1) await wait(pause)
      const latitude = -1 - (round * devices + n) * 1e-5
      sent.set(keyOf(latitude), performance.now())
      line.write(encodePacket([fixAt(Date.now(), { latitude, attributes: { ignition: true, sat: 9 } })]))
    }
    await wait(Math.max(0, everyMs - (performance.now() - begin)))
  }
}

function figures({ seen, bytes, reports, cut }: { seen: readonly number[]; bytes: number; reports: number; cut: number }): Figure[] {
  const p95 = rounded(percentile(seen, 0.95))
  const detail = `${devices} trackers report every ${everyMs / 1_000} s to ${browsers} sockets; p50 ${rounded(percentile(seen, 0.5))}, p99 ${rounded(percentile(seen, 0.99))} ms`
  return [
    { name: 'frame to browser, p95', value: p95, unit: 'ms', target: '<= 1000', detail },
    {
      name: 'moves that a browser was told of',
      value: rounded((100 * seen.length) / (reports * listeners)),
      unit: '%',
      target: '>= 99.9',
      detail: `${rounded(bytes / browsers / reports)} B a move and socket; ${cut} sockets were too slow and cut`,
    },
  ]
}

/** Sockets of forty people who follow positions. */
async function openBrowsers(house: House, company: MadeTenant, told: (key: string) => void) {
  const make = createMake(house)
  let bytes = 0
  const sockets: WebSocket[] = []
  for (let person = 0; person < browsers / socketsAUser; person += 1) {
    const { emailAddress } = await make.user({ company, role: 'admin', permissions: ['SALES/AGENT/POSITION'] })
    const headers = await house.signIn(emailAddress)
    for (let n = 0; n < socketsAUser; n += 1) {
      const isListener = sockets.length < listeners
      const socket = await openSocket(house, headers)
      // A vehicle may be announced again, as when its connection ends: the first time counts.
      const known = new Set<string>()
      socket.on('message', (data: Buffer) => {
        bytes += data.length
        for (const key of isListener ? latitudesOf(data).map(keyOf) : [])
          if (!known.has(key)) {
            known.add(key)
            told(key)
          }
      })
      socket.send(JSON.stringify({ event: 'followPositions', data: {} }))
      sockets.push(socket)
    }
  }
  return { sockets, bytes: () => bytes }
}

function latitudesOf(data: Buffer): number[] {
  const {
    event,
    data: { positions = [] },
  } = JSON.parse(data.toString()) as { event: string; data: { positions?: { latitude: number }[] } }
  return event === 'positions' ? positions.map(({ latitude }) => latitude) : []
}

async function openSocket(house: House, headers: Record<string, string>): Promise<WebSocket> {
  const { text } = await house.call({ path: '/api/auth/ticket', method: 'POST', headers, body: '{}' })
  const {
    data: { ticket },
  } = JSON.parse(text) as { data: { ticket: string } }
  const socket = new WebSocket(`${house.url.replace('http', 'ws')}/api/socket`, ['outpost', `ticket.${ticket}`])
  await new Promise((done, refuse) => socket.once('open', done).once('error', refuse))
  return socket
}
