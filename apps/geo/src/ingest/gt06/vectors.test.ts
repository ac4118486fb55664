import { describe, expect, it } from 'vitest'
import { fleetVectors } from '../../../../../tests/support/fleet-vectors.ts'
import type { Message } from '../codec.ts'
import type { Attributes } from '../../positions/fix.ts'
import { gt06 } from './codec.ts'

interface Vector {
  id: string
  hex: string
  context?: { deviceModel?: string }
  expected: { result: string; attribute?: Record<string, string | number | boolean | null> }
  derived: { crcOk: boolean; type: string; kind?: string; imei?: string; standardAckHex?: string; location?: Location }
}
interface Location {
  fixTime: string
  latitude: number
  longitude: number
  speedKph: number
  course: number
  valid: boolean
  satellites: number
  ignitionFromFlags?: boolean
}

interface File {
  decoderTests: { gt06: Vector[] }
  framing: { protocol: string; inputHex: string; firstFrameHex: string }[]
  commandEncode: { protocol: string; command: string; hex: string }[]
  vendorExamples: (Vector & { protocol: string })[]
}

const vectors = fleetVectors() as File | null
const now = Date.UTC(2026, 10, 22)

/** The source reads this altitude out of the checksum; the bytes of the altitude give 687 m, which is the town's. */
const wrongAtSource = new Map([['gt06-85', { altitude: 687 }]])

function read(vector: Vector): Message[] {
  const result = gt06.read(Buffer.from(vector.hex, 'hex'), now, { model: vector.context?.deviceModel ?? null })
  expect(result.rest.length, 'everything is read').toBe(0)
  return result.frames.map((frame) => frame.message)
}

function saidBy(messages: Message[]): Attributes & { altitude?: number } {
  return Object.assign(
    {},
    ...messages.map((message) => {
      if (message.kind === 'fixes') return { ...message.fixes[0]?.attributes, altitude: message.fixes[0]?.altitude }
      if (message.kind === 'answer') return { result: message.text }
      return message.kind === 'heartbeat' ? message.attributes : {}
    }),
  )
}

/** Noise that is the same in each run. */
function* positions(seed: number, limit: number): Generator<number> {
  for (let state = seed + 1; ;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    yield (state >>> 8) % limit
  }
}

describe.skipIf(!vectors)('vectors of third parties (../shared/fleet-vectors.json)', () => {
  const all = vectors?.decoderTests.gt06 ?? []
  const sound = all.filter((vector) => vector.derived.crcOk)

  it.each(sound)('$id ($derived.type) reads as its source expects', (vector) => {
    const messages = read(vector)
    expect(messages.filter((message) => message.kind === 'bad')).toEqual([])
    const said = saidBy(messages)
    const places = messages.flatMap((message) => (message.kind === 'fixes' ? message.fixes : [])).filter((fix) => fix.latitude !== null)
    const { result, attribute } = vector.expected
    if (result === 'no position') expect(places).toEqual([])
    if (result === 'position') expect(places).toHaveLength(1)
    if (result.startsWith('position with attributes')) expect(Object.keys(said)).not.toEqual([])
    if (result === 'not null')
      expect(messages.every((message) => message.kind === 'fixes' || message.kind === 'heartbeat' || message.kind === 'answer')).toBe(true)
    for (const [name, value] of Object.entries({ ...attribute, ...wrongAtSource.get(vector.id) })) {
      if (typeof value === 'number') expect(said[name], name).toBeCloseTo(value, 6)
      else expect(said[name] ?? null, name).toEqual(value)
    }
  })

  it.each(all.filter((vector) => !vector.derived.crcOk))(
    '$id ($derived.type) has a wrong checksum or none: nothing of it is stored',
    (vector) => {
      const messages = gt06.read(Buffer.from(vector.hex, 'hex'), now).frames.map((frame) => frame.message)
      expect(messages.filter((message) => message.kind !== 'bad' && message.kind !== 'ignored')).toEqual([])
    },
  )

  it.each(
    [...sound, ...(vectors?.vendorExamples ?? []).filter((vector) => vector.protocol === 'gt06')].filter(
      (vector) => vector.derived.location,
    ),
  )('$id has the position of a second decoder', (vector) => {
    const { location } = vector.derived
    const fix = read(vector).flatMap((message) => (message.kind === 'fixes' ? message.fixes : []))[0]
    if (!fix || !location) throw new Error('no fix')
    expect(new Date(fix.fixTime).toISOString()).toBe(location.fixTime)
    expect(fix.isValid).toBe(location.valid)
    expect(fix.latitude ?? 0).toBeCloseTo(location.latitude, 5)
    expect(fix.longitude ?? 0).toBeCloseTo(location.longitude, 5)
    expect([fix.speed, fix.course, fix.attributes.sat]).toEqual([location.speedKph, location.course, location.satellites])
    if (location.ignitionFromFlags !== undefined && vector.derived.type === '0x12')
      expect(fix.attributes.ignition).toBe(location.ignitionFromFlags)
  })

  it.each(sound.filter((vector) => vector.derived.standardAckHex))('$id is answered byte for byte', (vector) => {
    const [message] = read(vector)
    expect(message && 'ack' in message && message.ack ? Buffer.from(message.ack).toString('hex') : null).toBe(vector.derived.standardAckHex)
  })

  it.each(sound)('$id with a flipped bit or truncated is not stored', (vector) => {
    const bytes = Buffer.from(vector.hex, 'hex')
    const kept = (broken: Uint8Array) =>
      gt06.read(broken, now).frames.filter(({ message }) => message.kind !== 'bad' && message.kind !== 'ignored')
    for (const bit of positions(bytes.length, bytes.length * 8).take(100)) {
      const broken = Uint8Array.from(bytes)
      broken[bit >> 3]! ^= 1 << (bit & 7)
      expect(kept(broken), `bit ${bit}`).toEqual([])
    }
    for (let length = 0; length < bytes.length; length++) expect(kept(bytes.subarray(0, length))).toEqual([])
  })

  it.each(sound.filter((vector) => vector.derived.imei))('$id is the login of $derived.imei', (vector) => {
    expect(read(vector)[0]).toMatchObject({ kind: 'login', uniqueId: vector.derived.imei })
  })

  it.each((vectors?.commandEncode ?? []).filter((vector) => vector.protocol === 'gt06'))('$command is $hex', ({ command, hex }) => {
    expect(
      Buffer.from(gt06.encode({ type: command, parameters: {}, uniqueId: '867530900000017', correlation: 0 }) ?? []).toString('hex'),
    ).toBe(hex)
  })

  it.each((vectors?.framing ?? []).filter((vector) => vector.protocol === 'gt06'))(
    'the first frame of $inputHex has the right end',
    (vector) => {
      const [first] = gt06.read(Buffer.from(vector.inputHex, 'hex'), now).frames
      expect(Buffer.from(first?.bytes ?? []).toString('hex')).toBe(vector.firstFrameHex)
    },
  )
})
