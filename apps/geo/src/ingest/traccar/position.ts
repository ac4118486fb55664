import type { Attributes, Fix } from '../../positions/fix.ts'
import { malformed, type Malformed } from '../report.ts'
import { isObject, known, readAttributes, readFlag, readNumber, readTime, toKph } from '../values.ts'

/**
 * A position in Traccar's form (forwarding, reports and its socket): speeds in knots, times ISO 8601 with offset, accuracy 0 for
 * unknown. Attributes keep Traccar's names and units except speeds, which become km/h.
 */
export function readTraccarPosition(position: unknown): { fix: Fix } | { malformed: Malformed } {
  if (!isObject(position)) return malformed('position', 'position is missing')
  const fixTime = readTime(position.fixTime)
  if (fixTime === null) return malformed('position.fixTime', 'position.fixTime must be yyyy-MM-ddTHH:mm:ss.SSSZ')
  const deviceTime = position.deviceTime === undefined || position.deviceTime === null ? fixTime : readTime(position.deviceTime)
  if (deviceTime === null) return malformed('position.deviceTime', 'position.deviceTime must be yyyy-MM-ddTHH:mm:ss.SSSZ')
  const latitude = readNumber(position.latitude)
  if (latitude === null) return malformed('position.latitude', 'position.latitude must be a number of degrees')
  const longitude = readNumber(position.longitude)
  if (longitude === null) return malformed('position.longitude', 'position.longitude must be a number of degrees')
  const accuracy = readNumber(position.accuracy)
  return {
    fix: {
      // An outdated position repeats the last place of the device under a new time.
      fixTime,
      deviceTime,
      latitude,
      longitude,
      isValid: readFlag(position.valid) !== false && readFlag(position.outdated) !== true,
      altitude: readNumber(position.altitude),
      speed: toKph(readNumber(position.speed), 'kn'),
      course: readNumber(position.course),
      accuracy: accuracy !== null && accuracy > 0 ? accuracy : null,
      attributes: {
        ...traccarAttributes(position.attributes, ['speedLimit']),
        ...known({ address: textOf(position.address), network: jsonOf(position.network) }),
      },
    },
  }
}

/** Attributes of a position or event; nested lists and objects become JSON text, those named in `knots` become km/h. */
export function traccarAttributes(value: unknown, knots: readonly string[]): Attributes {
  const attributes = readAttributes(value)
  for (const key of knots) {
    const kph = toKph(readNumber(attributes[key]), 'kn')
    if (kph !== null) attributes[key] = kph
  }
  return attributes
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
const jsonOf = (value: unknown) => (isObject(value) ? JSON.stringify(value) : null)
