import type { BadReason } from '../codec.ts'
import { declaredEnd, isLineEnd, isMark, nextLineEnd, nextMark, wholeAt, type RawFrame, type UncheckedFrame } from './frame.ts'

/** A piece of a stream: a complete frame, a frame of a kind without checksum, or bytes that are neither. */
export type Piece =
  | { kind: 'frame'; frame: RawFrame }
  | { kind: 'unchecked'; frame: UncheckedFrame }
  | { kind: 'bad'; bytes: Uint8Array; reason: BadReason; detail: string }

/** Bytes without a start mark or line end are discarded in blocks of this size. */
const block = 1024
/** No frame is longer; the longest known ones (texts, pictures in parts) have about 1 KiB. */
const maxFrame = 4096
/** A frame is searched for within another one's length up to this size, so that each byte is examined a bounded number of times. */
const maxSearch = 512

/** The bytes, and up to where the previous read found that no frame ends. */
interface Stream {
  bytes: Uint8Array
  scanned: number
}

/**
 * Splits a stream into pieces and returns the incomplete rest. A length is trusted when the frame it describes is valid; else reading
 * continues at the next valid frame within that length, so that one bad byte costs one frame. `scanned` bytes are known from the previous
 * read and not searched again.
 */
export function splitStream(bytes: Uint8Array, scanned = 0): { pieces: Piece[]; rest: Uint8Array; scanned: number } {
  const pieces: Piece[] = []
  let at = 0
  while (at < bytes.length) {
    const piece = pieceAt({ bytes, scanned }, at)
    if (!piece) break
    pieces.push(piece)
    at += sizeOf(piece)
  }
  const rest = bytes.subarray(at)
  return { pieces, rest, scanned: rest.length }
}

function sizeOf(piece: Piece): number {
  return piece.kind === 'bad' ? piece.bytes.length : piece.frame.bytes.length
}

/** The piece at `at`; null while more bytes are needed. */
function pieceAt(stream: Stream, at: number): Piece | null {
  const { bytes } = stream
  if (!isMark(bytes, at)) return garbageAt(stream, at)
  const end = declaredEnd(bytes, at)
  if (end < 0) return null
  if (end - at > maxFrame) return bad(bytes, { from: at, to: at + 2, reason: 'tooLong', detail: `${end - at} bytes declared` })
  const frame = wholeAt(bytes, at)
  if (frame) return { kind: 'frame', frame }
  const isThere = end <= bytes.length
  if (isThere && !isLineEnd(bytes, end - 2)) return withoutLength(stream, at)
  const next = nextWhole(stream, at + 1, Math.min(end, bytes.length))
  if (next >= 0) return bad(bytes, { from: at, to: next, reason: isThere ? 'crc' : 'length', detail: 'another frame begins within' })
  return isThere ? bad(bytes, { from: at, to: end, reason: 'crc', detail: 'the checksum is another' }) : null
}

function garbageAt({ bytes, scanned }: Stream, at: number): Piece | null {
  // Garbage at the very beginning is the rest of the previous read.
  const mark = nextMark(bytes, at === 0 ? Math.max(0, scanned - 1) : at)
  if (mark < 0 && bytes.length - at <= block) return null
  const to = mark < 0 ? at + block : Math.min(mark, at + block)
  return bad(bytes, { from: at, to, reason: 'shape', detail: `${to - at} bytes before a start mark` })
}

/** A frame with a wrong length ends where its WiFi list does, else at the next valid frame or line end. */
function withoutLength(stream: Stream, at: number): Piece | null {
  const { bytes } = stream
  const listEnd = wifiListEnd(bytes, at)
  if (listEnd >= 0) return { kind: 'unchecked', frame: { bytes: bytes.subarray(at, listEnd), type: bytes[at + 3] ?? 0 } }
  const limit = Math.min(bytes.length, at + block)
  const end = nextLineEnd(bytes, at + 3, limit)
  const next = nextWhole(stream, at + 1, end < 0 ? limit : end)
  if (next >= 0) return bad(bytes, { from: at, to: next, reason: 'length', detail: 'another frame begins within' })
  if (end >= 0) return bad(bytes, { from: at, to: end, reason: 'length', detail: 'ends elsewhere than declared' })
  return bytes.length - at < block ? null : bad(bytes, { from: at, to: at + block, reason: 'length', detail: 'no line end' })
}

/**
 * Types 0x17 and 0x69 of some makers: number of access points (7 bytes each) in place of the length, type, 6 bytes of time, the points,
 * number of cells (5 bytes each), country and network, the cells. -1 when this is not one.
 */
function wifiListEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x78 || (bytes[at + 3] !== 0x17 && bytes[at + 3] !== 0x69)) return -1
  const cellsAt = at + 10 + (bytes[at + 2] ?? 0) * 7
  const end = cellsAt + 4 + (bytes[cellsAt] ?? 0) * 5 + 2
  return cellsAt < bytes.length && isLineEnd(bytes, end - 2) ? end : -1
}

/** Start of the next valid frame before `limit`; -1 when there is none. Frames that ended by the previous read were invalid. */
function nextWhole({ bytes, scanned }: Stream, from: number, limit: number): number {
  if (nextLineEnd(bytes, Math.max(from, scanned - 1), bytes.length) < 0) return -1
  for (let at = nextMark(bytes, Math.max(from, scanned - maxSearch), limit); at >= 0; at = nextMark(bytes, at + 1, limit)) {
    const end = declaredEnd(bytes, at)
    if (end > scanned && end - at <= maxSearch && wholeAt(bytes, at)) return at
  }
  return -1
}

function bad(bytes: Uint8Array, piece: { from: number; to: number; reason: BadReason; detail: string }): Piece {
  return { kind: 'bad', bytes: bytes.subarray(piece.from, piece.to), reason: piece.reason, detail: piece.detail }
}
