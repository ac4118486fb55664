import type { Attributes, Fix } from '../../positions/fix.ts'
import { withoutRollover } from '../rollover.ts'
import { cursorOver, hexOf, type Cursor } from './cursor.ts'
import type { IoTable } from './io-table.ts'
import { attributesOf, type IoElement } from './io-values.ts'
import { variableAttributes } from './variable-values.ts'

/** The sizes of ids and counts, by codec. */
export const layouts = {
  0x08: { id: 1, count: 1, hasGeneration: false, hasVariable: false },
  0x8e: { id: 2, count: 2, hasGeneration: false, hasVariable: true },
  0x10: { id: 2, count: 1, hasGeneration: true, hasVariable: false },
} as const
export type Layout = (typeof layouts)[keyof typeof layouts]

export type RecordCodec = keyof typeof layouts

/** The codecs that carry records: 8, 8 Extended, 16. */
export function isRecordCodec(codec: number): codec is RecordCodec {
  return Object.hasOwn(layouts, codec)
}

export interface RecordsInput {
  codec: RecordCodec
  count: number
  bytes: Uint8Array
  now: number
  table: IoTable
}

/**
 * Reads exactly `count` records that fill the bytes exactly; null when they do not. Some old units add an undeclared group of 16-byte
 * values.
 */
export function readRecords(input: RecordsInput): Fix[] | null {
  return readAll(input, false) ?? (input.codec === 0x8e ? null : readAll(input, true))
}

function readAll({ codec, count, bytes, now, table }: RecordsInput, has16: boolean): Fix[] | null {
  const cursor = cursorOver(bytes)
  const fixes: Fix[] = []
  while (fixes.length < count && !cursor.isOver()) fixes.push(readRecord(cursor, { layout: layouts[codec], now, table, has16 }))
  return cursor.isOver() || cursor.left() > 0 ? null : fixes
}

interface Reading {
  layout: Layout
  now: number
  table: IoTable
  has16: boolean
}

function readRecord(cursor: Cursor, { layout, now, table, has16 }: Reading): Fix {
  const time = withoutRollover(timeOf(cursor), now)
  const priority = cursor.unsigned(1)
  const longitude = cursor.signed(4) / 1e7
  const latitude = cursor.signed(4) / 1e7
  const altitude = cursor.signed(2)
  const course = cursor.unsigned(2)
  const satellites = cursor.unsigned(1)
  const speed = cursor.unsigned(2)
  const event = cursor.unsigned(layout.id)
  if (layout.hasGeneration) cursor.unsigned(1)
  cursor.unsigned(layout.count)
  const attributes: Attributes = { sat: satellites, ...(priority > 0 && { priority }), ...(event > 0 && { event }) }
  Object.assign(
    attributes,
    attributesOf(
      [1, 2, 4, 8].flatMap((width) => group(cursor, layout, width)),
      table,
      event,
    ),
  )
  if (has16) for (const { id, value } of group(cursor, layout, 16)) attributes[`io${id}`] = hexOf(value)
  if (layout.hasVariable) Object.assign(attributes, variableAttributes(group(cursor, layout, null)))
  const place = { latitude, longitude, altitude, course, speed, satellites }
  return { fixTime: time, deviceTime: time, accuracy: null, ...placeOf(place), attributes }
}

/** Without satellites the place is the last one the device knew; 0/0 then means that it never knew one. */
function placeOf(place: {
  latitude: number
  longitude: number
  altitude: number
  course: number
  speed: number
  satellites: number
}): Pick<Fix, 'latitude' | 'longitude' | 'altitude' | 'course' | 'speed' | 'isValid'> {
  const { satellites, ...rest } = place
  if (satellites === 0 && rest.latitude === 0 && rest.longitude === 0)
    return { latitude: null, longitude: null, altitude: null, course: null, speed: null, isValid: false }
  return { ...rest, isValid: satellites > 0 }
}

/** Milliseconds since 1970 in 8 bytes; capped at what a date can hold, so that an invalid time is later refused as a date in the future. */
function timeOf(cursor: Cursor): number {
  return Math.min(cursor.unsigned(4) * 2 ** 32 + cursor.unsigned(4), 8.64e15)
}

/** One group: the count, then each id and value; without a width each value has its own length. */
function group(cursor: Cursor, layout: Layout, width: number | null): IoElement[] {
  const elements: IoElement[] = []
  const count = cursor.unsigned(layout.count)
  while (elements.length < count && !cursor.isOver()) {
    const id = cursor.unsigned(layout.id)
    elements.push({ id, value: cursor.slice(width ?? cursor.unsigned(2)) })
  }
  return elements
}
