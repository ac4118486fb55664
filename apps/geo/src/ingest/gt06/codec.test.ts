import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Known, Message } from '../codec.ts'
import type { Fix } from '../../positions/fix.ts'
import { frameReader } from '../listen/frames.ts'
import { gt06 } from './codec.ts'
import { gt06Heartbeat, gt06Location, gt06Login } from './encode.ts'
import { buildFrame } from './frame.ts'

const now = Date.UTC(2026, 10, 22, 12, 0, 0)
const hexOf = (bytes: Uint8Array | null | undefined) => (bytes ? Buffer.from(bytes).toString('hex') : null)
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

function messagesOf(bytes: Uint8Array, known?: Known): Message[] {
  return gt06.read(bytes, now, known).frames.map((frame) => frame.message)
}

function fixesOf(messages: Message[]): Fix[] {
  return messages.flatMap((message) => (message.kind === 'fixes' ? message.fixes : []))
}

const login = gt06Login({ uniqueId: '867530900000017', serial: 1 })

/** Fixes as the protocol can carry them. */
const fixes: fc.Arbitrary<Fix> = fc
  .record({
    seconds: fc.integer({ min: Date.UTC(2024, 0, 1) / 1000, max: Date.UTC(2026, 10, 22) / 1000 }),
    latitude: fc.integer({ min: -90 * 1_800_000, max: 90 * 1_800_000 }),
    longitude: fc.integer({ min: -180 * 1_800_000, max: 180 * 1_800_000 }),
    isValid: fc.boolean(),
    speed: fc.integer({ min: 0, max: 255 }),
    course: fc.integer({ min: 0, max: 359 }),
    sat: fc.integer({ min: 0, max: 15 }),
    odometer: fc.integer({ min: 0, max: 0xffff_ffff }),
    ignition: fc.option(fc.boolean(), { nil: undefined }),
  })
  .filter((fix) => fix.latitude !== 0 || fix.longitude !== 0 || fix.isValid)
  .map(({ seconds, latitude, longitude, sat, odometer, ignition, ...rest }) => ({
    ...rest,
    fixTime: seconds * 1000,
    deviceTime: seconds * 1000,
    altitude: null,
    accuracy: null,
    latitude: latitude / 1_800_000,
    longitude: longitude / 1_800_000,
    attributes: { sat, odometer, ...(ignition === undefined ? {} : { ignition }) },
  }))

function withoutEvent(fix: Fix | undefined): Fix | undefined {
  if (!fix) return fix
  const { event: _event, archive: _archive, ...attributes } = fix.attributes
  return { ...fix, attributes }
}

it('reads back what its encoder wrote', () => {
  fc.assert(
    fc.property(fixes, fc.integer({ min: 0, max: 0xffff }), (fix, serial) => {
      const [read] = fixesOf(messagesOf(gt06Location(fix, { serial })))
      expect(withoutEvent(read)).toEqual(fix)
    }),
  )
})

it("identifies a login, answers with the same serial, and uses the login's time zone", () => {
  const [frame] = messagesOf(login)
  expect(frame).toMatchObject({ kind: 'login', uniqueId: '867530900000017', attributes: { utcOffsetMinutes: 0 } })
  fc.assert(
    fc.property(fixes, fc.integer({ min: -12 * 60, max: 14 * 60 }), (fix, utcOffsetMinutes) => {
      const stream = joined(
        gt06Login({ uniqueId: '867530900000017', serial: 1, utcOffsetMinutes }),
        gt06Location(fix, { serial: 2, utcOffsetMinutes }),
      )
      expect(fixesOf(messagesOf(stream))[0]?.fixTime).toBe(fix.fixTime)
      expect(fixesOf(messagesOf(gt06Location(fix, { serial: 3, utcOffsetMinutes }), { utcOffsetMinutes }))[0]?.fixTime).toBe(fix.fixTime)
    }),
  )
})

it("prefers the time zone of the device's record to that of its login", () => {
  const [fix] = fc.sample(fixes, 1) as [Fix]
  const stream = joined(gt06Login({ uniqueId: '867530900000017', serial: 1, utcOffsetMinutes: 480 }), gt06Location(fix, { serial: 2 }))
  expect(fixesOf(messagesOf(stream, { utcOffsetMinutes: 0 }))[0]?.fixTime).toBe(fix.fixTime)
})

/** A heartbeat, a location of the specification's own shape, and an answer, all made here. */
const answer = buildFrame({ type: 0x15, serial: 9, content: new Uint8Array(Buffer.from('\x10\0\0\0\x2aDYD=Success!\0\x02', 'latin1')) })

it('splits a stream into the same messages however it arrives, and skips garbage before a start mark as one frame', () => {
  const [fix] = fc.sample(fixes, 1) as [Fix]
  const parts = [
    bytesOf('00ff0d0a787779'),
    login,
    gt06Location(fix, { serial: 2 }),
    bytesOf('6e6f697365'),
    gt06Heartbeat({ serial: 3, isIgnitionOn: true, batteryLevel: 6, rssi: 4 }),
    answer,
  ]
  const stream = joined(...parts)
  const whole = gt06.read(stream, now)
  expect(whole.frames.map((frame) => frame.message.kind)).toEqual(['bad', 'login', 'fixes', 'bad', 'heartbeat', 'answer'])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: stream.length }), { maxLength: 40 }), (cuts) => {
      const reader = frameReader(gt06)
      const borders = [0, ...new Set(cuts), stream.length].toSorted((a, b) => a - b)
      const frames = borders.slice(1).flatMap((end, index) => reader.push(stream.subarray(borders[index], end), now))
      expect(frames).toEqual(whole.frames)
      expect(reader.waiting()).toBe(0)
    }),
  )
})

it('finds a frame after garbage that looks like its start', () => {
  expect(messagesOf(joined(bytesOf('7878'), login)).at(-1)?.kind).toBe('login')
  expect(messagesOf(joined(bytesOf('78'), login)).at(-1)?.kind).toBe('login')
  expect(messagesOf(joined(bytesOf('7979ff'), login)).at(-1)?.kind).toBe('login')
})

it('stores nothing of a frame with a flipped bit, and reads the next one', () => {
  const [one, two] = fc.sample(fixes, 2) as [Fix, Fix]
  const frame = gt06Location(one, { serial: 2 })
  const next = gt06Location(two, { serial: 3 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: frame.length * 8 - 1 }), (bit) => {
      const broken = Uint8Array.from(frame)
      broken[bit >> 3]! ^= 1 << (bit & 7)
      const found = fixesOf(
        messagesOf(joined(broken, next, login, login, login, login, login, login, login, login, login, login, login, login, login)),
      )
      expect(found.map(withoutEvent)).toEqual([withoutEvent(fixesOf(messagesOf(next))[0])])
    }),
    { numRuns: 500 },
  )
})

it('never throws and stores nothing of noise', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), (noise) => {
      const reader = frameReader(gt06)
      const frames = [
        ...reader.push(joined(bytesOf('7878'), noise), now),
        ...reader.push(bytesOf('7979ffff'), now),
        ...reader.push(noise, now),
      ]
      expect(
        frames.filter((frame) => frame.message.kind === 'fixes' || ('ack' in frame.message && frame.message.kind !== 'ignored')),
      ).toEqual([])
    }),
  )
})

it('does not throw on any content of any type', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 255 }),
      fc.uint8Array({ maxLength: 120 }),
      fc.boolean(),
      fc.constantFrom('', 'XT40', 'LW4G', 'R11', 'QH302R', 'Seeworld'),
      (type, content, isExtended, model) => {
        const messages = messagesOf(buildFrame({ type, serial: 7, content, isExtended }), { model })
        expect(messages).not.toEqual([])
      },
    ),
    { numRuns: 3000 },
  )
})

it('discards 64 KiB of garbage in blocks, and continues', () => {
  const frames = gt06.read(joined(new Uint8Array(65_536).fill(0x2e), login), now).frames
  expect(frames).toHaveLength(65)
  expect(frames.at(-1)?.message.kind).toBe('login')
})

it('answers requests for the time or an address, and unknown types', () => {
  const ack = (type: number, isExtended = false) =>
    messagesOf(buildFrame({ type, serial: 5, isExtended })).map((message) => ('ack' in message ? hexOf(message.ack) : null))[0]
  expect(ack(0x8a)).toBe(hexOf(buildFrame({ type: 0x8a, serial: 5, content: Uint8Array.of(26, 11, 22, 12, 0, 0) })))
  expect(Buffer.from(ack(0x2a) ?? '', 'hex').toString('latin1')).toContain('NA&&NA&&0##')
  expect(ack(0x2a)?.slice(0, 10)).toBe('7979001597')
  expect(ack(0xc7)).toBe(hexOf(buildFrame({ type: 0xc7, serial: 5 })))
  expect(ack(0xc7, true)).toBeNull()
  expect(ack(0x80)).toBeNull()
})

it('answers each type in its expected form: its own, the short one, or none', () => {
  const ack = (type: number, content: number[], isExtended = false) => {
    const [message] = messagesOf(buildFrame({ type, serial: 5, isExtended, content: Uint8Array.from(content) }))
    return message && 'ack' in message ? hexOf(message.ack) : 'bad'
  }
  expect([
    ack(0x94, [0, 4, 0xd2], true),
    ack(0x94, [4, 0xd2]),
    ack(0x21, [0, 0, 0, 0, 1, 0x4f, 0x4b], true),
    ack(0x8c, [], true),
    ack(0x9b, [3, 0x41], true),
  ]).toEqual([null, null, null, null, null])
  for (const type of [0x70, 0xf1, 0xf2]) expect(ack(type, [0, 0, 0, 0], true)).toBe(hexOf(buildFrame({ type, serial: 5 })))
  for (const type of [0x32, 0x33]) expect(ack(type, [0, 0, 0, 0], true)).toBe(hexOf(buildFrame({ type, serial: 5, isExtended: true })))
  for (const type of [0x10, 0x12, 0x13, 0x16, 0x22, 0x26, 0xa0]) expect(ack(type, [])).toBe(hexOf(buildFrame({ type, serial: 5 })))
})

it('keeps the time of a message without a place; an impossible date counts as a heartbeat', () => {
  const gpsOf = (date: number[]) => Uint8Array.of(...date, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x04, 0)
  expect(messagesOf(buildFrame({ type: 0x10, serial: 1, content: gpsOf([26, 11, 22, 1, 2, 3]) }))[0]).toMatchObject({
    kind: 'fixes',
    fixes: [{ fixTime: Date.UTC(2026, 10, 22, 1, 2, 3), latitude: null, longitude: null, isValid: false }],
  })
  expect(messagesOf(buildFrame({ type: 0x10, serial: 1, content: gpsOf([26, 13, 22, 1, 2, 3]) }))[0]).toMatchObject({
    kind: 'heartbeat',
    at: null,
  })
})

it('raises alarms by model: the same code is a low battery on one and an acceleration on another', () => {
  const frame = buildFrame({ type: 0x13, serial: 1, content: Uint8Array.of(0x46, 6, 4, 0x19, 2) })
  expect(messagesOf(frame)[0]).toMatchObject({
    kind: 'heartbeat',
    attributes: { alarm: 'lowBattery', ignition: true, charge: true, blocked: false, batteryLevel: 100, rssi: 4 },
  })
  const alarm = buildFrame({
    type: 0x16,
    serial: 1,
    content: Uint8Array.of(
      26,
      11,
      22,
      1,
      2,
      3,
      0xc8,
      0,
      0x20,
      0,
      0,
      4,
      0,
      0,
      0,
      0,
      0x14,
      0,
      9,
      2,
      0x7f,
      1,
      0,
      9,
      0,
      0,
      9,
      0x46,
      6,
      4,
      0x19,
      2,
    ),
  })
  expect(fixesOf(messagesOf(alarm, { model: 'lw4g-4b' }))[0]?.attributes.alarm).toBe('hardAcceleration')
  expect(fixesOf(messagesOf(alarm))[0]?.attributes).toMatchObject({
    alarm: 'lowBattery',
    network: expect.stringContaining('"mobileCountryCode":639'),
  })
})

const command = { parameters: {}, uniqueId: '867530900000017', correlation: 0 }
it.each([
  ['engineStop', {}, 'Relay,1#'],
  ['engineResume', {}, 'Relay,0#'],
  ['engineStop', { alternative: true }, 'DYD,123456#'],
  ['engineResume', { alternative: true, password: '0000' }, 'HFYD,0000#'],
  ['custom', { data: 'PARAM#' }, 'PARAM#'],
  ['positionSingle', {}, 'WHERE#'],
  ['positionPeriodic', { frequency: 30 }, 'TIMER,30,30#'],
])('tells a device to %s %j as %s', (type, parameters, text) => {
  expect(
    Buffer.from(gt06.encode({ ...command, type, parameters }) ?? [])
      .subarray(9, -6)
      .toString('latin1'),
  ).toBe(text)
})

it('gets its correlation back with the answer, and has no bytes for unsupported commands', () => {
  const sent = gt06.encode({ ...command, type: 'engineStop', correlation: 0xfedc_ba98 })
  expect(hexOf(sent)?.slice(10, 18)).toBe('fedcba98')
  expect(messagesOf(answer)[0]).toMatchObject({ kind: 'answer', text: 'DYD=Success!', correlation: '42', ack: expect.any(Uint8Array) })
  expect([
    gt06.encode({ ...command, type: 'requestPhoto' }),
    gt06.encode({ ...command, type: 'custom', parameters: { data: 'x'.repeat(300) } }),
    gt06.encode({ ...command, type: 'custom' }),
    gt06.encode({ ...command, type: 'positionPeriodic', parameters: { frequency: 0 } }),
  ]).toEqual([null, null, null, null])
})
