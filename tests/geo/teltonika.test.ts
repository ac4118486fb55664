import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { listenTcp, type Listener } from '../../apps/geo/src/ingest/listen/tcp.ts'
import { teltonika } from '../../apps/geo/src/ingest/teltonika/codec.ts'
import { encodeDatagram, encodeLogin, encodePacket } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { listenUdp } from '../../apps/geo/src/ingest/listen/udp.ts'
import { chance } from '../../scripts/simulate/journey.ts'
import { imeiOf } from '../../scripts/simulate/vehicle.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { fleetVectors } from '../support/fleet-vectors.ts'
import { until } from '../support/until.ts'
import { fixAt, makeDevice } from './support/devices.ts'
import { dial, openIngestServices } from './support/ingest-services.ts'

const minute = Date.UTC(2026, 10, 20, 8)
const at = { port: 0, host: '127.0.0.1' }
const vectors = fleetVectors() as { decoderTests: { teltonika: { id: string; hex: string }[] } } | null
let db: TestDatabase
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>
let tcp: Listener
let udp: Listener
let devices = 0

beforeAll(async () => {
  db = await testDatabase()
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(db))
  tcp = await listenTcp(ingestServices, at, { codec: teltonika })
  udp = await listenUdp(ingestServices, at, { codec: teltonika })
})
afterAll(async () => {
  await Promise.all([tcp.close(500), udp.close(500)])
  await closeIngestServices()
  await db.drop()
})

async function tracker(model: string | null = null): Promise<KnownDevice> {
  devices += 1
  const device = await makeDevice(db.admin, { uniqueId: imeiOf(devices) })
  await db.admin.query('update geo.device set "model" = $2 where "id" = $1', [device.deviceId, model])
  return device
}

async function stored({ deviceId }: KnownDevice): Promise<{ at: number; latitude: number; isValid: boolean; attributes: object }[]> {
  const { rows } = await db.admin.query(
    `select (extract(epoch from "fixTime") * 1000)::float8 as at, "latitude", "isValid", "attributes" from geo.position where "deviceId" = $1 order by 1`,
    [deviceId],
  )
  return rows
}

describe('a Teltonika over UDP', () => {
  it('has its datagram confirmed once it is stored', async () => {
    const device = await tracker()
    const socket = createSocket('udp4')
    socket.send(
      encodeDatagram(
        device.uniqueId,
        [fixAt(minute, { attributes: { sat: 9, ignition: true } }), fixAt(minute + 1000, { isValid: false })],
        { packet: 0xcafe, avl: 7 },
      ),
      udp.port,
      at.host,
    )
    const [answer] = (await once(socket, 'message')) as [Buffer]
    expect(answer.toString('hex')).toBe('0005cafe010702')
    expect(await stored(device)).toMatchObject([
      { at: minute, isValid: true, attributes: { ignition: true } },
      { at: minute + 1000, isValid: false },
    ])
    socket.close()
  })
})

describe('a Teltonika over TCP', () => {
  it('a packet with a wrong CRC is neither stored nor confirmed, goes to quarantine, and the next one is accepted', async () => {
    const device = await tracker()
    const broken = encodePacket([fixAt(minute, {})])
    broken[30] = (broken[30] ?? 0) ^ 1
    const line = await dial(tcp.port)
    line.socket.write(
      Buffer.concat([encodeLogin(device.uniqueId), broken, encodePacket([fixAt(minute + 1000, {}), fixAt(minute + 2000, {})])]),
    )
    expect((await line.hear(5)).toString('hex')).toBe('0100000002')
    expect((await stored(device)).map((row) => row.at)).toEqual([minute + 1000, minute + 2000])
    await ingestServices.deviceStats.flush()
    const { rows } = await db.admin.query('select "reason", "protocol" from geo.quarantine where "deviceId" = $1', [device.deviceId])
    expect(rows).toEqual([{ reason: 'crc', protocol: 'teltonika' }])
    line.socket.destroy()
  })

  it('IO ids have the meaning of the device’s model', async () => {
    for (const [model, attributes] of [
      ['FMB920', { obdSpeed: 50 }],
      ['FMB640', { io81: 50 }],
    ] as const) {
      const device = await tracker(model)
      const line = await dial(tcp.port)
      line.socket.write(encodeLogin(device.uniqueId))
      await line.hear(1)
      line.socket.write(encodePacket([fixAt(minute, { attributes: { obdSpeed: 50 } })]))
      await line.hear(5)
      expect(await stored(device)).toMatchObject([{ attributes }])
      line.socket.destroy()
    }
  })

  it.skipIf(!vectors)(
    'takes all recorded frames on one line, cut anywhere: answers byte for byte and in order, each fix stored once',
    async () => {
      const device = await tracker()
      // The two that are cut off would swallow what follows them.
      const hexes = (vectors?.decoderTests.teltonika ?? [])
        .filter(({ id }) => !['teltonika-15', 'teltonika-126', 'teltonika-138'].includes(id))
        .map(({ hex }) => hex)
      const stream = Buffer.concat([encodeLogin(device.uniqueId), Buffer.from(hexes.join(''), 'hex')])
      const messages = teltonika.read(stream, Date.now()).frames.map(({ message }) => message)
      const acks = Buffer.concat(messages.flatMap((message) => ('ack' in message && message.ack ? [message.ack] : [])))
      const line = await dial(tcp.port)
      for (let from = 0, turn = 0; from < stream.length; turn++) {
        const length = 1 + Math.floor(chance(3, turn) * 90)
        line.socket.write(stream.subarray(from, from + length))
        from += length
        if (turn % 5 === 0) await new Promise((done) => setImmediate(done))
      }
      expect((await line.hear(acks.length)).toString('hex')).toBe(acks.toString('hex'))
      const times = new Set(messages.flatMap((message) => (message.kind === 'fixes' ? message.fixes.map(({ fixTime }) => fixTime) : [])))
      expect(times.size).toBeGreaterThan(40)
      const answers = messages.flatMap((message) => (message.kind === 'answer' ? [message.text] : []))
      await until(async () => (await stored(device)).length === times.size + answers.length)
      // Answers are of the moment they come, which no recorded frame is.
      const rows = await stored(device)
      expect(rows.filter(({ at }) => times.has(at)).map(({ at }) => at)).toEqual([...times].toSorted((a, b) => a - b))
      expect(rows.filter(({ at }) => !times.has(at)).map(({ attributes }) => attributes)).toEqual(answers.map((result) => ({ result })))
      line.socket.destroy()
    },
  )
})
