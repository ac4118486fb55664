import type { Attributes, Fix } from '../../positions/fix.ts'
import { badUniqueId, malformed, readUniqueId, type Malformed, type Reading } from '../report.ts'
import { known, readAttribute, readFlag, readNumber, readTime, toKph, type SpeedUnit } from '../values.ts'
import { readNetwork } from './network.ts'

/** Keys with a fixed meaning; every other one is an attribute. */
const ownKeys = new Set([
  'id',
  'deviceid',
  'token',
  'lat',
  'lon',
  'location',
  'timestamp',
  'valid',
  'speed',
  'bearing',
  'heading',
  'altitude',
  'accuracy',
  'batt',
  'charge',
  'driverUniqueId',
  'cell',
  'wifi',
  'notificationToken',
])

/**
 * OsmAnd's protocol and the first one of Traccar Client: a query or form of `id`, `lat`, `lon` and more (fleet.md 2). The speed is in
 * knots unless the installation sets another unit. Without a position only the other values are stored. `now` in epoch milliseconds
 * replaces a missing timestamp.
 */
export function readOsmandQuery(params: URLSearchParams, now: number, unit: SpeedUnit = 'kn'): Reading {
  const field = params.get('id') === null && params.get('deviceid') !== null ? 'deviceid' : 'id'
  const uniqueId = readUniqueId(params.get(field))
  if (uniqueId === null) return badUniqueId(field, params.get(field))
  const fix = readFix(params, now, unit)
  if ('malformed' in fix) return fix
  const token = params.get('token')
  const pushToken = params.get('notificationToken')
  return { report: { uniqueId, fixes: [fix.fix], ...(token ? { token } : {}), ...(pushToken ? { pushToken } : {}) } }
}

function readFix(params: URLSearchParams, now: number, unit: SpeedUnit): { fix: Fix } | { malformed: Malformed } {
  const at = params.has('timestamp') ? readTime(params.get('timestamp')) : now
  if (at === null) return malformed('timestamp', 'timestamp must be seconds, milliseconds or yyyy-MM-ddTHH:mm:ssZ')
  const place = readPlace(params)
  if ('malformed' in place) return place
  const numbers = readNumbers(params, ['speed', 'bearing', 'heading', 'altitude', 'accuracy', 'batt'])
  if ('malformed' in numbers) return numbers
  const network = readNetwork(params.getAll('cell'), params.getAll('wifi'))
  if ('malformed' in network) return network
  const { speed, bearing, heading, altitude, accuracy, batt } = numbers.values
  return {
    fix: {
      fixTime: at,
      deviceTime: at,
      ...place,
      isValid: place.latitude !== null && readFlag(params.get('valid') ?? true) === true,
      altitude: altitude ?? null,
      speed: toKph(speed ?? null, unit),
      course: bearing ?? heading ?? null,
      accuracy: accuracy ?? null,
      attributes: {
        ...freeAttributes(params),
        ...network.network,
        ...known({ batteryLevel: batt, charge: readFlag(params.get('charge')), driverUniqueId: params.get('driverUniqueId') }),
      },
    },
  }
}

function readPlace(params: URLSearchParams): { latitude: number | null; longitude: number | null } | { malformed: Malformed } {
  const location = params.get('location')
  const [lat, lon, ...more] = location === null ? [params.get('lat'), params.get('lon')] : location.split(',')
  if (location !== null && (lon === undefined || more.length > 0)) return malformed('location', 'location must be lat,lon')
  if ((lat ?? null) === null && (lon ?? null) === null) return { latitude: null, longitude: null }
  const latitude = readNumber(lat)
  if (latitude === null) return malformed(location === null ? 'lat' : 'location', 'lat must be a number of degrees')
  const longitude = readNumber(lon)
  if (longitude === null) return malformed(location === null ? 'lon' : 'location', 'lon must be a number of degrees')
  return { latitude, longitude }
}

function readNumbers<Key extends string>(
  params: URLSearchParams,
  keys: readonly Key[],
): { values: Partial<Record<Key, number>> } | { malformed: Malformed } {
  const values: Partial<Record<Key, number>> = {}
  for (const key of keys) {
    const text = params.get(key)
    if (text === null || text === '') continue
    const value = readNumber(text)
    if (value === null) return malformed(key, `${key} must be a number`)
    values[key] = value
  }
  return { values }
}

const freeAttributes = (params: URLSearchParams): Attributes =>
  Object.fromEntries(
    [...params]
      .filter(([key, value]) => key !== '' && value !== '' && !ownKeys.has(key))
      .map(([key, value]) => [key, readAttribute(value)]),
  )
