import { crcItu } from './crc.ts'

/** One complete frame with a valid checksum. `length` is the declared one: type, content, serial and checksum. */
export interface RawFrame {
  bytes: Uint8Array
  isExtended: boolean
  length: number
  type: number
  content: Uint8Array
  serial: number
}

/** A frame of type 0x17 or 0x69 with a count in place of the length and without checksum; `bytes` up to the line end. */
export interface UncheckedFrame {
  bytes: Uint8Array
  type: number
}

/** Builds a frame. `length` counts type, content, serial and checksum, in 2 bytes when the frame is extended. */
export function buildFrame(parts: { type: number; serial: number; content?: Uint8Array; isExtended?: boolean }): Uint8Array {
  const content = parts.content ?? new Uint8Array(0)
  const start = parts.isExtended ? 4 : 3
  const bytes = new Uint8Array(start + 1 + content.length + 6)
  const view = new DataView(bytes.buffer)
  const length = 1 + content.length + 4
  view.setUint16(0, parts.isExtended ? 0x7979 : 0x7878)
  if (parts.isExtended) view.setUint16(2, length)
  else view.setUint8(2, length)
  bytes[start] = parts.type
  bytes.set(content, start + 1)
  view.setUint16(bytes.length - 6, parts.serial)
  view.setUint16(bytes.length - 4, crcItu(bytes.subarray(2, bytes.length - 4)))
  view.setUint16(bytes.length - 2, lineEnd)
  return bytes
}

const lineEnd = 0x0d0a

export function pairAt(bytes: Uint8Array, at: number): number {
  return at >= 0 && at + 1 < bytes.length ? (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0) : -1
}

export function isLineEnd(bytes: Uint8Array, at: number): boolean {
  return pairAt(bytes, at) === lineEnd
}

export function isMark(bytes: Uint8Array, at: number): boolean {
  const pair = pairAt(bytes, at)
  return pair === 0x7878 || pair === 0x7979
}

/** Position of the next start mark from `from` and before `limit`; -1 when there is none (the last byte may be half of one). */
export function nextMark(bytes: Uint8Array, from: number, limit = bytes.length): number {
  for (let at = from; at < limit && at + 1 < bytes.length; at++) if (isMark(bytes, at)) return at
  return -1
}

/** Position after the first line end from `from`, at most `limit`; -1 when there is none. */
export function nextLineEnd(bytes: Uint8Array, from: number, limit: number): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(limit, bytes.length)).indexOf('\r\n', from, 'latin1')
  return at < 0 ? -1 : at + 2
}

/** The declared end of the frame at `at`; -1 while its length has not arrived. */
export function declaredEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0x78) return at + 2 < bytes.length ? at + 5 + (bytes[at + 2] ?? 0) : -1
  const length = pairAt(bytes, at + 2)
  return length < 0 ? -1 : at + 6 + length
}

/** The frame at `at`, when it has arrived completely, ends where its length says and has a valid checksum. */
export function wholeAt(bytes: Uint8Array, at: number): RawFrame | null {
  const end = declaredEnd(bytes, at)
  const isExtended = bytes[at] === 0x79
  const start = at + (isExtended ? 4 : 3)
  if (end < 0 || end > bytes.length || end - start < 7 || !isLineEnd(bytes, end - 2)) return null
  if (crcItu(bytes.subarray(at + 2, end - 4)) !== pairAt(bytes, end - 4)) return null
  return {
    bytes: bytes.subarray(at, end),
    isExtended,
    length: end - 2 - start,
    type: bytes[start] ?? 0,
    content: bytes.subarray(start + 1, end - 6),
    serial: pairAt(bytes, end - 6),
  }
}
