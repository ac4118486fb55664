import type { Message } from '../codec.ts'
import type { Fix } from '../../positions/fix.ts'
import { cursorOver, hexOf } from './cursor.ts'
import { readGh3000 } from './gh3000.ts'
import type { IoTable } from './io-table.ts'
import { isRecordCodec, readRecords } from './records.ts'

export interface PacketReading {
  now: number
  table: IoTable
  uniqueId?: string
  ackOf: (count: number) => Uint8Array
}

const camera = 0x0d
const gh3000 = 0x07
const refusedCommand = 0x11

/** Reads the data field of a packet: codec id, count, content, count. Its length and CRC were verified before. */
export function readPacket(data: Uint8Array, reading: PacketReading): Message {
  const [codec = 0, count = 0] = data
  const closing = data.at(-1)
  if (data.length < 3) return { kind: 'bad', reason: 'length', detail: `a data field of ${data.length} bytes` }
  if (![0x0c, 0x0d, 0x0e, gh3000].includes(codec) && !isRecordCodec(codec))
    return { kind: 'bad', reason: 'unknownType', detail: `codec 0x${hexOf(data.subarray(0, 1))}` }
  if (count !== closing) return { kind: 'bad', reason: 'count', detail: `${count} records announced, ${closing} at the end` }
  const bytes = data.subarray(2, -1)
  const from = reading.uniqueId === undefined ? {} : { uniqueId: reading.uniqueId }
  if (codec !== gh3000 && !isRecordCodec(codec)) return { ...textMessage(codec, count, bytes), ...from }
  const fixes = isRecordCodec(codec)
    ? readRecords({ codec, count, bytes, now: reading.now, table: reading.table })
    : readGh3000(bytes, count, reading.now)
  if (!fixes) return { kind: 'bad', reason: 'shape', detail: `${count} records do not fill ${bytes.length} bytes` }
  return { kind: 'fixes', fixes, ack: reading.ackOf(count), ...from }
}

interface Part {
  type: number
  content: Uint8Array
}

/** Codecs 12 (answers, cameras), 13 (a serial line, with time) and 14 (answers with the IMEI). None of them is acknowledged: the device would log an error. */
function textMessage(codec: number, count: number, bytes: Uint8Array): Message {
  const parts = partsOf(bytes, count, 0) ?? (codec === 0x0d ? partsOf(bytes, count, 4) : null)
  const [first] = parts ?? []
  if (!parts || !first) return { kind: 'bad', reason: 'shape', detail: `${count} messages do not fill ${bytes.length} bytes` }
  if (codec === 0x0d) return serialLine(parts)
  if (codec === 0x0c && first.type === camera) return { kind: 'ignored', what: 'picture of a camera', ack: null }
  const texts = parts.map(({ content }) => textOf(codec === 0x0e ? content.subarray(8) : content))
  if (codec === 0x0c) return { kind: 'answer', text: texts.join('\n'), ack: null }
  if (first.content.length < 8) return { kind: 'bad', reason: 'shape', detail: 'codec 14 without an IMEI' }
  const uniqueId = hexOf(first.content.subarray(0, 8)).replace(/^0/, '')
  return {
    kind: 'answer',
    uniqueId,
    text: first.type === refusedCommand ? 'refused: the command was for another IMEI' : texts.join('\n'),
    ack: null,
  }
}

/** `beside`: bytes of each content that its length leaves out; some units do not count the time of Codec 13. */
function partsOf(bytes: Uint8Array, count: number, beside: number): Part[] | null {
  const cursor = cursorOver(bytes)
  const parts: Part[] = []
  while (parts.length < count && !cursor.isOver())
    parts.push({ type: cursor.unsigned(1), content: cursor.slice(cursor.unsigned(4) + beside) })
  return cursor.isOver() || cursor.left() > 0 ? null : parts
}

/** Data from the device's serial port, with its time and no place; a tachograph card reader names the driver. */
function serialLine(parts: readonly Part[]): Message {
  const fixes = parts
    .filter(({ content }) => content.length >= 4)
    .map(({ content }): Fix => {
      const time = cursorOver(content).unsigned(4) * 1000
      const text = textOf(content.subarray(4))
      const driver = text.startsWith('GTSL') ? text.split('|')[4] : undefined
      const nowhere = { latitude: null, longitude: null, altitude: null, speed: null, course: null, accuracy: null, isValid: false }
      return { fixTime: time, deviceTime: time, ...nowhere, attributes: driver ? { driverUniqueId: driver } : { result: text } }
    })
  return { kind: 'fixes', fixes, ack: null }
}

/** Text where it is readable, else hex. */
function textOf(content: Uint8Array): string {
  const isText = content.every((byte) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13)
  return isText ? Buffer.from(content).toString('latin1').trim() : hexOf(content)
}
