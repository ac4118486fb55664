import type { Codec, Frame, Message } from '../codec.ts'
import { encodeCommand } from './command.ts'
import { crcOf } from './crc.ts'
import { hexOf } from './cursor.ts'
import { ioTableOf, type IoTable } from './io-table.ts'
import { readPacket } from './packet.ts'
import { pieceAt } from './stream.ts'

/**
 * Teltonika devices: Codec 7 (GH3000), 8, 8 Extended and 16 over TCP and UDP, answers of Codec 12, 13 and 14. The model of the device
 * decides the meaning of its IO ids; without it they are read as the FMB family's.
 */
export const teltonika: Codec & Required<Pick<Codec, 'readDatagram'>> = {
  name: 'teltonika',
  read: (bytes, now, known) => readStream(bytes, now, ioTableOf(known?.model ?? null)),
  readDatagram: (bytes, now, known) => [{ bytes, message: readDatagram(bytes, now, ioTableOf(known?.model ?? null)) }],
  encode: encodeCommand,
}

function readStream(bytes: Uint8Array, now: number, table: IoTable): { frames: Frame[]; rest: Uint8Array } {
  const frames: Frame[] = []
  let at = 0
  while (at < bytes.length) {
    const piece = pieceAt(bytes, at)
    if (piece.kind === 'wait') break
    const frame = bytes.subarray(at, at + piece.length)
    at += piece.length
    if (piece.kind === 'garbage') frames.push({ bytes: frame, message: { kind: 'bad', reason: piece.reason, detail: piece.detail } })
    else if (piece.kind === 'keepAlive') frames.push({ bytes: frame, message: { kind: 'heartbeat', at: null, attributes: {}, ack: null } })
    else if (piece.kind === 'login') frames.push({ bytes: frame, message: login(frame) })
    else frames.push({ bytes: frame, message: packet(frame, now, table) })
  }
  return { frames, rest: bytes.subarray(at) }
}

function login(frame: Uint8Array): Message {
  return { kind: 'login', uniqueId: Buffer.from(frame.subarray(2)).toString('latin1'), ack: Uint8Array.of(1), refusal: Uint8Array.of(0) }
}

function packet(frame: Uint8Array, now: number, table: IoTable): Message {
  const data = frame.subarray(8, -4)
  const said = new DataView(frame.buffer, frame.byteOffset + frame.length - 4, 4).getUint32(0)
  const computed = crcOf(data)
  if (said !== computed) return { kind: 'bad', reason: 'crc', detail: `CRC ${said.toString(16)} instead of ${computed.toString(16)}` }
  return readPacket(data, { now, table, ackOf: (count) => Uint8Array.of(0, 0, 0, count) })
}

/** Length, packet id, an unused byte, AVL packet id, IMEI and the data field, which has no CRC here; the reply repeats the ids. */
function readDatagram(bytes: Uint8Array, now: number, table: IoTable): Message {
  if (bytes.length < 8) return { kind: 'bad', reason: 'length', detail: `a datagram of ${bytes.length} bytes` }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint16(0) !== bytes.length - 2)
    return { kind: 'bad', reason: 'length', detail: `${view.getUint16(0)} bytes announced, ${bytes.length - 2} came` }
  const imeiEnd = 8 + view.getUint16(6)
  const uniqueId = Buffer.from(bytes.subarray(8, imeiEnd)).toString('latin1')
  if (imeiEnd > bytes.length || !/^\d{14,17}$/.test(uniqueId))
    return { kind: 'bad', reason: 'shape', detail: `no IMEI in ${hexOf(bytes.subarray(0, 32))}` }
  const ids = bytes.subarray(2, 6)
  return readPacket(bytes.subarray(imeiEnd), { now, table, uniqueId, ackOf: (count) => Uint8Array.of(0, 5, ...ids, count) })
}
