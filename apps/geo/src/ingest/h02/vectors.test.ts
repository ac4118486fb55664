import { describe, expect, it } from 'vitest'
import { fleetVectors } from '../../../../../tests/support/fleet-vectors.ts'
import type { Message } from '../codec.ts'
import type { Attributes } from '../../positions/fix.ts'
import { h02 } from './codec.ts'

interface Vector {
  id: string
  hex: string
  expected: {
    result: string
    attribute?: Record<string, string | number>
    fixTime?: string
    valid?: boolean
    latitude?: number
    longitude?: number
  }
  derived?: {
    deviceId: string
    fixTime: string
    latitude: number
    longitude: number
    valid: boolean
    speedKnots: number
    course: number
    status: string
  }
}
interface File {
  decoderTests: { h02: Vector[] }
  framing: { protocol: string; inputHex: string; firstFrameHex: string }[]
  commandEncode: { protocol: string; command: string; text: string }[]
}

const file = fleetVectors() as File | null
/** Before the oldest frames (2002) would be taken for ones of an earlier GPS week cycle. */
const now = Date.UTC(2019, 0, 1)

/** A place without a date and a fix: its source uses the time of arrival, which is not when it was measured. */
const withoutDate = new Set(['h02-160'])

function read(hex: string): Message[] {
  const result = h02.read(Buffer.from(hex, 'hex'), now)
  expect(result.rest.length, 'everything is read').toBe(0)
  return result.frames.map((frame) => frame.message)
}

function saidBy(messages: Message[]): Attributes {
  return Object.assign(
    {},
    ...messages.map((message) =>
      message.kind === 'fixes' ? message.fixes[0]?.attributes : message.kind === 'heartbeat' ? message.attributes : {},
    ),
  )
}

describe.skipIf(!file)('vectors of third parties (../shared/fleet-vectors.json)', () => {
  const all = file?.decoderTests.h02 ?? []

  it.each(all)('$id reads as its source expects', ({ id, hex, expected }) => {
    const messages = read(hex)
    expect(messages.filter((message) => message.kind === 'bad')).toEqual([])
    const places = messages.flatMap((message) => (message.kind === 'fixes' ? message.fixes : [])).filter((fix) => fix.latitude !== null)
    if (expected.result === 'no position') expect(places).toEqual([])
    if (expected.result === 'position') expect(places).toHaveLength(withoutDate.has(id) ? 0 : 1)
    if (expected.result.startsWith('position with') || expected.result === 'not null' || withoutDate.has(id))
      expect(Object.keys(saidBy(messages))).not.toEqual([])
    if (expected.attribute) expect(saidBy(messages)).toMatchObject(expected.attribute)
    if (expected.fixTime === undefined) return
    expect(new Date(places[0]?.fixTime ?? 0).toISOString()).toBe(expected.fixTime)
    expect(places[0]?.isValid).toBe(expected.valid)
    expect(Math.abs((places[0]?.latitude ?? Number.NaN) - (expected.latitude ?? 0))).toBeLessThan(1e-5)
    expect(Math.abs((places[0]?.longitude ?? Number.NaN) - (expected.longitude ?? 0))).toBeLessThan(1e-5)
  })

  it.each(all.filter((vector) => vector.derived))('$id has the position of a second decoder', ({ hex, derived }) => {
    const [message] = read(hex)
    if (message?.kind !== 'fixes' || !derived) throw new Error('no fix')
    const [fix] = message.fixes
    expect(message.uniqueId).toBe(derived.deviceId)
    expect(fix).toMatchObject({ fixTime: Date.parse(derived.fixTime), isValid: derived.valid, course: derived.course })
    expect(fix?.latitude).toBeCloseTo(derived.latitude, 5)
    expect(fix?.longitude).toBeCloseTo(derived.longitude, 5)
    expect(fix?.speed).toBeCloseTo(derived.speedKnots * 1.852, 6)
    expect(fix?.attributes.status).toBe(Number.parseInt(derived.status, 16))
  })

  it.each((file?.framing ?? []).filter((vector) => vector.protocol === 'h02'))(
    'the first frame of $inputHex has the right end',
    ({ inputHex, firstFrameHex }) => {
      const [first] = h02.read(Buffer.from(inputHex, 'hex'), now).frames
      expect(Buffer.from(first?.bytes ?? []).toString('hex')).toBe(firstFrameHex)
    },
  )

  it.each((file?.commandEncode ?? []).filter((vector) => vector.protocol === 'h02'))('$command is $text', ({ command, text }) => {
    const bytes = h02.encode({ type: command, parameters: {}, uniqueId: '123456789012345', correlation: 3723 })
    expect(new TextDecoder().decode(bytes ?? new Uint8Array())).toBe(text)
  })
})
