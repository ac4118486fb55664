import type { Attributes, Fix } from '../../positions/fix.ts'
import { networkOf } from '../network.ts'
import { withoutRollover } from '../rollover.ts'
import { cursorOver, type Cursor } from './cursor.ts'
import { attributesOf, type IoElement } from './io-values.ts'
import { gh3000Ios } from './io-table.ts'

/** Seconds of a record count from this epoch. */
const epoch = Date.UTC(2007, 0, 1)
const turn = 360 / 256

/**
 * Codec 7 of GH3000: records whose masks declare their fields and groups. Reads exactly `count` records that fill the bytes exactly;
 * null when they do not.
 */
export function readGh3000(bytes: Uint8Array, count: number, now: number): Fix[] | null {
  const cursor = cursorOver(bytes)
  const fixes: Fix[] = []
  while (fixes.length < count && !cursor.isOver()) fixes.push(readRecord(cursor, now))
  return cursor.isOver() || cursor.left() > 0 ? null : fixes
}

function readRecord(cursor: Cursor, now: number): Fix {
  const first = cursor.unsigned(4)
  const time = withoutRollover(epoch + (first & 0x3fff_ffff) * 1_000, now)
  const priority = first >>> 30
  const has = maskOf(cursor.unsigned(1))
  const { attributes: around, ...place } = has(0) ? readPlace(cursor) : nowhere
  const elements = [1, 2, 4].flatMap((width, index) => (has(index + 1) ? group(cursor, width) : []))
  const attributes = { ...(priority > 0 && { priority }), ...around, ...attributesOf(elements, gh3000Ios, 0) }
  return { fixTime: time, deviceTime: time, accuracy: null, ...place, attributes }
}

type Place = Pick<Fix, 'latitude' | 'longitude' | 'altitude' | 'course' | 'speed' | 'isValid' | 'attributes'>
const nowhere: Place = { latitude: null, longitude: null, altitude: null, course: null, speed: null, isValid: false, attributes: {} }

const maskOf = (mask: number) => (bit: number) => ((mask >> bit) & 1) === 1

/** Fields are in the order of their bits: coordinates, altitude, course, km/h, satellites, cell, its signal, the operator. */
function readPlace(cursor: Cursor): Place {
  const has = maskOf(cursor.unsigned(1))
  const coordinates = has(0) ? { latitude: cursor.float(), longitude: cursor.float() } : { latitude: null, longitude: null }
  const altitude = has(1) ? cursor.unsigned(2) : null
  const course = has(2) ? cursor.unsigned(1) * turn : null
  const speed = has(3) ? cursor.unsigned(1) : null
  const sat = has(4) ? cursor.unsigned(1) : null
  const isValid = coordinates.latitude !== null && sat !== 0
  return { ...coordinates, altitude, course, speed, isValid, attributes: { ...(sat !== null && { sat }), ...readNetwork(cursor, has) } }
}

/** A cell needs its country and network, which the operator field has: without it the numbers are stored alone. */
function readNetwork(cursor: Cursor, has: (bit: number) => boolean): Attributes {
  const cell = has(5) ? { lac: cursor.unsigned(2), cellId: cursor.unsigned(2) } : null
  const rssi = has(6) ? cursor.unsigned(1) : null
  const operator = has(7) ? cursor.unsigned(4) : null
  const told = { ...(rssi !== null && { rssi }), ...(operator !== null && { operator }) }
  if (!cell) return told
  if (operator === null || operator < 1_000) return { ...cell, ...told }
  const tower = {
    mobileCountryCode: Math.trunc(operator / 100),
    mobileNetworkCode: operator % 100,
    locationAreaCode: cell.lac,
    cellId: cell.cellId,
  }
  return { ...told, ...networkOf([{ ...tower, ...(rssi !== null && { signalStrength: rssi }) }]) }
}

function group(cursor: Cursor, width: number): IoElement[] {
  const count = cursor.unsigned(1)
  const elements: IoElement[] = []
  while (elements.length < count && !cursor.isOver()) elements.push({ id: cursor.unsigned(1), value: cursor.slice(width) })
  return elements
}
