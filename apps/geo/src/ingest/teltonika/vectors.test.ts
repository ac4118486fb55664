import { describe, expect, it } from 'vitest'
import { fleetVectors } from '../../../../../tests/support/fleet-vectors.ts'
import type { Message } from '../codec.ts'
import type { Attributes, Fix } from '../../positions/fix.ts'
import { frameReader } from '../listen/frames.ts'
import { teltonika } from './codec.ts'
import { encodeCommand, sealed } from './command.ts'

interface Record {
  fixTime: string
  latitude: number
  longitude: number
  altitude: number
  course: number
  satellites: number
  speedKph: number
  priority: number
  eventIoId: number
  io: { [id: string]: number }
}
interface Derived {
  kind?: string
  imei?: string
  crcOk?: boolean
  lengthOk?: boolean
  ackHex?: string
  recordsDerived?: number
  firstRecord?: Record
  lastRecord?: Record
  parseError?: string
}
interface Vector {
  id: string
  protocol: string
  hex: string
  context?: { deviceModel?: string }
  expected: { result: string; attribute?: Attributes }
  derived?: Derived
}
interface Vendor {
  protocol: string
  hex: string
  expected: {
    records?: number
    ackHex?: string
    timestampMs?: number
    longitude?: number
    latitude?: number
    altitude?: number
    angle?: number
    io?: { [id: string]: number }
  }
  derived: Derived
}
interface File {
  decoderTests: { teltonika: Vector[] }
  vendorExamples: Vendor[]
  framing: { protocol: string; inputHex: string; firstFrameHex: string }[]
  commandEncode: { protocol: string; command: string; data: string; hex: string }[]
}

const file = fleetVectors() as File | null
const now = Date.parse('2026-11-21T12:00:00Z')
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const hexOf = (bytes: Uint8Array | null) => (bytes ? Buffer.from(bytes).toString('hex') : null)

/** Frames that cannot be accepted as published, why, and the expected result. */
const refused: { [id: string]: { why: string; message: Partial<Message> | null } } = {
  'teltonika-60': { why: 'anonymised, its CRC was not made anew', message: { kind: 'bad', reason: 'crc' } },
  'teltonika-78': { why: 'anonymised, its CRC was not made anew', message: { kind: 'bad', reason: 'crc' } },
  'teltonika-84': { why: 'anonymised, its CRC was not made anew', message: { kind: 'bad', reason: 'crc' } },
  'teltonika-180': { why: 'a picture with other bytes than its CRC', message: { kind: 'bad', reason: 'crc' } },
  'teltonika-102': { why: 'its data length is 0', message: { kind: 'bad', reason: 'length' } },
  'teltonika-126': { why: 'cut off, and of the unsupported codec 7 (GH3000)', message: null },
  'teltonika-138': { why: 'cut off: 166 bytes announced, 33 there', message: null },
}

function messagesOf(hex: string, model: string | null = null): Message[] {
  return teltonika.read(bytesOf(hex), now, { model }).frames.map(({ message }) => message)
}

/** The same packet with the CRC its bytes have. */
function repaired(hex: string): string {
  return Buffer.from(sealed(bytesOf(hex).slice(8, -4))).toString('hex')
}

function expectRecord(fix: Fix | undefined, record: Record): void {
  expect(fix).toBeDefined()
  if (!fix) return
  expect(new Date(fix.fixTime).toISOString()).toBe(record.fixTime)
  expect(fix.isValid).toBe(record.satellites > 0)
  expect(fix.attributes.sat).toBe(record.satellites)
  expect(fix.attributes.priority ?? 0).toBe(record.priority)
  expect(fix.attributes.event ?? 0).toBe(record.eventIoId)
  const hasPlace = record.satellites > 0 || record.latitude !== 0 || record.longitude !== 0
  const place = {
    latitude: record.latitude,
    longitude: record.longitude,
    altitude: record.altitude,
    course: record.course,
    speed: record.speedKph,
  }
  expect(fix).toMatchObject(hasPlace ? place : { latitude: null, longitude: null, altitude: null, course: null, speed: null })
  expectValues(fix.attributes, record.io)
}

/** Ids that need no model to be known, in the units of Traccar's names. */
function expectValues(attributes: Attributes, io: { [id: string]: number }): void {
  const inVolts = { 66: 'power', 67: 'battery' }
  for (const [id, name] of Object.entries(inVolts))
    if (io[id] !== undefined && io[id] < 65_536) expect(attributes[name]).toBe(io[id] / 1000)
  if (io[239] !== undefined) expect(attributes.ignition).toBe(io[239] === 1)
  if (io[240] !== undefined) expect(attributes.motion).toBe(io[240] === 1)
  if (io[1] !== undefined) expect(attributes.in1).toBe(io[1] === 1)
  if (io[16] !== undefined) expect(attributes.odometer).toBe(io[16])
  if (io[241] !== undefined) expect(attributes.operator).toBe(io[241])
  if (io[182] !== undefined) expect(attributes.hdop).toBe(io[182] / 10)
  if (io[1200] !== undefined) expect(attributes.io1200).toBe(io[1200])
}

describe.skipIf(!file)('third-party Teltonika frames (../shared/fleet-vectors.json)', () => {
  const tests = file?.decoderTests.teltonika ?? []

  it('has them all', () => expect(tests).toHaveLength(26))

  it.each(tests.filter(({ id }) => !refused[id]).map((vector) => [vector.id, vector] as const))(
    '%s reads as asserted',
    (_, { hex, expected, derived, context }) => {
      const messages = messagesOf(hex, context?.deviceModel)
      expect(messages).toHaveLength(1)
      const [message] = messages
      if (!message) return
      if (derived?.kind === 'login') {
        expect(message).toMatchObject({ kind: 'login', uniqueId: derived.imei })
        expect(message.kind === 'login' && hexOf(message.ack)).toBe(derived.ackHex)
        return
      }
      if (derived?.recordsDerived === undefined) {
        expect(message.kind).toBe(expected.result === 'no position' ? 'ignored' : 'answer')
        expect('ack' in message && message.ack).toBe(null)
        return
      }
      expect(message.kind).toBe('fixes')
      if (message.kind !== 'fixes') return
      expect(hexOf(message.ack)).toBe(derived.ackHex)
      if (!derived.parseError) expect(message.fixes).toHaveLength(derived.recordsDerived)
      if (derived.firstRecord) expectRecord(message.fixes[0], derived.firstRecord)
      if (derived.lastRecord) expectRecord(message.fixes.at(-1), derived.lastRecord)
      expect(message.fixes[0]?.attributes).toMatchObject(expected.attribute ?? {})
    },
  )

  it('reads packets with undeclared 16-byte values', () => {
    const [message] = messagesOf(tests.find(({ id }) => id === 'teltonika-161')?.hex ?? '')
    expect(message?.kind === 'fixes' && message.fixes).toHaveLength(11)
  })

  it.each(Object.entries(refused).map(([id, { why, message }]) => [id, why, message] as const))('%s is refused: %s', (id, _, message) => {
    const vector = tests.find((test) => test.id === id)
    const { frames, rest } = teltonika.read(bytesOf(vector?.hex ?? ''), now)
    if (message) expect(frames[0]?.message).toMatchObject(message)
    else expect({ frames, waiting: rest.length }).toEqual({ frames: [], waiting: (vector?.hex.length ?? 0) / 2 })
    expect(frames.every((frame) => frame.message.kind === 'bad')).toBe(true)
  })

  it.each(['teltonika-78', 'teltonika-84'])('%s with a corrected CRC reads as asserted', (id) => {
    const vector = tests.find((test) => test.id === id)
    const [message] = messagesOf(repaired(vector?.hex ?? ''))
    expect(message?.kind).toBe('fixes')
    if (message?.kind === 'fixes' && vector?.derived?.firstRecord) expectRecord(message.fixes[0], vector.derived.firstRecord)
  })

  it('reads serial data (codec 13) with a corrected CRC', () => {
    const [message] = messagesOf(repaired(tests.find(({ id }) => id === 'teltonika-60')?.hex ?? ''))
    expect(message).toMatchObject({ kind: 'fixes', ack: null, fixes: [{ latitude: null, attributes: { result: '#GET DATAORDER' } }] })
  })

  it('agrees with the examples of the vendor', () => {
    for (const { hex, expected, derived } of file?.vendorExamples.filter(({ protocol }) => protocol === 'teltonika') ?? []) {
      const [message] = messagesOf(derived.crcOk ? hex : repaired(hex))
      expect(message?.kind).toBe('fixes')
      if (message?.kind !== 'fixes') continue
      expect(hexOf(message.ack)).toBe(expected.ackHex ?? derived.ackHex)
      expect(message.fixes).toHaveLength(expected.records ?? 1)
      if (derived.firstRecord) expectRecord(message.fixes[0], derived.firstRecord)
      if (derived.lastRecord) expectRecord(message.fixes.at(-1), derived.lastRecord)
      if (expected.timestampMs) expect(message.fixes[0]?.fixTime).toBe(expected.timestampMs)
      if (expected.longitude)
        expect(message.fixes[0]).toMatchObject({
          longitude: expected.longitude,
          latitude: expected.latitude,
          altitude: expected.altitude,
          course: expected.angle,
        })
      if (!derived.crcOk) expect(messagesOf(hex)).toMatchObject([{ kind: 'bad', reason: 'crc' }])
    }
  })

  it('splits streams at the expected places', () => {
    for (const { inputHex, firstFrameHex } of file?.framing.filter(({ protocol }) => protocol === 'teltonika') ?? []) {
      const frames = frameReader(teltonika).push(bytesOf(inputHex), now)
      expect(hexOf(frames[0]?.bytes ?? null)).toBe(firstFrameHex)
      expect(frames.map(({ message }) => message.kind)).toEqual(['heartbeat', 'login'])
    }
  })

  it('writes commands byte for byte', () => {
    for (const { command, data, hex } of file?.commandEncode.filter(({ protocol }) => protocol === 'teltonika') ?? []) {
      expect(hexOf(encodeCommand({ type: command, parameters: { data }, uniqueId: '352093081452251', correlation: 1 }))).toBe(hex)
    }
  })
})
