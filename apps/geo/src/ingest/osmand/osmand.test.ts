import { describe, expect, test } from 'vitest'
import { fleetVectors } from '../../../../../tests/support/fleet-vectors.ts'
import type { Report } from '../report.ts'
import { readOsmandJson } from './json.ts'
import { readOsmandQuery } from './query.ts'

const now = Date.UTC(2026, 10, 22, 12)
const query = (text: string) => readOsmandQuery(new URLSearchParams(text), now)
const reportOf = (reading: ReturnType<typeof query>): Report => {
  if ('malformed' in reading) throw new Error(reading.malformed.message)
  return reading.report
}
const fixOf = (text: string) => reportOf(query(text)).fixes[0]

describe('the query and form of OsmAnd and Traccar Client', () => {
  test('all fields of a phone, in our units', () => {
    const report = reportOf(
      query(
        'id=48241179&timestamp=1795348790&lat=-1.2921&lon=36.8219&speed=10&bearing=370&altitude=1795&accuracy=4.5&batt=87&charge=true&hdop=0.9&alarm=sos&ignition=true&rpm=933&driverUniqueId=0012&token=s3cret',
      ),
    )
    expect(report).toEqual({
      uniqueId: '48241179',
      token: 's3cret',
      fixes: [
        {
          fixTime: now - 10_000,
          deviceTime: now - 10_000,
          latitude: -1.2921,
          longitude: 36.8219,
          isValid: true,
          altitude: 1_795,
          speed: 18.52,
          course: 370,
          accuracy: 4.5,
          attributes: { batteryLevel: 87, charge: true, hdop: 0.9, alarm: 'sos', ignition: true, rpm: 933, driverUniqueId: '0012' },
        },
      ],
    })
  })

  test('deviceid for id, location for lat and lon, heading for bearing, now for no timestamp', () => {
    expect(query('deviceid=a&location=-1.5,36.5&heading=12')).toMatchObject({
      report: { uniqueId: 'a', fixes: [{ latitude: -1.5, longitude: 36.5, course: 12, fixTime: now }] },
    })
  })

  test('another unit of speed where the installation sets it', () => {
    const reading = readOsmandQuery(new URLSearchParams('id=a&lat=1&lon=2&speed=10'), now, 'mps')
    expect(reportOf(reading).fixes[0]?.speed).toBe(36)
  })

  test('without a place only the other values are stored; an invalid fix stays invalid', () => {
    expect(fixOf('id=a&batt=15')).toMatchObject({ latitude: null, longitude: null, isValid: false, attributes: { batteryLevel: 15 } })
    expect(fixOf('id=a&lat=1&lon=2&valid=false')?.isValid).toBe(false)
    expect(fixOf('id=a&lat=1&lon=2&valid=1')?.isValid).toBe(true)
  })

  test('cells and access points in the shape Traccar forwards', () => {
    const fix = fixOf('id=a&cell=639,02,16,2224&cell=639,02,16,2223,-90&wifi=00-14-22-01-23-45,-80')
    expect(JSON.parse(String(fix?.attributes.network))).toEqual({
      radioType: 'gsm',
      cellTowers: [
        { mobileCountryCode: 639, mobileNetworkCode: 2, locationAreaCode: 16, cellId: 2_224 },
        { mobileCountryCode: 639, mobileNetworkCode: 2, locationAreaCode: 16, cellId: 2_223, signalStrength: -90 },
      ],
      wifiAccessPoints: [{ macAddress: '00:14:22:01:23:45', signalStrength: -80 }],
    })
  })

  test('the push address is a secret of the phone, not an attribute', () => {
    const report = reportOf(query('id=a&notificationToken=abc:def'))
    expect(report.pushToken).toBe('abc:def')
    expect(report.fixes[0]?.attributes).toEqual({})
  })

  test.each([
    ['lat=1&lon=2', 'id'],
    ['id=&lat=1&lon=2', 'id'],
    [`id=${'x'.repeat(129)}`, 'id'],
    ['id=a%00b', 'id'],
    ['deviceid=', 'deviceid'],
    ['id=a&lat=abc&lon=2', 'lat'],
    ['id=a&lat=1', 'lon'],
    ['id=a&lon=1', 'lat'],
    ['id=a&location=1', 'location'],
    ['id=a&location=1,2,3', 'location'],
    ['id=a&lat=1&lon=2&timestamp=soon', 'timestamp'],
    ['id=a&lat=1&lon=2&speed=fast', 'speed'],
    ['id=a&lat=1&lon=2&batt=full', 'batt'],
    ['id=a&cell=1,2', 'cell'],
    ['id=a&cell=1,2,3,x', 'cell'],
    ['id=a&wifi=nonsense,-80', 'wifi'],
  ])('%s is refused naming %s', (text, field) => {
    expect(query(text)).toMatchObject({ malformed: { field, message: expect.stringContaining(field) } })
  })
})

describe('the JSON of Traccar Client', () => {
  const location = (more: object = {}) => ({
    timestamp: '2026-11-22T11:59:50.500Z',
    coords: { latitude: -1.2921, longitude: 36.8219, accuracy: 5, speed: 12.5, heading: 181, altitude: 1_795 },
    is_moving: true,
    odometer: 4_210,
    event: 'motionchange',
    battery: { level: 0.87, is_charging: false },
    activity: { type: 'in_vehicle' },
    extras: { shift: 'A' },
    ...more,
  })
  const read = (body: unknown) => readOsmandJson(body, now)

  test('all fields of a phone, in our units', () => {
    expect(reportOf(read({ device_id: '48241179', location: location() }))).toEqual({
      uniqueId: '48241179',
      fixes: [
        {
          fixTime: now - 9_500,
          deviceTime: now - 9_500,
          latitude: -1.2921,
          longitude: 36.8219,
          isValid: true,
          altitude: 1_795,
          speed: 45,
          course: 181,
          accuracy: 5,
          attributes: {
            shift: 'A',
            motion: true,
            odometer: 4_210,
            event: 'motionchange',
            activity: 'in_vehicle',
            batteryLevel: 87,
            charge: false,
          },
        },
      ],
    })
  })

  test('-1 is unknown; a mock place is marked; coordinates may be absent', () => {
    const unknown = reportOf(
      read({
        device_id: 7,
        location: location({ mock: true, battery: { level: -1 }, coords: { latitude: 1, longitude: 2, speed: -1, heading: -1 } }),
      }),
    )
    expect(unknown).toMatchObject({ uniqueId: '7', fixes: [{ speed: null, course: null, attributes: { mock: true } }] })
    expect(unknown.fixes[0]?.attributes).not.toHaveProperty('batteryLevel')
    expect(reportOf(read({ device_id: 'a', location: location({ coords: undefined, alarm: 'sos' }) })).fixes[0]).toMatchObject({
      latitude: null,
      isValid: false,
      attributes: { alarm: 'sos' },
    })
  })

  test('a list of locations is a list of fixes', () => {
    expect(
      reportOf(read({ device_id: 'a', location: [location(), location({ timestamp: '2026-11-22T11:00:00Z' })] })).fixes.map(
        ({ fixTime }) => now - fixTime,
      ),
    ).toEqual([9_500, 3_600_000])
  })

  test.each([
    [{ location: location() }, 'device_id'],
    [{ device_id: '' }, 'device_id'],
    [{ device_id: 'a' }, 'location'],
    [{ device_id: 'a', location: 'here' }, 'location'],
    [{ device_id: 'a', location: location({ timestamp: 'x' }) }, 'location.timestamp'],
    [{ device_id: 'a', location: location({ coords: { longitude: 1 } }) }, 'location.coords.latitude'],
    [{ device_id: 'a', location: location({ coords: { latitude: 1, longitude: 'x' } }) }, 'location.coords.longitude'],
    [{ device_id: 'a', location: location({ coords: 5 }) }, 'location.coords'],
    [null, 'body'],
    [[], 'body'],
  ])('%j is refused naming %s', (body, field) => {
    expect(read(body)).toMatchObject({ malformed: { field } })
  })
})

interface Vector {
  id: string
  expected: { locationRequired?: boolean }
  request: { uri?: string; body?: string }
  derived: {
    deviceId: string
    fixTime?: string
    timestampRaw?: string
    latitude?: number
    longitude?: number
    speedMps?: number | null
    altitude?: number
    accuracy?: number
    batteryLevelPct?: number | null
    batt?: number
    hdop?: number
    motion?: boolean
    odometer?: number
    event?: string
  }
}
const vectors = (fleetVectors() as { decoderTests: { osmand: Vector[] } } | null)?.decoderTests.osmand

describe.skipIf(!vectors)('third-party requests (../shared/fleet-vectors.json)', () => {
  test.each((vectors ?? []).map((vector) => [vector.id, vector] as const))('%s', (_id, { request, expected, derived }) => {
    const reading = request.body ? readOsmandJson(JSON.parse(request.body), now) : query(request.uri?.split('?')[1] ?? '')
    const {
      uniqueId,
      fixes: [fix],
    } = reportOf(reading)
    expect(uniqueId).toBe(derived.deviceId)
    expect(fix?.isValid).toBe(expected.locationRequired === true)
    const told = {
      latitude: derived.latitude,
      longitude: derived.longitude,
      altitude: derived.altitude,
      accuracy: derived.accuracy,
      fixTime: timeOf(derived),
      speed: derived.speedMps === undefined || derived.speedMps === null ? derived.speedMps : derived.speedMps * 3.6,
    }
    expect(fix).toMatchObject(Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)))
    const attributes = {
      batteryLevel: derived.batteryLevelPct ?? derived.batt,
      hdop: derived.hdop,
      motion: derived.motion,
      odometer: derived.odometer,
      event: derived.event,
    }
    expect(fix?.attributes).toMatchObject(Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)))
  })

  test('all eight of the file', () => {
    expect(vectors).toHaveLength(8)
  })
})

function timeOf({ fixTime, timestampRaw }: Vector['derived']): number | undefined {
  if (fixTime) return Date.parse(fixTime)
  if (!timestampRaw) return undefined
  return /^\d+$/.test(timestampRaw)
    ? Number(timestampRaw) * 1_000
    : Date.parse(timestampRaw.includes('T') ? timestampRaw : `${timestampRaw.replace(' ', 'T')}Z`)
}
