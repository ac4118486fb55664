import type { Fix } from '../../positions/fix.ts'
import { badUniqueId, malformed, readUniqueId, type Malformed, type Reading } from '../report.ts'
import { isObject, known, readAttributes, readFlag, readNumber, readTime, toKph } from '../values.ts'

/** True for a body in Traccar Client's JSON form. */
export const isOsmandJson = (body: unknown): body is Record<string, unknown> =>
  isObject(body) && ('device_id' in body || 'location' in body)

/**
 * The JSON of Traccar Client 9 and later: `device_id` and a `location` (or a list of them when it sends its buffer at once). Speed in
 * m/s; -1 means unknown in speed, heading and battery level.
 */
export function readOsmandJson(body: unknown, now: number): Reading {
  if (!isObject(body)) return malformed('body', 'the body must be an object with device_id and location')
  const uniqueId = readUniqueId(body.device_id)
  if (uniqueId === null) return badUniqueId('device_id', body.device_id)
  const list = Array.isArray(body.location) ? body.location : [body.location]
  if (list.length > 1_000) return malformed('location', 'at most 1,000 locations at once')
  const fixes: Fix[] = []
  for (const one of list) {
    const fix = readLocation(one, now)
    if ('malformed' in fix) return fix
    fixes.push(fix.fix)
  }
  return { report: { uniqueId, fixes, ...(typeof body.token === 'string' ? { token: body.token } : {}) } }
}

function readLocation(location: unknown, now: number): { fix: Fix } | { malformed: Malformed } {
  if (!isObject(location)) return malformed('location', 'location is missing')
  const at = location.timestamp === undefined ? now : readTime(location.timestamp)
  if (at === null) return malformed('location.timestamp', 'location.timestamp must be yyyy-MM-ddTHH:mm:ssZ')
  const place = readCoords(location.coords)
  if ('malformed' in place) return place
  return { fix: { fixTime: at, deviceTime: at, ...place, attributes: attributesOf(location) } }
}

type Place = Pick<Fix, 'latitude' | 'longitude' | 'isValid' | 'altitude' | 'speed' | 'course' | 'accuracy'>

function readCoords(coords: unknown): Place | { malformed: Malformed } {
  if (coords === undefined || coords === null)
    return { latitude: null, longitude: null, isValid: false, altitude: null, speed: null, course: null, accuracy: null }
  if (!isObject(coords)) return malformed('location.coords', 'location.coords must be an object')
  const latitude = readNumber(coords.latitude)
  if (latitude === null) return malformed('location.coords.latitude', 'location.coords.latitude must be a number of degrees')
  const longitude = readNumber(coords.longitude)
  if (longitude === null) return malformed('location.coords.longitude', 'location.coords.longitude must be a number of degrees')
  return {
    latitude,
    longitude,
    isValid: true,
    altitude: readNumber(coords.altitude),
    speed: toKph(readNumber(coords.speed), 'mps'),
    course: unlessNegative(readNumber(coords.heading)),
    accuracy: unlessNegative(readNumber(coords.accuracy)),
  }
}

function attributesOf(location: Record<string, unknown>): Fix['attributes'] {
  const battery = isObject(location.battery) ? location.battery : {}
  const activity = isObject(location.activity) ? location.activity.type : undefined
  const level = unlessNegative(readNumber(battery.level))
  return {
    ...readAttributes(location.extras),
    ...known({
      motion: readFlag(location.is_moving),
      odometer: unlessNegative(readNumber(location.odometer)),
      event: textOf(location.event),
      // Only a mock location is stored as an attribute.
      mock: readFlag(location.mock) === true ? true : null,
      activity: textOf(activity),
      alarm: textOf(location.alarm),
      batteryLevel: level === null ? null : Math.round(level * 10_000) / 100,
      charge: readFlag(battery.is_charging),
    }),
  }
}

const unlessNegative = (value: number | null) => (value !== null && value >= 0 ? value : null)
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
