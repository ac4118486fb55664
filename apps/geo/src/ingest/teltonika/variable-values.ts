import type { Attributes } from '../../positions/fix.ts'
import { cursorOver, hexOf, type Cursor } from './cursor.ts'
import type { IoElement } from './io-values.ts'

const texts: Readonly<Record<number, string>> = { 256: 'vin', 281: 'dtcs', 325: 'vin' }
const beaconList = 385
const tagLists = new Set([548, 10_828, 10_829, 10_831, 11_317])

/**
 * Attributes of the variable-length elements of Codec 8 Extended (VIN, fault codes, Bluetooth beacons and tags); what cannot be read
 * stays hex under `io<N>`.
 */
export function variableAttributes(elements: readonly IoElement[]): Attributes {
  const all: Attributes = {}
  for (const { id, value } of elements) Object.assign(all, read(id, value) ?? { [`io${id}`]: hexOf(value) })
  return all
}

function read(id: number, value: Uint8Array): Attributes | null {
  const text = texts[id]
  if (text) return { [text]: Buffer.from(value).toString('latin1').replaceAll(',', ' ').trim() }
  if (id === beaconList) return beacons(value)
  return tagLists.has(id) ? tags(value) : null
}

/** iBeacon (UUID, major, minor) or Eddystone (namespace, instance), each with its signal. */
function beacons(value: Uint8Array): Attributes | null {
  const cursor = cursorOver(value)
  const found: Attributes = {}
  cursor.unsigned(1)
  for (let index = 1; cursor.left() > 0; index++) {
    const name = `beacon${index}`
    const flags = cursor.unsigned(1)
    if (flags >> 4)
      Object.assign(found, {
        [`${name}Uuid`]: hexOf(cursor.slice(16)),
        [`${name}Major`]: cursor.unsigned(2),
        [`${name}Minor`]: cursor.unsigned(2),
      })
    else Object.assign(found, { [`${name}Namespace`]: hexOf(cursor.slice(10)), [`${name}Instance`]: hexOf(cursor.slice(6)) })
    found[`${name}Rssi`] = cursor.signed(1)
    if (flags & 2) found[`${name}Battery`] = cursor.unsigned(2) / 100
    if (flags & 4) found[`${name}Temp`] = cursor.unsigned(2)
  }
  return cursor.isOver() ? null : found
}

/** A header, then each tag as its length and its parameters (id, length, value). */
function tags(value: Uint8Array): Attributes | null {
  const list = cursorOver(value)
  const found: Attributes = {}
  list.unsigned(1)
  for (let index = 1; list.left() > 0; index++) {
    const tag = cursorOver(list.slice(list.unsigned(1)))
    while (tag.left() > 0) {
      const parameter = tag.unsigned(1)
      const content = cursorOver(tag.slice(tag.unsigned(1)))
      for (const [name, is] of Object.entries(tagParameter(parameter, content))) found[`tag${index}${name}`] = is
      if (content.isOver()) return null
    }
    if (tag.isOver()) return null
  }
  return list.isOver() ? null : found
}

/** Voltages of tags are millivolts and their temperatures hundredths of a degree, as Traccar stores them. */
function tagParameter(parameter: number, content: Cursor): Attributes {
  switch (parameter) {
    case 0:
      return { Rssi: content.signed(1) }
    case 1:
      return { Id: hexOf(content.slice(content.left())) }
    case 2:
      return tagState(content)
    case 5:
      return { Name: Buffer.from(content.slice(content.left())).toString('utf8') }
    case 6:
      return { Temp: content.signed(2) }
    case 7:
      return { Humidity: content.unsigned(1) }
    case 8:
      return { Magnet: content.unsigned(1) > 0 }
    case 9:
      return { Motion: content.unsigned(1) > 0 }
    case 10:
      return { MotionCount: content.unsigned(2) }
    case 11:
      return { Pitch: content.signed(1) }
    case 12:
      return { AngleRoll: content.signed(2) }
    case 13:
      return { LowBattery: content.unsigned(1) > 0 }
    case 14:
      return { Battery: content.unsigned(2) }
    case 15:
      return { Mac: hexOf(content.slice(6)) }
    default:
      return {}
  }
}

function tagState(content: Cursor): Attributes {
  const flags = content.unsigned(1)
  return {
    ...(flags & 0x40 && { LowBattery: true }),
    ...(flags & 0x80 && { Voltage: content.unsigned(1) * 10 + 2000 }),
  }
}
