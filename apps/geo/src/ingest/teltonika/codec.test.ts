import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyFix, now } from '../../../../../tests/support/fixes.ts'
import type { Frame, Message } from '../codec.ts'
import type { Fix } from '../../positions/fix.ts'
import { maxFrameBytes } from '../codec.ts'
import { frameReader } from '../listen/frames.ts'
import { teltonika } from './codec.ts'
import { encodeCommand, sealed } from './command.ts'
import { encodeDatagram, encodeLogin, encodePacket } from './encode.ts'

const imei = '352093081452251'
const parked: Fix = {
  fixTime: now,
  deviceTime: now,
  latitude: -1.2864,
  longitude: 36.8172,
  isValid: true,
  altitude: 1661,
  speed: 0,
  course: 270,
  accuracy: null,
  attributes: { sat: 11, ignition: false, motion: false, power: 12.42, battery: 4.05, hdop: 0.7, odometer: 123_456, rssi: 4, in1: true },
}
const messagesOf = (bytes: Uint8Array, model: string | null = null): Message[] =>
  teltonika.read(bytes, now, { model }).frames.map(({ message }) => message)
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const copyOf = (bytes: Uint8Array) => Uint8Array.from(bytes)

/** Frames of a stream that comes in pieces of these lengths, again and again. */
function inChunks(stream: Uint8Array, lengths: readonly number[]): Frame[] {
  const reader = frameReader(teltonika)
  const frames: Frame[] = []
  for (let at = 0, turn = 0; at < stream.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    frames.push(...reader.push(stream.subarray(at, at + length), now))
    at += length
  }
  return frames
}

describe('reading what the encoder wrote', () => {
  it.each([
    ['8', 0x08],
    ['8 Extended', 0x8e],
    ['16', 0x10],
  ] as const)('codec %s: gives the same fixes and counts them in its answer', (_, codec) => {
    fc.assert(
      fc.property(fc.array(anyFix, { minLength: 1, maxLength: 6 }), (fixes) => {
        const shortIds =
          codec === 0x8e
            ? fixes
            : fixes.map((fix) => ({
                ...fix,
                attributes: Object.fromEntries(Object.entries(fix.attributes).filter(([name]) => name !== 'vin' && name !== 'io9999')),
              }))
        const [message, ...others] = messagesOf(encodePacket(shortIds, codec))
        expect(others).toEqual([])
        expect(message).toEqual({ kind: 'fixes', fixes: shortIds, ack: Uint8Array.of(0, 0, 0, fixes.length) })
      }),
    )
  })

  it('datagrams carry the IMEI, and their answer repeats both packet ids', () => {
    const frames = teltonika.readDatagram(encodeDatagram(imei, [parked, parked], { packet: 0xcafe, avl: 5 }), now)
    expect(frames.map(({ message }) => message)).toEqual([
      { kind: 'fixes', uniqueId: imei, fixes: [parked, parked], ack: bytesOf('0005cafe010502') },
    ])
  })

  it('a datagram that is cut off, too long or without an IMEI is bad, and so is each flipped one or it is whole', () => {
    const datagram = encodeDatagram(imei, [parked], { packet: 1, avl: 1 })
    for (let length = 0; length < datagram.length; length++)
      expect(teltonika.readDatagram(datagram.subarray(0, length), now)[0]?.message.kind).toBe('bad')
    expect(teltonika.readDatagram(join(datagram, Uint8Array.of(0)), now)[0]?.message).toMatchObject({ kind: 'bad', reason: 'length' })
    const noImei = copyOf(datagram).fill(0x41, 8, 12)
    expect(teltonika.readDatagram(noImei, now)[0]?.message).toMatchObject({ kind: 'bad', reason: 'shape' })
  })
})

describe('streams', () => {
  const stream = join(
    Uint8Array.of(0xff),
    encodeLogin(imei),
    encodePacket([parked]),
    Uint8Array.of(0xff, 0xff),
    encodePacket([parked, { ...parked, fixTime: now + 1000, deviceTime: now + 1000 }], 0x08),
  )

  it('gives the same frames however the bytes are split', () => {
    const whole = teltonika.read(stream, now).frames.map(({ message }) => message)
    expect(whole.map(({ kind }) => kind)).toEqual(['heartbeat', 'login', 'fixes', 'heartbeat', 'heartbeat', 'fixes'])
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }), (lengths) => {
        expect(inChunks(stream, lengths).map(({ message }) => message)).toEqual(whole)
      }),
    )
  })

  it('the frames together are the stream: no byte is lost or read twice', () => {
    expect(join(...teltonika.read(stream, now).frames.map(({ bytes }) => bytes))).toEqual(stream)
  })

  it('skips bytes before a start as one piece and continues', () => {
    const messages = messagesOf(join(bytesOf('deadbeef 0011 2233'), encodePacket([parked])))
    expect(messages).toMatchObject([
      { kind: 'bad', reason: 'shape' },
      { kind: 'fixes', fixes: [parked] },
    ])
  })

  it('finds the packet after any garbage, never throws, and buffers little', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 8 }),
        (garbage, lengths) => {
          const tail = Uint8Array.of(1, 1, 1, 1, 1, 1, 1, 1, 1)
          const frames = inChunks(
            join(
              garbage.filter((byte) => byte !== 0),
              tail,
              encodePacket([parked]),
            ),
            lengths,
          )
          expect(frames.at(-1)?.message).toMatchObject({ kind: 'fixes', fixes: [parked] })
        },
      ),
    )
  })

  it('64 KiB of noise or zeros are no frame, and at most a header of them is buffered', () => {
    for (const noise of [
      new Uint8Array(maxFrameBytes),
      new Uint8Array(maxFrameBytes).fill(0xaa),
      Uint8Array.from({ length: maxFrameBytes }, (_, index) => (index * 7919) % 251),
    ]) {
      const { frames, rest } = teltonika.read(noise, now)
      expect(frames.every(({ message }) => message.kind === 'bad' || message.kind === 'heartbeat')).toBe(true)
      expect(rest.length).toBeLessThan(9)
    }
  })

  it('wrong lengths are refused at once', () => {
    expect(messagesOf(bytesOf('00000000 00000000 0801'))).toMatchObject([{ kind: 'bad', reason: 'length' }])
    expect(messagesOf(bytesOf('00000000 00010000 0801'))).toMatchObject([{ kind: 'bad', reason: 'tooLong' }])
    expect(messagesOf(bytesOf('00000000 ffffffff 0801'))).toMatchObject([{ kind: 'bad', reason: 'tooLong' }])
  })
})

describe('damaged input is never accepted', () => {
  const packets = [encodePacket([parked, parked]), encodePacket([parked], 0x08), encodePacket([parked], 0x10)]

  it('a packet with any one bit flipped gives no fix and no answer', () => {
    for (const packet of packets) {
      for (let bit = 0; bit < packet.length * 8; bit++) {
        const flipped = copyOf(packet)
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        for (const message of messagesOf(join(flipped, packet))) {
          if (message.kind === 'fixes') expect(message.fixes).toEqual(fixesOf(packet))
          else expect(['bad', 'heartbeat']).toContain(message.kind)
        }
        expect(messagesOf(flipped).filter(({ kind }) => kind === 'fixes')).toEqual([])
      }
    }
  })

  it('many flipped, cut and doubled bytes neither throw nor give a fix that was not sent', () => {
    const edits = fc.array(fc.record({ at: fc.nat(), value: fc.nat(255), kind: fc.constantFrom('set', 'cut', 'insert') }), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(fc.constantFrom(...packets), edits, (packet, changes) => {
        const bytes = [...packet]
        for (const { at, value, kind } of changes)
          bytes.splice(at % bytes.length, kind === 'insert' ? 0 : 1, ...(kind === 'cut' ? [] : [value]))
        for (const message of messagesOf(Uint8Array.from(bytes)))
          if (message.kind === 'fixes') expect(message.fixes).toEqual(fixesOf(packet))
      }),
      { numRuns: 500 },
    )
  })

  it('differing counts, records that do not fill the packet and unknown codecs are bad although the CRC is right', () => {
    const data = encodePacket([parked]).slice(8, -4)
    expect(messagesOf(sealed(data.with(-1, 2)))).toMatchObject([{ kind: 'bad', reason: 'count' }])
    expect(messagesOf(sealed(data.with(-1, 2).with(1, 2)))).toMatchObject([{ kind: 'bad', reason: 'shape' }])
    expect(messagesOf(sealed(join(data.slice(0, -1), Uint8Array.of(0, 1))))).toMatchObject([{ kind: 'bad', reason: 'shape' }])
    expect(messagesOf(sealed(data.with(0, 0x09)))).toMatchObject([{ kind: 'bad', reason: 'unknownType' }])
  })

  it('a packet that claims 65,535 values in each of 255 records is refused', () => {
    const liar = new Uint8Array(60_000).fill(0xff)
    liar.set([0x8e, 255])
    expect(messagesOf(sealed(liar.with(-1, 255)))).toMatchObject([{ kind: 'bad', reason: 'shape' }])
  })
})

function fixesOf(packet: Uint8Array): Fix[] {
  const [message] = messagesOf(packet)
  return message?.kind === 'fixes' ? message.fixes : []
}

describe('logins', () => {
  it('are answered with 01 or refused with 00', () => {
    expect(messagesOf(encodeLogin(imei))).toEqual([{ kind: 'login', uniqueId: imei, ack: Uint8Array.of(1), refusal: Uint8Array.of(0) }])
  })

  it('that carry no IMEI are bad', () => {
    expect(messagesOf(encodeLogin('abcdefghijklmno'))).toMatchObject([{ kind: 'bad', reason: 'shape' }])
    expect(messagesOf(encodeLogin('12345'))).toMatchObject([{ kind: 'bad', reason: 'shape' }])
  })
})

describe('places and times', () => {
  const read = (fix: Partial<Fix>) => fixesOf(encodePacket([{ ...parked, ...fix }]))[0]

  it('no satellites: the place is the last one, and not valid', () => {
    expect(read({ isValid: false, attributes: {} })).toMatchObject({ isValid: false, latitude: -1.2864, attributes: { sat: 0 } })
  })

  it('no satellites at 0/0: the device never had a place', () => {
    expect(read({ isValid: false, latitude: 0, longitude: 0, attributes: { ignition: true } })).toMatchObject({
      isValid: false,
      latitude: null,
      longitude: null,
      speed: null,
      attributes: { ignition: true },
    })
  })

  it('a date of an earlier GPS week cycle is brought forward', () => {
    expect(read({ fixTime: now - 1024 * 7 * 86_400_000 })?.fixTime).toBe(now)
  })

  it('an impossible date is capped at the largest date', () => {
    const data = encodePacket([parked]).slice(8, -4)
    data.fill(0xff, 2, 10)
    expect(fixesOf(sealed(data))[0]?.fixTime).toBe(8.64e15)
  })
})

describe('answers and serial lines are never acknowledged', () => {
  const text = (codec: number, type: number, content: Uint8Array) =>
    sealed(join(Uint8Array.of(codec, 1, type), bytesOf(content.length.toString(16).padStart(8, '0')), content, Uint8Array.of(1)))
  const ascii = (words: string) => new Uint8Array(Buffer.from(words, 'latin1'))

  it("codec 12, as the device's text or as hex", () => {
    expect(messagesOf(text(0x0c, 6, ascii('DOUT1:1 Timeout:INFINITY\r\n')))).toEqual([
      { kind: 'answer', text: 'DOUT1:1 Timeout:INFINITY', ack: null },
    ])
    expect(messagesOf(text(0x0c, 6, Uint8Array.of(1, 2, 250)))).toEqual([{ kind: 'answer', text: '0102fa', ack: null }])
  })

  it('codec 14, with the IMEI, and its refusal', () => {
    const from = bytesOf('0352093081452251')
    expect(messagesOf(text(0x0e, 6, join(from, ascii('Ver:03.25.14'))))).toEqual([
      { kind: 'answer', uniqueId: imei, text: 'Ver:03.25.14', ack: null },
    ])
    expect(messagesOf(text(0x0e, 0x11, from))).toMatchObject([
      { kind: 'answer', uniqueId: imei, text: 'refused: the command was for another IMEI' },
    ])
    expect(messagesOf(text(0x0e, 6, ascii('x')))).toMatchObject([{ kind: 'bad', reason: 'shape' }])
  })

  it('codec 13 has a time, and a card reader on it names the driver', () => {
    const line = (words: string) => messagesOf(text(0x0d, 6, join(bytesOf('6740d800'), ascii(words))))[0]
    expect(line('T=21.5')).toMatchObject({
      kind: 'fixes',
      ack: null,
      fixes: [{ fixTime: 0x6740d800 * 1000, latitude: null, attributes: { result: 'T=21.5' } }],
    })
    expect(line('GTSL|6|1|2|DRIVER77|x')).toMatchObject({ fixes: [{ attributes: { driverUniqueId: 'DRIVER77' } }] })
  })
})

describe('commands', () => {
  const hex = (type: string, parameters: Record<string, string | number | boolean> = {}) => {
    const bytes = encodeCommand({ type, parameters, uniqueId: imei, correlation: 7 })
    return bytes ? Buffer.from(bytes).toString('latin1') : null
  }

  it('have the expected bytes', () => {
    expect(hex('engineStop')).toContain('setdigout 1')
    expect(hex('engineResume')).toContain('setdigout 0')
    expect(hex('outputControl', { index: 2, data: '1' })).toContain('setdigout ?1')
    expect(hex('positionSingle')).toContain('getrecord')
    expect(hex('custom', { data: 'getinfo' })).toContain('getinfo')
  })

  it('that Teltonika does not have, or that are not plain text, have none', () => {
    for (const none of [
      hex('sosNumber'),
      hex('custom'),
      hex('custom', { data: '' }),
      hex('custom', { data: 'ü' }),
      hex('outputControl', { index: 9, data: 1 }),
    ])
      expect(none).toBe(null)
  })

  it('codec 14 names the device', () => {
    expect(hex('getVersion', { codec: 14 })).toBe(
      Buffer.from(sealed(bytesOf('0e0105 0000000e 0352093081452251 676574766572 01'))).toString('latin1'),
    )
  })
})
