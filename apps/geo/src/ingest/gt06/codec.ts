import type { Codec, Frame, Known, Message } from '../codec.ts'
import { longAnswer, serialData, shortAnswer } from './answers.ts'
import { encodeCommand } from './command.ts'
import { asFarAsItGoes, cursorOver, hexOf } from './cursor.ts'
import { splitStream, type Piece } from './split.ts'
import { emptyDraft, messageOf } from './draft.ts'
import { buildFrame, type RawFrame, type UncheckedFrame } from './frame.ts'
import { layoutOf, type AckForm } from './layouts.ts'

/** What is known about the device while its bytes are read; a login among them adds to it. */
interface Context {
  model: string
  offset: number
  now: number
}

/**
 * GT06 over TCP, as used by Concox, Jimi and most Chinese 4G trackers. Frames with a wrong checksum are bad and not answered. The time
 * zone of the login applies to what follows, unless the device's record has another.
 */
export const gt06: Codec = {
  name: 'gt06',
  read(bytes, now, known = {}, scanned = 0) {
    const { pieces, ...left } = splitStream(bytes, scanned)
    const context: Context = { model: (known.model ?? '').toUpperCase(), offset: known.utcOffsetMinutes ?? 0, now }
    return { frames: pieces.flatMap((piece) => framesOf(piece, context, known)), ...left }
  },
  encode: encodeCommand,
}

function framesOf(piece: Piece, context: Context, known: Known): Frame[] {
  if (piece.kind === 'bad') return [{ bytes: piece.bytes, message: { kind: 'bad', reason: piece.reason, detail: piece.detail } }]
  if (piece.kind === 'unchecked') return [{ bytes: piece.frame.bytes, message: wifiList(piece.frame) }]
  const messages = messagesOf(piece.frame, context)
  const offset = messages[0]?.kind === 'login' ? messages[0].attributes?.utcOffsetMinutes : undefined
  if (typeof offset === 'number' && known.utcOffsetMinutes == null) context.offset = offset
  return messages.map((message) => ({ bytes: piece.frame.bytes, message }))
}

function messagesOf(frame: RawFrame, context: Context): Message[] {
  const ack = ackOf(frame, 'plain')
  switch (frame.type) {
    case 0x01:
      return [login(frame, ack)]
    case 0x15:
      return shortAnswer(frame.content, ack)
    case 0x21:
      return longAnswer(frame.content, context.offset)
    case 0x2a:
      return [{ kind: 'ignored', what: 'asks for an address', ack: noAddress() }]
    case 0x80:
    case 0x81:
    case 0x82:
      return [{ kind: 'ignored', what: 'a command of the server', ack: null }]
    case 0x8a:
      return [{ kind: 'ignored', what: 'asks for the time', ack: timeFor(frame, context.now) }]
    case 0x9b:
      return serialData(frame.content)
    default:
      return [laidOut(frame, context)]
  }
}

/** Reads a frame by its layout; an unknown type is acknowledged, as devices expect, and stored in quarantine. */
function laidOut(frame: RawFrame, context: Context): Message {
  const layout = layoutOf(frame, context.model)
  if (!layout)
    return {
      kind: 'ignored',
      reason: 'unknownType',
      what: `type 0x${frame.type.toString(16).padStart(2, '0')}`,
      ack: frame.isExtended ? null : ackOf(frame, 'plain'),
    }
  const reading = { c: cursorOver(frame.content), draft: emptyDraft(), ...context }
  asFarAsItGoes(() => layout.steps.forEach((step) => step(reading)))
  return messageOf(reading.draft, ackOf(frame, layout.ack))
}

function ackOf(frame: RawFrame, form: 'plain'): Uint8Array
function ackOf(frame: RawFrame, form: AckForm): Uint8Array | null
function ackOf(frame: RawFrame, form: AckForm): Uint8Array | null {
  return form === 'none' ? null : buildFrame({ type: frame.type, serial: frame.serial, isExtended: form === 'extended' })
}

/**
 * Identity in 8 bytes BCD (the first digit is padding), then optionally model and zone: hours and minutes as a decimal number above four
 * bits, of which bit 3 means west.
 */
function login(frame: RawFrame, ack: Uint8Array): Message {
  const uniqueId = hexOf(frame.content.subarray(0, 8)).slice(1)
  if (!/^\d{15}$/.test(uniqueId)) return { kind: 'bad', reason: 'shape', detail: 'the identity has other signs than digits' }
  const zone = frame.content.length >= 12 ? (frame.content[10] ?? 0) * 256 + (frame.content[11] ?? 0) : null
  if (zone === null) return { kind: 'login', uniqueId, ack, refusal: null }
  const minutes = Math.floor((zone >> 4) / 100) * 60 + ((zone >> 4) % 100)
  const isZone = minutes <= 14 * 60
  return { kind: 'login', uniqueId, ack, refusal: null, attributes: isZone ? { utcOffsetMinutes: zone & 8 ? 0 - minutes : minutes } : {} }
}

/** The reply to a request for an address: there is none. */
function noAddress(): Uint8Array {
  const text = Buffer.from('NA&&NA&&0##', 'latin1')
  return buildFrame({ type: 0x97, serial: 0, isExtended: true, content: Uint8Array.of(text.length, 0, 0, 0, 0, ...text) })
}

function timeFor(frame: RawFrame, now: number): Uint8Array {
  const date = new Date(now)
  const content = Uint8Array.of(
    date.getUTCFullYear() - 2000,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  )
  return buildFrame({ type: frame.type, serial: frame.serial, content })
}

/** Has no checksum, so nothing of it is stored; the device expects its own time back. */
function wifiList(frame: UncheckedFrame): Message {
  const ack = Uint8Array.of(0x78, 0x78, 0, frame.type, ...frame.bytes.subarray(4, 10), 0x0d, 0x0a)
  return { kind: 'ignored', reason: 'crc', what: 'access points without a checksum', ack }
}
