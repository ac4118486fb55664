import type { Message } from '../codec.ts'
import type { Attributes } from '../../positions/fix.ts'
import { networkOf } from '../network.ts'
import { numberOf, replyTo, statusIf, tower, who, type Sentence } from './parts.ts'
import { degreesOf, fixOf, timeOf } from './place.ts'
import { batteryOf } from './status.ts'
import { readPlace } from './text-place.ts'

/** The messages of a sentence: one message, or an answer and the position it was sent from. */
export function readSentence(text: string, now: number): Message[] {
  const [, id, kind, ...fields] = text
    .slice(1, -1)
    .split(',')
    .map((part) => part.trim())
  if (id === undefined || kind === undefined) return [{ kind: 'bad', reason: 'shape', detail: 'no identity and kind' }]
  if (!/^\d{0,20}$/.test(id)) return [{ kind: 'bad', reason: 'shape', detail: 'the identity has other signs than digits' }]
  const sentence: Sentence = { ...(id ? { uniqueId: id } : {}), kind, fields, now }
  return kinds.get(kind)?.(sentence) ?? (/^V\w*$/.test(kind) ? readPlace(sentence) : [ignored(sentence)])
}

const kinds: ReadonlyMap<string, (sentence: Sentence) => Message[]> = new Map([
  ['HTBT', battery],
  ['V0', battery],
  ['LINK', link],
  ['NBR', cellsAround],
  ['V3', cellsOfWatch],
  ['VP1', fromPhone],
  ['SMS', textAnswer],
])

function textAnswer(sentence: Sentence): Message[] {
  return [{ ...who(sentence), kind: 'answer', text: sentence.fields.join(','), ack: null }]
}

function ignored(sentence: Sentence): Message {
  return { ...who(sentence), kind: 'ignored', reason: 'unknownType', what: `a sentence ${sentence.kind || 'without a kind'}`, ack: null }
}

/** The battery in per cent; the reply repeats the sentence without it. */
function battery(sentence: Sentence): Message[] {
  const level = Number(sentence.fields[0] || Number.NaN)
  const ack = sentence.uniqueId ? new TextEncoder().encode(`*HQ,${sentence.uniqueId},${sentence.kind}#`) : null
  return [{ ...who(sentence), kind: 'heartbeat', at: null, attributes: Number.isInteger(level) ? { batteryLevel: level } : {}, ack }]
}

/** `hhmmss,signal,satellites,battery,steps,turnovers,ddmmyy,status`. */
function link(sentence: Sentence): Message[] {
  const [clock, rssi, sat, level, steps, turnovers, day, status = ''] = sentence.fields
  const attributes = { ...numbers({ rssi, sat, batteryLevel: level, steps, turnovers }), ...statusIf(status) }
  return [{ ...who(sentence), kind: 'heartbeat', at: timeOf(clock, day, sentence.now), attributes, ack: null }]
}

/** `hhmmss,mcc,mnc,delay,count,(lac,cid,signal)...,ddmmyy,status[,battery]`. */
function cellsAround(sentence: Sentence): Message[] {
  const [clock, mcc, mnc, , count] = sentence.fields
  const end = 5 + Number(count) * 3
  const cells = groups(sentence.fields.slice(5, end), 3).map(([lac, cid, rssi]) => tower([mcc, mnc, lac, cid], rssi))
  const [day, status = '', level] = sentence.fields.slice(end)
  const attributes = { ...networkOf(cells.filter((cell) => cell !== null)), ...statusIf(status), ...batteryOf(Number(level)) }
  return [around(sentence, timeOf(clock, day, sentence.now), attributes, replyTo(sentence))]
}

/** `hhmmss,mcc and mnc in one,count,(lac,cid,signal,)...,battery,reboots,X,ddmmyy,status`. */
function cellsOfWatch(sentence: Sentence): Message[] {
  const [clock, operator = '', count] = sentence.fields
  const cells = groups(sentence.fields.slice(3, 3 + Number(count) * 4), 4).map(([lac, cid]) =>
    tower([operator.slice(0, 3), operator.slice(3), lac, cid]),
  )
  const [day, status = ''] = sentence.fields.slice(-2)
  return [
    around(sentence, timeOf(clock, day, sentence.now), { ...networkOf(cells.filter((cell) => cell !== null)), ...statusIf(status) }, null),
  ]
}

/** `V,mcc,mnc,lac,cid,signalYlac,cid,signal...`, without a time; or a place with its day: `A,latitude,N|S,longitude,E|W,knots,course,ddmmyy`. */
function fromPhone(sentence: Sentence): Message[] {
  const [validity, mcc, mnc, ...rest] = sentence.fields
  if (validity !== 'V') return [placeOfPhone(sentence)]
  const cells = rest
    .join(',')
    .split('Y')
    .map((cell) => cell.split(','))
    .map(([lac, cid]) => tower([mcc, mnc, lac, cid]))
  return [around(sentence, null, networkOf(cells.filter((cell) => cell !== null)), null)]
}

/** The phone sends only a date: for today the fix time is the time of arrival, for an earlier day the start of that day. */
function placeOfPhone(sentence: Sentence): Message {
  const [validity, latitude = '', hemisphere = '', longitude = '', side = '', knots, course, day] = sentence.fields
  const begin = timeOf('000000', day, sentence.now)
  if (begin === null) return around(sentence, null, {}, null)
  const isToday = sentence.now >= begin && sentence.now < begin + 86_400_000
  const fix = fixOf({
    time: isToday ? Math.trunc(sentence.now / 1_000) * 1_000 : begin,
    isValid: validity === 'A',
    attributes: {},
    latitude: degreesOf(latitude, hemisphere),
    longitude: degreesOf(longitude, side),
    knots: numberOf(knots),
    course: numberOf(course),
  })
  return { ...who(sentence), kind: 'fixes', fixes: [fix], ack: null }
}

/** Cells and access points become a fix without a place when their time is known, else a heartbeat. */
function around(sentence: Sentence, time: number | null, attributes: Attributes, ack: Uint8Array | null): Message {
  if (time === null) return { ...who(sentence), kind: 'heartbeat', at: null, attributes, ack }
  const nowhere = { latitude: null, longitude: null, isValid: false, altitude: null, speed: null, course: null, accuracy: null }
  return { ...who(sentence), kind: 'fixes', fixes: [{ fixTime: time, deviceTime: time, ...nowhere, attributes }], ack }
}

function numbers(fields: Readonly<Record<string, string | undefined>>): Attributes {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => /^-?\d+$/.test(value ?? ''))
      .map(([name, value]) => [name, Number(value)]),
  )
}

function groups(fields: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.floor(fields.length / size) }, (_, index) => fields.slice(index * size, (index + 1) * size))
}
