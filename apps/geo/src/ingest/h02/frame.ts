/**
 * A piece of a stream: a sentence in words, the beginning of one that never ends, a binary message (`$`, or `X`, whose
 * content nobody documents), or bytes that are none of them.
 */
export interface Piece { kind: 'text' | 'binary' | 'undocumented' | 'garbage' | 'endless', bytes: Uint8Array }

/** A sentence is never longer. */
const longestText = 1024
/** Lengths of binary messages: the place alone, with a long identity and with what some models add. */
const shortest = 32
const longestBinary = 64
/** So many bytes say whether a message begins. */
const longestHead = 15
const lengths = [shortest, 42, 45, 46, 48]

/**
 * Cuts a stream into pieces, and gives back what is not whole yet. There is no checksum, so a start counts only when
 * what follows can be a message: `*`, two letters and a comma; `$`, decimal digits, a time and a date; `X` and digits.
 * `looked` bytes were looked at by the read before.
 */
export function cut(bytes: Uint8Array, looked = 0): { pieces: Piece[], rest: Uint8Array, looked: number } {
  const pieces: Piece[] = []
  let at = 0
  while (at < bytes.length) {
    // What the read before could not finish stands at the beginning.
    const piece = pieceAt(bytes, at, at === 0 ? looked : 0)
    if (piece === 'wait') break
    at += piece.bytes.length
    if (piece.kind !== 'garbage' || !/^[\r\n\0 ]*$/.test(Buffer.from(piece.bytes).toString('latin1'))) pieces.push(piece)
  }
  const rest = bytes.subarray(at)
  return { pieces, rest, looked: rest.length }
}

/** The one message of a datagram that begins as a binary one and is no row of them, whatever its maker has added to it. */
export function cutDatagram(bytes: Uint8Array): { pieces: Piece[], rest: Uint8Array } {
  const { pieces, rest } = cut(bytes)
  const isRow = rest.length === 0 && pieces.every(({ kind }) => kind !== 'garbage')
  const isOneBinary = pieces[0]?.kind === 'binary' && bytes.length <= longestBinary
  return isRow || !isOneBinary ? { pieces, rest } : { pieces: [{ kind: 'binary', bytes }], rest: bytes.subarray(bytes.length) }
}

function pieceAt(bytes: Uint8Array, at: number, looked: number): Piece | 'wait' {
  const start = startAt(bytes, at)
  if (start === 'wait') return 'wait'
  if (start === 'text') return textAt(bytes, at, looked)
  if (start === 'binary') return binaryAt(bytes, at)
  if (start === 'undocumented') return bytes.length - at < shortest ? 'wait' : { kind: 'undocumented', bytes: bytes.subarray(at, at + shortest) }
  return garbageAt(bytes, at, looked)
}

/** What begins at `at`: `wait` while too few bytes are there to say. */
function startAt(bytes: Uint8Array, at: number): 'text' | 'binary' | 'undocumented' | 'none' | 'wait' {
  if (bytes[at] !== 0x2a && bytes[at] !== 0x24 && bytes[at] !== 0x58) return 'none'
  const head = viewOf(bytes.subarray(at, at + longestHead))
  if (head[0] === 0x2a) {
    if (!/^\*([A-Za-z]|$)([A-Za-z]|$)(,|$)/.test(head.toString('latin1', 0, 4))) return 'none'
    return head.length < 4 ? 'wait' : 'text'
  }
  if (head[0] === 0x58) return !/^\d*$/.test(head.toString('hex', 1, 6)) ? 'none' : head.length < 6 ? 'wait' : 'undocumented'
  if (idBytes(head) > 0) return 'binary'
  return head.length < longestHead && /^\d*$/.test(head.toString('hex', 1)) ? 'wait' : 'none'
}

/** How many bytes of identity (5, or 8 in long ones) stand before a time and a date; 0 when neither fits. */
export function idBytes(message: Uint8Array): number {
  const latestHour = 0x23
  if ((message[6] ?? 0) > latestHour && (message[9] ?? 0) > latestHour) return 0
  const digits = viewOf(message.subarray(1, 15)).toString('hex')
  const isAt = (at: number) => /^\d+$/.test(digits.slice(0, at + 12))
    && /^([01]\d|2[0-3])[0-5]\d[0-6]\d(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])\d\d$/.test(digits.slice(at, at + 12))
  const isLong = message.length === 42 && isAt(16)
  if (isLong) return 8
  return isAt(10) ? 5 : isAt(16) ? 8 : 0
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function textAt(bytes: Uint8Array, at: number, looked: number): Piece | 'wait' {
  const limit = Math.min(bytes.length, at + longestText)
  for (let end = at + Math.max(4, looked - longestHead); end < limit; end++) {
    if (bytes[end] === 0x23) return { kind: 'text', bytes: bytes.subarray(at, end + 1) }
    if (startAt(bytes, end) === 'text') return { kind: 'endless', bytes: bytes.subarray(at, end) }
  }
  return limit < at + longestText ? 'wait' : { kind: 'endless', bytes: bytes.subarray(at, limit) }
}

/**
 * A binary message has no length: it ends at one of the known lengths where the next start stands or the bytes end.
 * More than that without a start is the shortest message and garbage.
 */
function binaryAt(bytes: Uint8Array, at: number): Piece | 'wait' {
  const left = bytes.length - at
  for (const length of lengths) {
    if (left === length || (left > length && isNext(bytes, at + length))) return { kind: 'binary', bytes: bytes.subarray(at, at + length) }
  }
  if (left < (lengths.at(-1) ?? 0)) return 'wait'
  return { kind: 'binary', bytes: bytes.subarray(at, at + shortest) }
}

function isNext(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x0d || bytes[at] === 0x0a || startAt(bytes, at) !== 'none'
}

/** Everything up to the next start; in blocks where none comes. */
function garbageAt(bytes: Uint8Array, from: number, looked: number): Piece | 'wait' {
  for (let at = from + Math.max(1, looked - longestHead); at < bytes.length && at - from < longestText; at++) {
    const start = startAt(bytes, at)
    if (start === 'wait') return 'wait'
    if (start !== 'none') return { kind: 'garbage', bytes: bytes.subarray(from, at) }
  }
  if (bytes.length - from < longestText) return looked === 0 && isBlank(bytes.subarray(from)) ? { kind: 'garbage', bytes: bytes.subarray(from) } : 'wait'
  return { kind: 'garbage', bytes: bytes.subarray(from, from + longestText) }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x0d || byte === 0x0a || byte === 0 || byte === 0x20)
}
