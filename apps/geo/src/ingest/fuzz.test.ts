import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateFixes } from './validate-fix.ts'
import { readBatch } from './batch/batch.ts'
import { readOsmandJson } from './osmand/json.ts'
import { readOsmandQuery } from './osmand/query.ts'
import { readOwnTracks } from './owntracks/owntracks.ts'
import type { Reading } from './report.ts'
import { readTraccarEvents, readTraccarPositions, readTraccarUrl } from './traccar/forward.ts'

const now = Date.UTC(2026, 10, 22, 12)

/** Untrusted input where a value is expected. */
const oddValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '999',
    '-1',
    '1e400',
    'NaN',
    'null',
    '2026-11-22T12:00:00Z',
    '2026-02-30 00:00:00',
    '1795348800',
    'a\0b',
    '\uD800',
    '{',
    '1,2',
    true,
    false,
    null,
    0,
    999,
    1e308,
    -0,
    1_795_348_800,
  ),
  fc.string({ maxLength: 5 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
)
const objectOf = (...keys: string[]) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, oddValue])), { requiredKeys: [], noNullPrototype: true })
const texts = (record: Record<string, unknown>) =>
  new URLSearchParams(Object.entries(record).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]))

/** Every input is refused by name, or becomes fixes of which Postgres can store the accepted ones. */
function checkReading(reading: Reading | { ignored: string }): void {
  if ('ignored' in reading) return
  if ('malformed' in reading) {
    expect(reading.malformed.field + reading.malformed.message).not.toBe('')
    return
  }
  const { report } = reading
  expect(report.uniqueId.length).toBeLessThanOrEqual(128)
  for (const fix of validateFixes(report.fixes, now).fixes) {
    for (const value of [fix.fixTime, fix.deviceTime, fix.latitude, fix.longitude, fix.altitude, fix.speed, fix.course, fix.accuracy])
      expect(value === null || Number.isFinite(value)).toBe(true)
    expect((fix.latitude === null) === (fix.longitude === null)).toBe(true)
    const text = JSON.stringify([report.uniqueId, fix])
    expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i)
  }
}
const checkAll = (read: { readings: Reading[] } | { malformed: unknown }) =>
  'readings' in read ? read.readings.forEach(checkReading) : undefined

test('no query, form or body makes a parser throw or yields a row that cannot be stored', () => {
  const query = objectOf(
    'id',
    'lat',
    'lon',
    'location',
    'timestamp',
    'speed',
    'heading',
    'valid',
    'batt',
    'cell',
    'wifi',
    'charge',
    'x',
    '__proto__',
    'constructor',
  )
  const coords = fc.oneof(objectOf('latitude', 'longitude', 'speed', 'heading', 'accuracy', 'altitude'), oddValue)
  const location = fc.record(
    { timestamp: oddValue, coords, battery: oddValue, extras: oddValue, activity: oddValue, odometer: oddValue },
    { requiredKeys: [] },
  )
  const position = fc.oneof(
    objectOf('fixTime', 'deviceTime', 'latitude', 'longitude', 'speed', 'valid', 'accuracy', 'attributes', 'network', 'address'),
    oddValue,
  )
  const message = fc.record(
    {
      position,
      device: fc.oneof(objectOf('uniqueId', 'name', 'model'), oddValue),
      event: fc.oneof(objectOf('type', 'eventTime', 'attributes'), oddValue),
      geofence: oddValue,
    },
    { requiredKeys: [] },
  )
  fc.assert(fc.property(query, (one) => checkReading(readOsmandQuery(texts(one), now))))
  fc.assert(
    fc.property(fc.record({ device_id: oddValue, location: fc.oneof(location, fc.array(location, { maxLength: 2 }), oddValue) }), (one) =>
      checkReading(readOsmandJson(one, now)),
    ),
  )
  fc.assert(
    fc.property(
      fc.oneof(fc.array(objectOf('uniqueId', 'fixTime', 'latitude', 'longitude', 'speed', 'attributes'), { maxLength: 3 }), oddValue),
      (one) => checkAll(readBatch(one)),
    ),
  )
  fc.assert(
    fc.property(fc.oneof(message, fc.array(message, { maxLength: 2 }), oddValue), (one) => {
      checkAll(readTraccarPositions(one))
      checkAll(readTraccarEvents(one))
    }),
  )
  fc.assert(
    fc.property(objectOf('uniqueId', 'fixTime', 'latitude', 'longitude', 'speed', 'attributes', 'statusCode'), (one) =>
      checkReading(readTraccarUrl(texts(one))),
    ),
  )
  fc.assert(
    fc.property(
      fc.record(
        {
          _type: fc.oneof(fc.constantFrom('location', 'lwt', 'encrypted'), oddValue),
          tst: oddValue,
          lat: oddValue,
          lon: oddValue,
          topic: oddValue,
          inregions: oddValue,
        },
        { requiredKeys: [] },
      ),
      (one) => checkReading(readOwnTracks(one, null)),
    ),
  )
})
