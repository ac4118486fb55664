import type { Message } from '../codec.ts'
import type { Attributes } from '../../positions/fix.ts'
import { networkOf } from '../network.ts'
import { numberOf, replyTo, statusIf, tower, who, type Sentence } from './parts.ts'
import { degreesOf, fixOf, timeOf } from './place.ts'
import { batteryOf } from './status.ts'

/**
 * Sentences with a position (V1, V4, V5, V8, V19, VI1 ...): `hhmmss,A|V|B or a
 * coding,latitude,N|S,longitude,E|W,knots,course[,battery],ddmmyy[,,address,SIM],status[,more]`. A position without a date is dropped
 * and counts as a heartbeat. V4 has the answer to a command in front of it.
 */
export function readPlace(sentence: Sentence): Message[] {
  const { fields, now, kind } = sentence
  const north = fields.findIndex((field, index) => index >= 3 && /^[NS]$/.test(field) && /^[EW]$/.test(fields[index + 2] ?? ''))
  const answer = kind === 'V4' ? answerOf(sentence, north < 0 ? fields.length : north - 3) : []
  const ack = kind === 'V1' ? replyTo(sentence) : null
  if (north < 0)
    return answer.length > 0
      ? answer
      : [{ ...who(sentence), kind: 'ignored', reason: 'shape', what: `a sentence ${kind} without a place`, ack }]
  const [clock, validity = '', latitude = '', hemisphere = '', longitude = '', side = '', knots, course, ...rest] = fields.slice(north - 3)
  const hasBattery = /^\d{1,3}$/.test(rest[0] ?? '') && /^\d{6}$/.test(rest[1] ?? '')
  const [day, ...more] = hasBattery ? rest.slice(1) : rest
  const { attributes, altitude } = moreOf(more)
  if (hasBattery) Object.assign(attributes, batteryOf(Number(rest[0])))
  const time = timeOf(clock, day, now)
  if (time === null) return [...answer, { ...who(sentence), kind: 'heartbeat', at: null, attributes, ack }]
  const fix = fixOf({
    time,
    isValid: validity === 'A' || /^\d+$/.test(validity),
    attributes,
    altitude,
    latitude: degreesOf(latitude, hemisphere),
    longitude: degreesOf(longitude, side),
    knots: numberOf(knots),
    course: numberOf(course),
  })
  return [...answer, { ...who(sentence), kind: 'fixes', fixes: [fix], ack }]
}

/** The answer in V4: the device's text, then the timestamp of the command, which is the correlation as a second of the day. */
function answerOf(sentence: Sentence, end: number): Message[] {
  const words = sentence.fields.slice(0, end)
  const stamp = /^(\d\d)(\d\d)(\d\d)$/.exec(words.at(-1) ?? '')
  const text = (stamp ? words.slice(0, -1) : words).join(',')
  if (!text) return []
  const correlation = stamp ? String(Number(stamp[1]) * 3600 + Number(stamp[2]) * 60 + Number(stamp[3])) : undefined
  return [{ ...who(sentence), kind: 'answer', text, ...(correlation === undefined ? {} : { correlation }), ack: null }]
}

/** The fields after the date: the status (possibly after an address and a SIM number), then additions of the model. */
function moreOf(fields: readonly string[]): { attributes: Attributes; altitude: number | null } {
  const at = [0, 3].find((index) => /^[0-9a-f]{8}$/i.test(fields[index] ?? ''))
  if (at === undefined) return { attributes: {}, altitude: null }
  const status = statusIf(fields[at] ?? '')
  const sim: Attributes = at === 3 && /^\d{18,22}$/.test(fields[2] ?? '') ? { iccid: fields[2] ?? '' } : {}
  const extra = fields.slice(at + 1)
  const sensors = sensorsOf(extra)
  if (sensors) return { attributes: { ...status, ...sim, ...sensors.attributes }, altitude: sensors.altitude }
  return { attributes: { ...status, ...sim, ...(cellOf(extra) ?? numbered(extra)) }, altitude: null }
}

/** `odometer,temperature,fuel,altitude,lac,cid`, the last two hexadecimal. */
function sensorsOf(extra: readonly string[]): { attributes: Attributes; altitude: number } | null {
  const found = /^(\d+),(-?\d+),(\d+\.\d+),(-?\d+),[0-9a-f]+,[0-9a-f]+$/i.exec(extra.join(','))
  if (!found) return null
  return { attributes: { odometer: Number(found[1]), temp1: Number(found[2]), fuelLevel: Number(found[3]) }, altitude: Number(found[4]) }
}

/** `mcc,mnc,lac,cid[,battery]` in decimal digits; null when the fields are something else. */
function cellOf(extra: readonly string[]): Attributes | null {
  const isCell =
    extra.length >= 4 &&
    extra.length <= 5 &&
    extra.every((field) => /^\d+$/.test(field)) &&
    Number(extra[0]) >= 200 &&
    Number(extra[0]) < 800
  if (!isCell) return null
  const cell = tower(extra.slice(0, 4))
  return { ...networkOf(cell ? [cell] : []), ...batteryOf(Number(extra[4])) }
}

/** Fields without a name, by their position. */
function numbered(extra: readonly string[]): Attributes {
  return Object.fromEntries(extra.flatMap((field, index) => (field ? [[`io${index + 1}`, field]] : [])))
}
