/**
 * A piece of a stream: a text sentence, the start of a sentence that never ends, a binary message (`$`, or `X`, whose content is not
 * documented), or other bytes.
 */
export interface Piece {
  kind: 'text' | 'binary' | 'undocumented' | 'garbage' | 'endless'
  bytes: Uint8Array
}

/** No sentence is longer. */
const maxText = 1024
/** Lengths of binary messages: the position alone, with a long identity, and with additions of some models. */
const minBinary = 32
const maxBinary = 64
/** This many bytes decide whether a message begins. */
const maxHead = 15
const lengths = [minBinary, 42, 45, 46, 48]

/**
 * Splits a stream into pieces and returns the incomplete rest. There is no checksum, so a start counts only when what follows can be a
 * message: `*`, two letters and a comma; `$`, decimal digits, a time and a date; `X` and digits. The previous read already examined
 * `scanned` bytes.
 */
export function splitStream(bytes: Uint8Array, scanned = 0): { pieces: Piece[]; rest: Uint8Array; scanned: number } {
  const pieces: Piece[] = []
  let at = 0
  while (at < bytes.length) {
    // What the previous read could not finish is at the beginning.
    const piece = pieceAt(bytes, at, at === 0 ? scanned : 0)
    if (piece === 'wait') break
    at += piece.bytes.length
    if (piece.kind !== 'garbage' || !/^[\r\n\0 ]*$/.test(Buffer.from(piece.bytes).toString('latin1'))) pieces.push(piece)
  }
  const rest = bytes.subarray(at)
  return { pieces, rest, scanned: rest.length }
}

/** The single message of a datagram that begins as a binary one and is no sequence of them, with any additions of its maker. */
export function splitDatagram(bytes: Uint8Array): { pieces: Piece[]; rest: Uint8Array } {
  const { pieces, rest } = splitStream(bytes)
  const isRow = rest.length === 0 && pieces.every(({ kind }) => kind !== 'garbage')
  const isOneBinary = pieces[0]?.kind === 'binary' && bytes.length <= maxBinary
  return isRow || !isOneBinary ? { pieces, rest } : { pieces: [{ kind: 'binary', bytes }], rest: bytes.subarray(bytes.length) }
}

function pieceAt(bytes: Uint8Array, at: number, scanned: number): Piece | 'wait' {
  const start = startAt(bytes, at)
  if (start === 'wait') return 'wait'
  if (start === 'text') return textAt(bytes, at, scanned)
  if (start === 'binary') return binaryAt(bytes, at)
  if (start === 'undocumented')
    return bytes.length - at < minBinary ? 'wait' : { kind: 'undocumented', bytes: bytes.subarray(at, at + minBinary) }
  return garbageAt(bytes, at, scanned)
}

/** What begins at `at`: `wait` while there are too few bytes to decide. */
function startAt(bytes: Uint8Array, at: number): 'text' | 'binary' | 'undocumented' | 'none' | 'wait' {
  if (bytes[at] !== 0x2a && bytes[at] !== 0x24 && bytes[at] !== 0x58) return 'none'
  const head = viewOf(bytes.subarray(at, at + maxHead))
  if (head[0] === 0x2a) {
    if (!/^\*([A-Za-z]|$)([A-Za-z]|$)(,|$)/.test(head.toString('latin1', 0, 4))) return 'none'
    return head.length < 4 ? 'wait' : 'text'
  }
  if (head[0] === 0x58) return !/^\d*$/.test(head.toString('hex', 1, 6)) ? 'none' : head.length < 6 ? 'wait' : 'undocumented'
  if (idBytes(head) > 0) return 'binary'
  return head.length < maxHead && /^\d*$/.test(head.toString('hex', 1)) ? 'wait' : 'none'
}

/** Bytes of identity (5, or 8 in long ones) before a time and a date; 0 when neither fits. */
export function idBytes(message: Uint8Array): number {
  const latestHour = 0x23
  if ((message[6] ?? 0) > latestHour && (message[9] ?? 0) > latestHour) return 0
  const digits = viewOf(message.subarray(1, 15)).toString('hex')
  const isAt = (at: number) =>
    /^\d+$/.test(digits.slice(0, at + 12)) &&
    /^([01]\d|2[0-3])[0-5]\d[0-6]\d(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])\d\d$/.test(digits.slice(at, at + 12))
  const isLong = message.length === 42 && isAt(16)
  if (isLong) return 8
  return isAt(10) ? 5 : isAt(16) ? 8 : 0
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function textAt(bytes: Uint8Array, at: number, scanned: number): Piece | 'wait' {
  const limit = Math.min(bytes.length, at + maxText)
  for (let end = at + Math.max(4, scanned - maxHead); end < limit; end++) {
    if (bytes[end] === 0x23) return { kind: 'text', bytes: bytes.subarray(at, end + 1) }
    if (startAt(bytes, end) === 'text') return { kind: 'endless', bytes: bytes.subarray(at, end) }
  }
  return limit < at + maxText ? 'wait' : { kind: 'endless', bytes: bytes.subarray(at, limit) }
}

/**
 * A binary message has no length: it ends at one of the known lengths where the next start is or the bytes end. More bytes than that
 * without a start are the shortest message followed by garbage.
 */
function binaryAt(bytes: Uint8Array, at: number): Piece | 'wait' {
  const left = bytes.length - at
  for (const length of lengths) {
    if (left === length || (left > length && isNext(bytes, at + length))) return { kind: 'binary', bytes: bytes.subarray(at, at + length) }
  }
  if (left < (lengths.at(-1) ?? 0)) return 'wait'
  return { kind: 'binary', bytes: bytes.subarray(at, at + minBinary) }
}

function isNext(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x0d || bytes[at] === 0x0a || startAt(bytes, at) !== 'none'
}

/** Garbage up to the next start, in blocks where none comes. */
function garbageAt(bytes: Uint8Array, from: number, scanned: number): Piece | 'wait' {
  for (let at = from + Math.max(1, scanned - maxHead); at < bytes.length && at - from < maxText; at++) {
    const start = startAt(bytes, at)
    if (start === 'wait') return 'wait'
    if (start !== 'none') return { kind: 'garbage', bytes: bytes.subarray(from, at) }
  }
  if (bytes.length - from < maxText)
    return scanned === 0 && isBlank(bytes.subarray(from)) ? { kind: 'garbage', bytes: bytes.subarray(from) } : 'wait'
  return { kind: 'garbage', bytes: bytes.subarray(from, from + maxText) }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x0d || byte === 0x0a || byte === 0 || byte === 0x20)
}
