import { describe, expect, test } from 'vitest'
import type { Reading } from '../report.ts'
import { readTraccarEvents, readTraccarPositions, readTraccarUrl } from './forward.ts'

const at = Date.UTC(2026, 10, 22, 12)
const position = {
  id: 0,
  deviceId: 17,
  protocol: 'teltonika',
  serverTime: '2026-11-22T12:00:02.000+00:00',
  deviceTime: '2026-11-22T12:00:01.000+00:00',
  fixTime: '2026-11-22T15:00:00.000+03:00',
  valid: true,
  latitude: -1.2921,
  longitude: 36.8219,
  altitude: 1_795,
  speed: 10,
  course: 90,
  accuracy: 0,
  address: 'Kenyatta Avenue, Nairobi',
  geofenceIds: [3],
  network: { radioType: 'gsm', cellTowers: [{ cellId: 1, locationAreaCode: 2, mobileCountryCode: 639, mobileNetworkCode: 2 }] },
  attributes: {
    ignition: true,
    odometer: 120_500,
    totalDistance: 88_000.5,
    hours: 3_600_000,
    power: 12.6,
    obdSpeed: 43,
    speedLimit: 27,
    alarm: 'overspeed,sos',
    io239: 1,
    tags: { a: 1 },
    driverUniqueId: null,
  },
}
const device = {
  id: 17,
  name: 'KDA 123X',
  uniqueId: '352093081452251',
  groupId: 0,
  status: 'online',
  phone: '+254700000001',
  model: 'FMB920',
  category: 'car',
  disabled: false,
  attributes: {},
}

const reportOf = (read: { readings: Reading[] } | object, index = 0) => {
  const reading = 'readings' in read ? read.readings[index] : undefined
  if (!reading || 'malformed' in reading) throw new Error(JSON.stringify(read))
  return reading.report
}

describe('positions forwarded as JSON', () => {
  test("knots become km/h, accuracy 0 unknown, attributes keep Traccar's names and units", () => {
    expect(reportOf(readTraccarPositions({ position, device }))).toEqual({
      uniqueId: '352093081452251',
      device: { name: 'KDA 123X', model: 'FMB920', phone: '+254700000001', category: 'car', protocol: 'teltonika' },
      fixes: [
        {
          fixTime: at,
          deviceTime: at + 1_000,
          latitude: -1.2921,
          longitude: 36.8219,
          isValid: true,
          altitude: 1_795,
          speed: 18.52,
          course: 90,
          accuracy: null,
          attributes: {
            ignition: true,
            odometer: 120_500,
            totalDistance: 88_000.5,
            hours: 3_600_000,
            power: 12.6,
            obdSpeed: 43,
            speedLimit: 50.004,
            alarm: 'overspeed,sos',
            io239: 1,
            tags: '{"a":1}',
            address: 'Kenyatta Avenue, Nairobi',
            network: JSON.stringify(position.network),
          },
        },
      ],
    })
  })

  test('old servers: an offset without colon, and outdated repeats the last place', () => {
    const old = { ...position, fixTime: '2026-11-22T12:00:00.000+0000', outdated: true, type: 'x' }
    expect(reportOf(readTraccarPositions({ position: old, device })).fixes[0]).toMatchObject({ fixTime: at, isValid: false })
    expect(reportOf(readTraccarPositions({ position: { ...position, valid: false }, device })).fixes[0]).toMatchObject({
      latitude: -1.2921,
      isValid: false,
    })
  })

  test('a list of messages, each on its own', () => {
    const read = readTraccarPositions([
      { position, device },
      { position },
      { device },
      5,
      { position: { ...position, latitude: 'x' }, device },
    ])
    expect(read).toMatchObject({
      readings: [
        { report: { uniqueId: '352093081452251' } },
        { malformed: { field: 'device.uniqueId' } },
        { malformed: { field: 'position' } },
        { malformed: { field: 'body' } },
        { malformed: { field: 'position.latitude' } },
      ],
    })
  })

  test.each([
    [undefined, 'body'],
    [[], 'body'],
    [Array.from({ length: 1_001 }, () => ({})), 'body'],
  ])('no message at all or too many', (body, field) => {
    const read = readTraccarPositions(body)
    expect('malformed' in read ? read : read.readings[0]).toMatchObject({ malformed: { field } })
  })
})

describe('events forwarded as JSON', () => {
  const event = {
    id: 91,
    deviceId: 17,
    type: 'deviceOverspeed',
    eventTime: '2026-11-22T12:00:00.000+00:00',
    positionId: 0,
    geofenceId: 3,
    maintenanceId: 0,
    attributes: { speed: 54, speedLimit: 27 },
  }

  test('the event with its speeds in km/h, its fence by name, and the position it came with', () => {
    expect(reportOf(readTraccarEvents({ event, position, device, geofence: { id: 3, name: 'Depot' } }))).toMatchObject({
      uniqueId: '352093081452251',
      fixes: [{ fixTime: at, speed: 18.52 }],
      events: [{ type: 'deviceOverspeed', at, attributes: { speed: 100.008, speedLimit: 50.004, traccarEventId: 91, geofence: 'Depot' } }],
    })
  })

  test('an event needs no position', () => {
    expect(reportOf(readTraccarEvents({ event: { ...event, type: 'deviceOffline', attributes: {} }, device }))).toMatchObject({
      fixes: [],
      events: [{ type: 'deviceOffline' }],
    })
  })

  test("an older server's event has serverTime", () => {
    expect(
      reportOf(
        readTraccarEvents({ event: { type: 'alarm', serverTime: '2018-01-01T00:00:00.000+0000', attributes: { alarm: 'sos' } }, device }),
      ),
    ).toMatchObject({ events: [{ at: Date.UTC(2018, 0, 1), attributes: { alarm: 'sos' } }] })
  })

  test.each([
    [{ device }, 'event'],
    [{ device, event: { ...event, type: '' } }, 'event.type'],
    [{ device, event: { ...event, eventTime: 'x' } }, 'event.eventTime'],
    [{ device, event: { ...event, eventTime: 1e300 } }, 'event.eventTime'],
    [{ event }, 'device.uniqueId'],
    [{ device, event, position: { fixTime: 'x' } }, 'position.fixTime'],
  ])('a missing field is named', (body, field) => {
    expect(readTraccarEvents(body)).toMatchObject({ readings: [{ malformed: { field } }] })
  })
})

describe('positions forwarded in an address', () => {
  const params = (more: Record<string, string> = {}) =>
    new URLSearchParams({
      uniqueId: '352093081452251',
      name: 'KDA 123X',
      protocol: 'gt06',
      fixTime: String(at),
      deviceTime: String(at + 1_000),
      valid: 'true',
      latitude: '-1.2921',
      longitude: '36.8219',
      altitude: '1795.0',
      speed: '10.0',
      course: '90.0',
      accuracy: '0.0',
      statusCode: '0xF020',
      address: '',
      attributes: '{"ignition":true,"speedLimit":27}',
      ...more,
    })

  test('the names of its placeholders', () => {
    expect(readTraccarUrl(params())).toEqual({
      report: {
        uniqueId: '352093081452251',
        device: { name: 'KDA 123X', protocol: 'gt06' },
        fixes: [
          {
            fixTime: at,
            deviceTime: at + 1_000,
            latitude: -1.2921,
            longitude: 36.8219,
            isValid: true,
            altitude: 1_795,
            speed: 18.52,
            course: 90,
            accuracy: null,
            attributes: { ignition: true, speedLimit: 50.004 },
          },
        ],
      },
    })
  })

  test('an alarm known only by its status code; the name in the attributes takes precedence', () => {
    expect(readTraccarUrl(params({ statusCode: '0xF841', attributes: '' }))).toMatchObject({
      report: { fixes: [{ attributes: { alarm: 'general' } }] },
    })
    expect(readTraccarUrl(params({ statusCode: '0xF841', attributes: '{"alarm":"sos"}' }))).toMatchObject({
      report: { fixes: [{ attributes: { alarm: 'sos' } }] },
    })
  })

  test.each([
    ['uniqueId', ''],
    ['fixTime', 'x'],
    ['latitude', ''],
    ['longitude', 'x'],
    ['attributes', '{'],
  ])('%s of %s is refused by name', (field, value) => {
    expect(readTraccarUrl(params({ [field]: value }))).toMatchObject({ malformed: { field, message: expect.stringContaining(field) } })
  })
})
