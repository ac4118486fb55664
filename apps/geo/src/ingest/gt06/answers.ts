import type { Message } from '../codec.ts'
import type { Fix } from '../../positions/fix.ts'
import { asciiOf, cursorOver } from './cursor.ts'

const position =
  /^Current position!Lat:([NS])(\d+\.\d+),Lon:([EW])(\d+\.\d+),Course:(\d+\.\d+),Speed:(\d+\.\d+),DateTime:(\d{4})-(\d\d)-(\d\d) +(\d\d):(\d\d):(\d\d)/

/**
 * Type 0x15: a length (0 from some makers: everything), the flag of the command, the text of the answer. SIM numbers arrive in the same
 * form.
 */
export function shortAnswer(content: Uint8Array, ack: Uint8Array): Message[] {
  if (content.length < 5) return [{ kind: 'ignored', what: 'an answer without words', ack }]
  const c = cursorOver(content)
  const length = c.u(1) || content.length - 1
  const correlation = String(c.u(4))
  const text = asciiOf(content.subarray(5, 1 + length)).replace(/[\x00-\x20]+$/, '')
  const iccid = /^<ICCID:(\w{18,22})/.exec(text)?.[1]
  if (iccid) return [{ kind: 'heartbeat', at: null, attributes: { iccid }, ack }]
  return [text ? { kind: 'answer', text, correlation, ack } : { kind: 'ignored', what: 'an answer without words', ack }]
}

/** Type 0x21: the flag of the command, the alphabet (1: ASCII, else UTF-16), the text; a position in the text is parsed as a fix too. */
export function longAnswer(content: Uint8Array, offsetMinutes: number): Message[] {
  if (content.length < 5) return [{ kind: 'ignored', what: 'an answer without words', ack: null }]
  const c = cursorOver(content)
  const correlation = String(c.u(4))
  const text = (c.u(1) === 1 ? asciiOf(c.take(c.left())) : utf16(c.take(c.left()))).trim()
  const fix = fixOf(text, offsetMinutes)
  const answer: Message = { kind: 'answer', text, correlation, ack: null }
  return fix ? [answer, { kind: 'fixes', fixes: [fix], ack: null }] : [answer]
}

/** Type 0x9B: data from the device on the tracker's serial port, as text when it is text. */
export function serialData(content: Uint8Array): Message[] {
  const data = content.subarray(1)
  const text = asciiOf(data)
  const result = /^[\x09-\x0d\x20-\x7e]*$/.test(text) ? text.trim() : Buffer.from(data).toString('hex')
  return [{ kind: 'heartbeat', at: null, attributes: result ? { result } : {}, ack: null }]
}

function fixOf(text: string, offsetMinutes: number): Fix | null {
  const found = position.exec(text)
  if (!found) return null
  const [north, latitude, east, longitude, course, speed, ...date] = found.slice(1) as [
    string,
    string,
    string,
    string,
    string,
    string,
    ...string[],
  ]
  const [year, month, day, hour, minute, second] = date.map(Number) as [number, number, number, number, number, number]
  const fixTime = Date.UTC(year, month - 1, day, hour, minute, second) - offsetMinutes * 60_000
  return {
    fixTime,
    deviceTime: fixTime,
    isValid: true,
    altitude: null,
    accuracy: null,
    attributes: {},
    latitude: Number(latitude) * (north === 'S' ? -1 : 1),
    longitude: Number(longitude) * (east === 'W' ? -1 : 1),
    course: Number(course),
    speed: Number(speed),
  }
}

function utf16(bytes: Uint8Array): string {
  return new TextDecoder('utf-16be').decode(bytes).replaceAll('\0', '')
}
