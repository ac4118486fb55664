import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Message } from '../codec.ts'
import type { Fix } from '../../positions/fix.ts'
import { frameReader } from '../listen/frames.ts'
import { h02 } from './codec.ts'
import { h02Binary, h02Sentence } from './encode.ts'
import { idBytes } from './frame.ts'

const now = Date.UTC(2026, 10, 22, 12, 30, 5)
const uniqueId = '4106000017'
const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array | null | undefined) => (bytes ? new TextDecoder().decode(bytes) : null)
const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const messagesOf = (bytes: Uint8Array): Message[] => h02.read(bytes, now).frames.map((frame) => frame.message)
const said = (text: string) => messagesOf(bytesOf(text))

/** Fixes as the protocol can carry them: in knots, in minutes. */
const fixes: fc.Arbitrary<Fix> = fc
  .record({
    seconds: fc.integer({ min: Date.UTC(2024, 0, 1) / 1000, max: Date.UTC(2026, 10, 22) / 1000 }),
    latitude: fc.integer({ min: -90 * 600_000, max: 90 * 600_000 }),
    longitude: fc.integer({ min: -180 * 600_000, max: 180 * 600_000 }),
    isValid: fc.boolean(),
    knots: fc.integer({ min: 0, max: 200 }),
    course: fc.integer({ min: 0, max: 359 }),
    ignition: fc.boolean(),
  })
  .filter((fix) => fix.latitude !== 0 || fix.longitude !== 0 || fix.isValid)
  .map(({ seconds, latitude, longitude, knots, ignition, ...rest }) => ({
    ...rest,
    fixTime: seconds * 1000,
    deviceTime: seconds * 1000,
    altitude: null,
    accuracy: null,
    latitude: latitude / 600_000,
    longitude: longitude / 600_000,
    speed: knots * 1.852,
    attributes: { ignition, status: ignition ? 0xffff_ffff : 0xffff_fbff },
  }))

function expectSame(message: Message | undefined, fix: Fix): void {
  if (message?.kind !== 'fixes') throw new Error(`no fix but ${message?.kind}`)
  const { latitude, longitude, ...rest } = fix
  expect(message.uniqueId).toBe(uniqueId)
  expect(message.fixes[0]).toMatchObject(rest)
  expect(message.fixes[0]?.latitude).toBeCloseTo(latitude ?? 0, 9)
  expect(message.fixes[0]?.longitude).toBeCloseTo(longitude ?? 0, 9)
}

it('reads back what its encoders wrote, as text and as bytes', () => {
  fc.assert(
    fc.property(fixes, (fix) => {
      expectSame(messagesOf(h02Sentence(uniqueId, fix))[0], fix)
      expectSame(messagesOf(h02Binary(uniqueId, fix))[0], fix)
      expectSame(h02.readDatagram?.(h02Binary(uniqueId, fix), now)[0]?.message, fix)
    }),
  )
})

it('splits a stream of text and bytes into the same messages however it arrives', () => {
  const [one, two] = fc.sample(fixes, 2) as [Fix, Fix]
  const link = `*HQ,${uniqueId},LINK,123000,22,9,84,0,0,221126,FFFFFBFF#\r\n`
  const stream = joined(
    bytesOf('no*se $5 X'),
    h02Sentence(uniqueId, one),
    bytesOf('\r\n'),
    h02Binary(uniqueId, two),
    h02Binary(uniqueId, one),
    bytesOf(link),
    h02Sentence(uniqueId, two),
    bytesOf('\r\n'),
  )
  const whole = h02.read(stream, now)
  expect(whole.frames.map((frame) => frame.message.kind)).toEqual(['bad', 'fixes', 'fixes', 'fixes', 'heartbeat', 'fixes'])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: stream.length }), { maxLength: 40 }), (cuts) => {
      const reader = frameReader(h02)
      const borders = [0, ...new Set(cuts), stream.length].toSorted((a, b) => a - b)
      const frames = borders.slice(1).flatMap((end, index) => reader.push(stream.subarray(borders[index], end), now))
      expect(frames).toEqual(whole.frames)
      expect(reader.waiting()).toBe(0)
    }),
    { numRuns: 300 },
  )
})

it('never throws on noise, nor on sentences with any fields', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (noise) => {
      const reader = frameReader(h02)
      reader.push(joined(bytesOf('$'), noise), now)
      reader.push(joined(bytesOf('X*HQ,1,'), noise), now)
      expect(reader.waiting()).toBeLessThanOrEqual(1024)
    }),
  )
  const field = fc.oneof(
    fc.constantFrom('', 'A', 'N', 'E', 'S', 'W', '123000', '221126', 'FFFFFFFF', '-1', '99999', '0117.5000', '03648.0000'),
    fc.string({ maxLength: 8 }),
  )
  fc.assert(
    fc.property(
      fc.constantFrom('V1', 'V4', 'NBR', 'LINK', 'V3', 'VP1', 'HTBT', 'SMS', 'constructor', 'XT'),
      fc.array(field, { maxLength: 30 }),
      (kind, fields) => {
        expect(messagesOf(bytesOf(`*HQ,${uniqueId},${[kind, ...fields].join(',')}#`))).not.toEqual([])
      },
    ),
    { numRuns: 2000 },
  )
})

it('replies to V1, NBR and HTBT, and to no other', () => {
  const ack = (text: string) =>
    said(text)
      .map((message) => ('ack' in message ? textOf(message.ack) : null))
      .at(-1)
  const place = '123000,A,0117.5000,S,03648.0000,E,010.00,090,221126,FFFFFFFF#'
  expect(ack(`*HQ,${uniqueId},V1,${place}`)).toBe(`*HQ,${uniqueId},V4,V1,20261122123005#`)
  expect(ack(`*TH,${uniqueId},NBR,123000,639,02,0,1,100,200,50,221126,FFFFFFFF#`)).toBe(`*HQ,${uniqueId},V4,NBR,20261122123005#`)
  expect(ack(`*HQ,${uniqueId},HTBT,87#`)).toBe(`*HQ,${uniqueId},HTBT#`)
  expect(ack(`*HQ,${uniqueId},V0#`)).toBe(`*HQ,${uniqueId},V0#`)
  expect(ack(`*HQ,${uniqueId},V5,${place}`)).toBeNull()
  expect(ack(`*HQ,,V1,${place}`)).toBeNull()
  expect(ack(`*HQ,${uniqueId},XT,1,100#`)).toBeNull()
})

it('reads alarms from low bits, and ignition from bit 10', () => {
  const attributes = (status: string) => {
    const [message] = said(`*HQ,${uniqueId},V1,123000,A,0117.5000,S,03648.0000,E,010.00,090,221126,${status}#`)
    return message?.kind === 'fixes' ? message.fixes[0]?.attributes : null
  }
  expect(attributes('FFFFFFFF')).toEqual({ status: 0xffff_ffff, ignition: true })
  expect(attributes('FFFFFBFF')).toEqual({ status: 0xffff_fbff, ignition: false })
  expect(
    [attributes('FFFFFFFE'), attributes('FFFFFFFD'), attributes('FFFBFFFF'), attributes('FFFFFFFB'), attributes('FFF7FFFF')].map(
      (read) => read?.alarm,
    ),
  ).toEqual(['vibration', 'sos', 'sos', 'overspeed', 'powerCut'])
})

it('treats a place without a possible date as a heartbeat', () => {
  expect(said(`*HQ,${uniqueId},V1,,V,0117.5000,S,03648.0000,E,0.00,0,,FFFFFFEF#`)[0]).toMatchObject({
    kind: 'heartbeat',
    at: null,
    attributes: { ignition: true },
  })
  expect(said(`*HQ,${uniqueId},V1,123000,V,0000.0000,N,00000.0000,E,0.00,0,000000,FFFFFFEF#`)[0]).toMatchObject({
    kind: 'heartbeat',
    at: null,
  })
  expect(said(`*HQ,${uniqueId},V1,123000,V,0000.0000,N,00000.0000,E,0.00,0,221126,FFFFFFEF#`)[0]).toMatchObject({
    kind: 'fixes',
    fixes: [{ latitude: null, longitude: null, isValid: false }],
  })
})

it('separates an answer from its position, and identifies the command', () => {
  const text = textOf(h02.encode({ type: 'engineStop', parameters: {}, uniqueId, correlation: 47_105 }))
  expect(text).toBe(`*HQ,${uniqueId},S20,130505,1,1#`)
  expect(said(`*HQ,${uniqueId},V4,S20,DONE,130505,123000,A,0117.5000,S,03648.0000,E,010.00,090,221126,F7FFFFFF#`)).toMatchObject([
    { kind: 'answer', text: 'S20,DONE', correlation: '47105' },
    { kind: 'fixes', fixes: [{ latitude: -1.291_666_666_666_666_7 }] },
  ])
  expect(said(`*HQ,${uniqueId},V4,S20,ERROR,130505#`)).toMatchObject([{ kind: 'answer', text: 'S20,ERROR', correlation: '47105' }])
  expect(said(`*HQ,${uniqueId},SMS,ok, done#`)).toMatchObject([{ kind: 'answer', text: 'ok,done' }])
})

it('reads cells as the attribute network, and unnamed fields by position', () => {
  const [around] = said(`*HQ,${uniqueId},NBR,123000,639,02,0,2,100,200,-50,100,201,-60,221126,FFFFFFFF,5#`)
  if (around?.kind !== 'fixes') throw new Error('no fix')
  expect(around.fixes[0]).toMatchObject({ fixTime: Date.UTC(2026, 10, 22, 12, 30), latitude: null, attributes: { batteryLevel: 80 } })
  expect(JSON.parse(String(around.fixes[0]?.attributes.network)).cellTowers).toHaveLength(2)
  const [own] = said(`*HQ,${uniqueId},V1,123000,A,0117.5000,S,03648.0000,E,010.00,090,221126,FFFFFFFF,25c,a,154,b04c#`)
  expect(own?.kind === 'fixes' && own.fixes[0]?.attributes).toMatchObject({ io1: '25c', io4: 'b04c' })
})

it('loses a truncated sentence, but not the next one', () => {
  const [fix] = fc.sample(fixes, 1) as [Fix]
  const messages = messagesOf(joined(bytesOf(`*HQ,${uniqueId},V1,1230`), h02Sentence(uniqueId, fix)))
  expect(messages.map((message) => message.kind)).toEqual(['bad', 'fixes'])
  expectSame(messages[1], fix)
})

it.each([42, 45, 48])('reads a binary message of %i bytes once, also among others, however it arrives', (length) => {
  // Cut at 42 bytes a longer message can look like one of 42 with a long identity; devices send it in one piece.
  const isPlain = (fix: Fix) => idBytes(joined(h02Binary(uniqueId, fix), new Uint8Array(42 - 32))) === 5
  const [one, two] = fc.sample(fixes.filter(isPlain), 2) as [Fix, Fix]
  const plain = h02Binary(uniqueId, one)
  const long =
    length === 42
      ? joined(plain.subarray(0, 1), new Uint8Array(Buffer.from('8675309000000170', 'hex')), plain.subarray(6), new Uint8Array(7))
      : joined(plain, new Uint8Array(length - 32))
  const found = (frames: Message[]) =>
    frames.flatMap((message) => (message.kind === 'fixes' ? [[message.uniqueId, message.fixes[0]?.fixTime]] : []))
  const expected = [length === 42 ? '867530900000017' : uniqueId, one.fixTime]
  expect(found(messagesOf(long))).toEqual([expected])
  const stream = joined(long, h02Binary(uniqueId, two), long)
  expect(messagesOf(stream).map((message) => message.kind)).toEqual(['fixes', 'fixes', 'fixes'])
  expect(found(messagesOf(stream))).toEqual([expected, [uniqueId, two.fixTime], expected])
  if (length === 42) return
  for (let at = 1; at < long.length; at++) {
    const reader = frameReader(h02)
    const frames = [...reader.push(long.subarray(0, at), now), ...reader.push(joined(long.subarray(at), h02Sentence(uniqueId, two)), now)]
    expect(found(frames.map((frame) => frame.message)), `cut at ${at}`).toEqual([expected, [uniqueId, two.fixTime]])
  }
})

it('counts invalid input as bad: a sentence without an end, invalid digits', () => {
  expect(
    messagesOf(
      joined(bytesOf(`*HQ,${uniqueId},V1,`), new Uint8Array(1100).fill(0x31), h02Sentence(uniqueId, (fc.sample(fixes, 1) as [Fix])[0])),
    ).map((message) => message.kind),
  ).toEqual(['bad', 'bad', 'fixes'])
  expect(said('*HQ,12ab,V1,1#')[0]).toMatchObject({ kind: 'bad', reason: 'shape' })
  expect(h02.readDatagram?.(bytesOf(`*HQ,${uniqueId},V1,1230`), now)[0]?.message).toMatchObject({ kind: 'bad', reason: 'length' })
})

it.each([
  ['engineResume', {}, 'S20,000001,1,0'],
  ['engineStop', { pulsed: true }, 'S20,000001,0,1'],
  ['alarmArm', {}, 'SCF,000001,0,0'],
  ['positionPeriodic', { frequency: 30 }, 'S71,000001,22,30'],
  ['positionPeriodic', { frequency: 30, alternative: true }, 'D1,000001,30'],
  ['custom', { data: 'R1,000001' }, 'R1,000001'],
])('tells a device to %s %j', (type, parameters, text) => {
  expect(textOf(h02.encode({ type, parameters, uniqueId, correlation: 1 }))).toBe(`*HQ,${uniqueId},${text}#`)
})

it('has no bytes for unsupported commands', () => {
  expect(
    ['requestPhoto', 'custom', 'positionPeriodic'].map((type) => h02.encode({ type, parameters: {}, uniqueId, correlation: 1 })),
  ).toEqual([null, null, null])
  expect(h02.encode({ type: 'custom', parameters: { data: '*HQ,1,A#*HQ,2,B#' }, uniqueId, correlation: 1 })).toBeNull()
})
