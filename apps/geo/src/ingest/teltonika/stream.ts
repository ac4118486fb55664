import { maxFrameBytes, type BadReason } from '../codec.ts'

const keepAlive = 0xff
const knownCodecs = new Set([0x07, 0x08, 0x8e, 0x10, 0x0c, 0x0d, 0x0e])
const headerLength = 8
const crcLength = 4

/** What is at a position of a stream: a complete piece, an incomplete one, or no start. */
export type Piece =
  | { kind: 'keepAlive' | 'login' | 'packet'; length: number }
  | { kind: 'wait' }
  | { kind: 'garbage'; length: number; reason: BadReason; detail: string }

/** The next piece of a Teltonika stream at `at`: 0xFF, a login (length and IMEI), or a packet (four zeros, length, data, CRC). */
export function pieceAt(bytes: Uint8Array, at: number): Piece {
  if (bytes[at] === keepAlive) return { kind: 'keepAlive', length: 1 }
  const start = startAt(bytes, at)
  if ('reason' in start) return { kind: 'garbage', length: nextStart(bytes, at + 1) - at, ...start }
  if (start.length === null || at + start.length > bytes.length) return { kind: 'wait' }
  return { kind: start.kind, length: start.length }
}

type Start = { kind: 'login' | 'packet'; length: number | null } | { reason: BadReason; detail: string }

function startAt(bytes: Uint8Array, at: number): Start {
  const left = bytes.length - at
  if (bytes[at] !== 0) return { reason: 'shape', detail: 'neither a login nor a packet' }
  if (left < 2) return { kind: 'packet', length: null }
  return bytes[at + 1] === 0 ? packetAt(bytes, at) : loginAt(bytes, at)
}

/** IMEIs have 15 digits, with a software version 16. */
function loginAt(bytes: Uint8Array, at: number): Start {
  const length = bytes[at + 1] ?? 0
  const digits = bytes.subarray(at + 2, at + 2 + length)
  if (length < 14 || length > 17 || digits.some((byte) => byte < 0x30 || byte > 0x39))
    return { reason: 'shape', detail: 'a login without an IMEI' }
  return { kind: 'login', length: 2 + length }
}

function packetAt(bytes: Uint8Array, at: number): Start {
  const left = bytes.length - at
  if (bytes.subarray(at, at + 4).some((byte) => byte !== 0)) return { reason: 'shape', detail: 'a packet begins with four zeros' }
  if (left < headerLength) return { kind: 'packet', length: null }
  const length = new DataView(bytes.buffer, bytes.byteOffset + at + 4, 4).getUint32(0)
  if (length < 3) return { reason: 'length', detail: `a data field of ${length} bytes` }
  if (length + headerLength + crcLength > maxFrameBytes) return { reason: 'tooLong', detail: `a data field of ${length} bytes` }
  return { kind: 'packet', length: headerLength + length + crcLength }
}

/** Where reading may continue after garbage; stricter than a normal start: the codec must be a known one. */
function nextStart(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const start = startAt(bytes, at)
    if ('reason' in start) continue
    const codec = bytes[at + headerLength]
    if (start.kind === 'login' || codec === undefined || knownCodecs.has(codec)) return at
  }
  return bytes.length
}
