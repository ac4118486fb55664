import type { Message } from '../codec.ts'
import { idBytes } from './frame.ts'
import { degreesOf, fixOf, timeOf } from './place.ts'
import { batteryOf, statusOf } from './status.ts'

/**
 * A binary message, in decimal digits except for its ends: identity, `hhmmss`, `ddmmyy`, latitude `ddmmmmmm`, battery, longitude
 * `dddmmmmmm`, flags (8 east, 4 north, 2 valid), speed in knots, course, four bytes of status.
 */
export function readBinary(bytes: Uint8Array, now: number): Message {
  const size = idBytes(bytes)
  const digits = Buffer.from(bytes).toString('hex').slice(2)
  const uniqueId = digits.slice(0, size === 8 ? 15 : 10)
  const rest = digits.slice(size * 2)
  const parts = /^(\d{6})(\d{6})(\d{8})([0-9a-f]{2})(\d{9})([0-9a-f])(\d{3})(\d{3})([0-9a-f]{8})/.exec(rest)
  if (!parts) return { kind: 'bad', reason: 'shape', detail: 'signs other than digits where digits belong' }
  const [clock, day, latitude, battery, longitude, flag, knots, course, status] = parts.slice(1) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const flags = Number.parseInt(flag, 16)
  const attributes = { ...batteryOf(Number.parseInt(battery, 16)), ...statusOf(status) }
  const time = timeOf(clock, day, now)
  if (time === null) return { kind: 'heartbeat', uniqueId, at: null, attributes, ack: null }
  const fix = fixOf({
    time,
    isValid: (flags & 2) !== 0,
    knots: Number(knots),
    course: Number(course) % 360,
    attributes,
    latitude: degreesOf(latitude, flags & 4 ? 'N' : 'S'),
    longitude: degreesOf(longitude, flags & 8 ? 'E' : 'W'),
  })
  return { kind: 'fixes', uniqueId, fixes: [fix], ack: null }
}
