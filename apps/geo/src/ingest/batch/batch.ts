import type { Fix } from '../../positions/fix.ts'
import { badUniqueId, malformed, readUniqueId, type Malformed, type Reading } from '../report.ts'
import { isObject, known, readAttributes, readFlag, readNumber, readTime, toKph } from '../values.ts'

/** Maximum positions of one batch. */
export const maxBatch = 1_000

/**
 * Our format for senders that buffer: a list of positions, or `{uniqueId, token, positions: [...]}` for one device. An item: `uniqueId`,
 * `fixTime` (ISO or epoch), `latitude`, `longitude` and, where known, `deviceTime`, `valid`, `altitude` (m), `speed` (km/h), `course`
 * (degrees), `accuracy` (m), `batteryLevel` (%), `attributes`. Returns one reading per item, in order: an invalid item does not affect
 * the others.
 */
export function readBatch(body: unknown): { readings: Reading[] } | { malformed: Malformed } {
  const list = isObject(body) ? body.positions : body
  if (!Array.isArray(list)) return malformed('positions', 'positions must be a list')
  if (list.length === 0) return malformed('positions', 'positions is empty')
  if (list.length > maxBatch) return malformed('positions', `at most ${maxBatch.toLocaleString('en')} positions at once`)
  const common = isObject(body) ? { uniqueId: body.uniqueId, token: body.token } : {}
  return { readings: list.map((item) => readItem(item, common)) }
}

function readItem(item: unknown, common: { uniqueId?: unknown; token?: unknown }): Reading {
  if (!isObject(item)) return malformed('position', 'a position must be an object')
  const given = item.uniqueId ?? common.uniqueId
  const uniqueId = readUniqueId(given)
  if (uniqueId === null) return badUniqueId('uniqueId', given)
  const fix = readFix(item)
  if ('malformed' in fix) return fix
  const token = item.token ?? common.token
  return { report: { uniqueId, fixes: [fix.fix], ...(typeof token === 'string' && token !== '' ? { token } : {}) } }
}

const numbers = ['altitude', 'speed', 'course', 'accuracy', 'batteryLevel'] as const
const messages: Readonly<Record<'latitude' | 'longitude', string>> = {
  latitude: 'latitude must be a number of degrees',
  longitude: 'longitude must be a number of degrees',
}

function readFix(item: Record<string, unknown>): { fix: Fix } | { malformed: Malformed } {
  const fixTime = readTime(item.fixTime)
  if (fixTime === null)
    return malformed(
      'fixTime',
      item.fixTime === undefined ? 'fixTime is missing' : 'fixTime must be yyyy-MM-ddTHH:mm:ssZ or epoch milliseconds',
    )
  const deviceTime = isAbsent(item.deviceTime) ? fixTime : readTime(item.deviceTime)
  if (deviceTime === null) return malformed('deviceTime', 'deviceTime must be yyyy-MM-ddTHH:mm:ssZ or epoch milliseconds')
  const hasPlace = !isAbsent(item.latitude) || !isAbsent(item.longitude)
  for (const field of ['latitude', 'longitude'] as const)
    if (hasPlace && readNumber(item[field]) === null) return malformed(field, messages[field])
  for (const field of numbers)
    if (!isAbsent(item[field]) && readNumber(item[field]) === null) return malformed(field, `${field} must be a number`)
  if (!isAbsent(item.attributes) && !isObject(item.attributes)) return malformed('attributes', 'attributes must be an object')
  return {
    fix: {
      fixTime,
      deviceTime,
      latitude: hasPlace ? readNumber(item.latitude) : null,
      longitude: hasPlace ? readNumber(item.longitude) : null,
      isValid: hasPlace && readFlag(item.valid ?? true) === true,
      altitude: readNumber(item.altitude),
      speed: toKph(readNumber(item.speed), 'kmh'),
      course: readNumber(item.course),
      accuracy: readNumber(item.accuracy),
      attributes: { ...readAttributes(item.attributes), ...known({ batteryLevel: readNumber(item.batteryLevel) }) },
    },
  }
}

const isAbsent = (value: unknown) => value === undefined || value === null
