import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import { gt06 } from '../../apps/geo/src/ingest/gt06/codec.ts'
import { gt06Heartbeat, gt06Location, gt06Login } from '../../apps/geo/src/ingest/gt06/encode.ts'
import { buildFrame } from '../../apps/geo/src/ingest/gt06/frame.ts'
import { h02 } from '../../apps/geo/src/ingest/h02/codec.ts'
import { h02Binary, h02Sentence } from '../../apps/geo/src/ingest/h02/encode.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { listenTcp, type Listener } from '../../apps/geo/src/ingest/listen/tcp.ts'
import { listenUdp } from '../../apps/geo/src/ingest/listen/udp.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'
import { fixAt, makeDevice } from './support/devices.ts'
import { dial, openIngestServices } from './support/ingest-services.ts'

const minute = Date.UTC(2026, 10, 20, 8)
const at = { port: 0, host: '127.0.0.1' }
const listeners: Listener[] = []
let db: TestDatabase
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>

beforeAll(async () => {
  db = await testDatabase()
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(db, () => minute + 60_000))
})
afterAll(async () => {
  await Promise.all(listeners.map((one) => one.close(500)))
  await closeIngestServices()
  await db.drop()
})

async function listening(listener: Promise<Listener>): Promise<number> {
  const opened = await listener
  listeners.push(opened)
  return opened.port
}

const rowsOf = async ({ deviceId }: KnownDevice) =>
  (
    await db.admin.query<{ t: number; speed: number; attributes: Record<string, unknown> }>(
      `select (extract(epoch from "fixTime") * 1000)::float8 as t, "speed"::float8 as speed, "attributes" from geo.position where "deviceId" = $1 and "latitude" is not null order by 1`,
      [deviceId],
    )
  ).rows

/** Two people want it, and the vehicle stood all the time. */
async function cut(device: KnownDevice): Promise<{ correlation: number }> {
  for (const table of ['position', 'latest'])
    await db.admin.query(`update geo.${table} set "speed" = 0 where "deviceId" = $1`, [device.deviceId])
  const { rows } = await db.admin.query<{ correlation: string }>(
    `insert into geo.command ("companyId", "deviceId", "type", "createdUserId", "approvedUserId") values ($1, $2, 'engineStop', uuidv7(), uuidv7()) returning "correlation"`,
    [device.companyId, device.deviceId],
  )
  return { correlation: Number(rows[0]?.correlation) }
}
const stateOf = async ({ deviceId }: KnownDevice) =>
  (await db.admin.query(`select "state", "answer" from geo.command where "deviceId" = $1`, [deviceId])).rows

it('reads a GT06 in pieces after garbage, answers each frame, and stops its engine', async () => {
  if (!gt06) throw new Error('no gt06')
  const port = await listening(listenTcp(ingestServices, at, { codec: gt06 }))
  const device = await makeDevice(db.admin, { uniqueId: '867530900000123' })
  const line = await dial(port)
  const acks = (...frames: [number, number][]) => Buffer.concat(frames.map(([type, serial]) => buildFrame({ type, serial })))
  line.socket.write(gt06Login({ uniqueId: device.uniqueId, serial: 1, utcOffsetMinutes: 180 }))
  await line.hear(10)
  const fixes = [0, 1, 2].map((n) => fixAt(minute + n * 10_000, { attributes: { ignition: true, sat: 9, odometer: 1000 + n } }))
  const broken = gt06Location(fixes[0]!, { serial: 9 })
  broken[20]! ^= 4
  const bytes = Buffer.concat([
    Buffer.from('noise'),
    broken,
    ...fixes.map((fix, n) => gt06Location(fix, { serial: n + 2, utcOffsetMinutes: 180 })),
    gt06Heartbeat({ serial: 5, isIgnitionOn: true, batteryLevel: 6, rssi: 4 }),
  ])
  for (let start = 0; start < bytes.length; start += 17) {
    line.socket.write(bytes.subarray(start, start + 17))
    await new Promise((done) => setImmediate(done))
  }
  expect(await line.hear(50)).toEqual(acks([0x01, 1], [0x22, 2], [0x22, 3], [0x22, 4], [0x13, 5]))
  expect(await rowsOf(device)).toMatchObject(fixes.map((fix) => ({ t: fix.fixTime, speed: 40, attributes: fix.attributes })))
  const { correlation } = await cut(device)
  await ingestServices.commands.deliver()
  const heard = await line.hear('Relay,1#')
  const flag = heard.subarray(heard.indexOf('Relay') - 4, heard.indexOf('Relay'))
  expect(flag.readUInt32BE()).toBe(correlation)
  const words = Buffer.from('Cut off the fuel supply: Success!')
  line.socket.write(buildFrame({ type: 0x15, serial: 6, content: Buffer.concat([Uint8Array.of(4 + words.length), flag, words]) }))
  await until(async () => (await stateOf(device))[0]?.state === 'done')
  expect(await stateOf(device)).toEqual([{ state: 'done', answer: words.toString() }])
  line.socket.destroy()
})

it('reads an H02 as text and as bytes, over TCP and UDP, and stops its engine', async () => {
  if (!h02) throw new Error('no h02')
  const port = await listening(listenTcp(ingestServices, at, { codec: h02 }))
  const device = await makeDevice(db.admin, { uniqueId: '4106000123' })
  const fixes = [0, 1, 2, 3].map((n) => fixAt(minute + n * 10_000, { speed: 37.04, attributes: { ignition: true } })) as [
    ReturnType<typeof fixAt>,
    ReturnType<typeof fixAt>,
    ReturnType<typeof fixAt>,
    ReturnType<typeof fixAt>,
  ]
  const line = await dial(port)
  const bytes = Buffer.concat([
    h02Binary(device.uniqueId, fixes[0]),
    h02Sentence(device.uniqueId, fixes[1]),
    Buffer.from('\r\n'),
    h02Binary(device.uniqueId, fixes[2]),
  ])
  for (let start = 0; start < bytes.length; start += 13) {
    line.socket.write(bytes.subarray(start, start + 13))
    await new Promise((done) => setImmediate(done))
  }
  await line.hear(`*HQ,${device.uniqueId},V4,V1,20261120080100#`)
  await until(async () => (await rowsOf(device)).length === 3)
  expect((await rowsOf(device)).map((row) => Math.round(row.speed))).toEqual([37, 37, 37])
  await cut(device)
  await ingestServices.commands.deliver()
  const [, stamp] = /S20,(\d{6}),1,1#/.exec((await line.hear('S20')).toString()) ?? []
  line.socket.write(`*HQ,${device.uniqueId},V4,S20,DONE,${stamp}#`)
  await until(async () => (await stateOf(device))[0]?.state === 'done')
  expect(await stateOf(device)).toEqual([{ state: 'done', answer: 'S20,DONE' }])
  line.socket.destroy()
  const udp = await listening(listenUdp(ingestServices, at, { codec: h02 }))
  const socket = createSocket('udp4')
  const reply = new Promise<string>((done) => socket.once('message', (message) => done(message.toString())))
  socket.send(h02Sentence(device.uniqueId, fixes[3]), udp, '127.0.0.1')
  expect(await reply).toBe(`*HQ,${device.uniqueId},V4,V1,20261120080100#`)
  socket.close()
  const rows = await rowsOf(device)
  expect(rows.map((row) => row.t)).toEqual(fixes.map((fix) => fix.fixTime))
  expect(Math.round(rows.at(-1)!.speed)).toBe(37)
})
