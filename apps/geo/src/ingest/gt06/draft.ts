import type { Message } from '../codec.ts'
import type { Attributes, Fix } from '../../positions/fix.ts'
import { networkOf, type AccessPoint, type CellTower } from '../network.ts'
import { withoutRollover } from '../rollover.ts'
import type { Cursor } from './cursor.ts'

/** What has been read of one message so far. */
export interface Draft extends Omit<Fix, 'fixTime' | 'deviceTime'> {
  fixTime: number | null
  deviceTime: number | null
  alarms: string[]
  cells: CellTower[]
  points: AccessPoint[]
}

/** A message being read: its bytes, the draft, and what is known about the device. */
export interface Reading {
  c: Cursor
  draft: Draft
  model: string
  offset: number
  now: number
}

/** One part of a message's layout: reads its bytes into the draft. */
export type Step = (reading: Reading) => void

export function emptyDraft(): Draft {
  return {
    fixTime: null,
    deviceTime: null,
    latitude: null,
    longitude: null,
    isValid: false,
    altitude: null,
    speed: null,
    course: null,
    accuracy: null,
    attributes: {},
    alarms: [],
    cells: [],
    points: [],
  }
}

/** Turns a draft into a message: a fix when it has a time (with or without a place), else a heartbeat. */
export function messageOf(draft: Draft, ack: Uint8Array | null): Message {
  const { fixTime, deviceTime, alarms, cells, points, ...rest } = draft
  const attributes: Attributes = { ...draft.attributes, ...networkOf(cells, points) }
  if (alarms.length > 0) attributes.alarm = [...new Set(alarms)].join(',')
  if (fixTime === null) return { kind: 'heartbeat', at: deviceTime, attributes, ack }
  return { kind: 'fixes', fixes: [{ ...rest, fixTime, deviceTime: deviceTime ?? fixTime, attributes }], ack }
}

/** Sets an attribute; ignores null and undefined. */
export function put(reading: Reading, name: string, value: string | number | boolean | null | undefined): void {
  if (value != null) reading.draft.attributes[name] = value
}

/** Six bytes from year to second in the device's time zone as epoch milliseconds; null when they are no date. */
export function dateOf(reading: Reading): number | null {
  const [year, month, day, hour, minute, second] = Array.from({ length: 6 }, () => reading.c.u(1)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const time = Date.UTC(2000 + year, month - 1, day, hour, minute, second)
  const date = new Date(time)
  const isDate = year < 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  return isDate ? withoutRollover(time - reading.offset * 60_000, reading.now) : null
}

/** A step that reads the time of the fix, or of a message without a place. */
export const time: Step = (reading) => {
  reading.draft.fixTime = dateOf(reading)
}

/** A step for an epoch time in 4 bytes of seconds. */
export const epochTime: Step = (reading) => {
  const seconds = reading.c.u(4)
  reading.draft.fixTime = seconds > 0 ? withoutRollover(seconds * 1000, reading.now) : null
}

/** A step that skips bytes. */
export const skip =
  (length: number): Step =>
  ({ c }) =>
    c.skip(length)
