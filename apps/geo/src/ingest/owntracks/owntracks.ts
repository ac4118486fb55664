import { badUniqueId, malformed, readUniqueId, type Malformed, type Reading, type Report } from '../report.ts'
import { isObject, known, readNumber, readTime, toKph } from '../values.ts'

/** Messages of OwnTracks without a position of the phone. */
const others = new Set([
  'lwt',
  'status',
  'waypoint',
  'waypoints',
  'transition',
  'card',
  'beacon',
  'cmd',
  'configuration',
  'steps',
  'dump',
  'request',
])
const connections: ReadonlyMap<string, string> = new Map(Object.entries({ w: 'wifi', o: 'offline', m: 'mobile' }))

/** True for a body OwnTracks sends. */
export const isOwnTracks = (body: unknown): body is Record<string, unknown> => isObject(body) && typeof body._type === 'string'

/**
 * OwnTracks over HTTP: `_type` location with `tst` (seconds), `lat`, `lon`, `acc` and `alt` in metres, `vel` in km/h, `batt` in %. The
 * device is its topic, else its tid; `fallbackId` (user/device of the headers) where it has neither. Its other messages are ignored.
 */
export function readOwnTracks(body: unknown, fallbackId: string | null): Reading | { ignored: string } {
  if (!isOwnTracks(body)) return malformed('_type', '_type is missing')
  const type = String(body._type)
  if (others.has(type)) return { ignored: type }
  if (type === 'encrypted') return malformed('_type', 'encrypted messages cannot be read: use TLS instead of a shared key')
  if (type !== 'location') return malformed('_type', '_type must be location')
  const given = body.topic ?? fallbackId ?? body.tid
  const uniqueId = readUniqueId(given)
  if (uniqueId === null) return badUniqueId('topic', given)
  return readLocation(body, uniqueId)
}

function readLocation(body: Record<string, unknown>, uniqueId: string): { report: Report } | { malformed: Malformed } {
  const fixTime = readTime(body.tst)
  if (fixTime === null) return malformed('tst', 'tst must be seconds since 1970')
  const latitude = readNumber(body.lat)
  if (latitude === null) return malformed('lat', 'lat must be a number of degrees')
  const longitude = readNumber(body.lon)
  if (longitude === null) return malformed('lon', 'lon must be a number of degrees')
  const made = readTime(body.created_at)
  return {
    report: {
      uniqueId,
      fixes: [
        {
          fixTime,
          deviceTime: made ?? fixTime,
          latitude,
          longitude,
          isValid: true,
          altitude: readNumber(body.alt),
          speed: toKph(readNumber(body.vel), 'kmh'),
          course: readNumber(body.cog),
          accuracy: readNumber(body.acc),
          attributes: attributesOf(body),
        },
      ],
    },
  }
}

function attributesOf(body: Record<string, unknown>) {
  const charging = readNumber(body.bs)
  return known({
    tid: textOf(body.tid),
    batteryLevel: readNumber(body.batt),
    // 0 unknown, 1 unplugged, 2 charging, 3 full
    charge: charging === null || charging === 0 ? null : charging >= 2,
    trigger: textOf(body.t),
    connection: connections.get(String(body.conn)) ?? null,
    ssid: textOf(body.SSID),
    verticalAccuracy: readNumber(body.vac),
    regions: Array.isArray(body.inregions) ? body.inregions.filter((one) => typeof one === 'string').join(',') || null : null,
  })
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
