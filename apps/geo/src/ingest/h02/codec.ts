import type { Codec, Frame, Message } from '../codec.ts'
import { readBinary } from './binary.ts'
import { encodeCommand } from './command.ts'
import { splitStream, splitDatagram, type Piece } from './frame.ts'
import { readSentence } from './sentence.ts'

/**
 * H02 over TCP and UDP, as used by cheap relay and OBD trackers: sentences and binary messages, mixed. Every message names its device;
 * there is no login and no checksum, so a message with any invalid digit is bad.
 */
export const h02: Codec = {
  name: 'h02',
  read(bytes, now, _known, scanned = 0) {
    const { pieces, ...left } = splitStream(bytes, scanned)
    return { frames: pieces.flatMap((piece) => framesOf(piece, now)), ...left }
  },
  readDatagram(bytes, now) {
    const { pieces, rest } = splitDatagram(bytes)
    const cutOff: Frame[] =
      rest.length > 0 ? [{ bytes: rest, message: { kind: 'bad', reason: 'length', detail: 'the datagram ends within a message' } }] : []
    return [...pieces.flatMap((piece) => framesOf(piece, now)), ...cutOff]
  },
  encode: encodeCommand,
}

function framesOf(piece: Piece, now: number): Frame[] {
  return messagesOf(piece, now).map((message) => ({ bytes: piece.bytes, message }))
}

function messagesOf({ kind, bytes }: Piece, now: number): Message[] {
  switch (kind) {
    case 'text':
      return readSentence(Buffer.from(bytes).toString('latin1'), now)
    case 'binary':
      return [readBinary(bytes, now)]
    case 'undocumented':
      return [{ kind: 'ignored', reason: 'unknownType', what: 'a binary message X', ack: null }]
    case 'endless':
      return [{ kind: 'bad', reason: 'length', detail: `${bytes.length} bytes and no end of the sentence` }]
    case 'garbage':
      return [{ kind: 'bad', reason: 'shape', detail: `${bytes.length} bytes before a start` }]
  }
}
