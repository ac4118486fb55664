import { expect, test } from 'vitest'
import { readOwnTracks } from './owntracks.ts'

const message = {
  _type: 'location',
  topic: 'owntracks/jane/phone',
  tid: 'jp',
  tst: 1_795_348_800,
  lat: -1.2921,
  lon: 36.8219,
  acc: 12,
  alt: 1_795,
  vel: 42,
  cog: 90,
  batt: 80,
  bs: 2,
  t: 'u',
  conn: 'm',
  inregions: ['Office', 'Nairobi'],
}
const at = Date.UTC(2026, 10, 22, 12)

test('a location, its speed already in km/h', () => {
  expect(readOwnTracks({ ...message, created_at: 1_795_348_860 }, null)).toEqual({
    report: {
      uniqueId: 'owntracks/jane/phone',
      fixes: [
        {
          fixTime: at,
          deviceTime: at + 60_000,
          latitude: -1.2921,
          longitude: 36.8219,
          isValid: true,
          altitude: 1_795,
          speed: 42,
          course: 90,
          accuracy: 12,
          attributes: { tid: 'jp', batteryLevel: 80, charge: true, trigger: 'u', connection: 'mobile', regions: 'Office,Nairobi' },
        },
      ],
    },
  })
})

test('the topic counts before the headers, they before the tid of two letters', () => {
  expect(readOwnTracks({ ...message, topic: undefined }, 'owntracks/jane/tablet')).toMatchObject({
    report: { uniqueId: 'owntracks/jane/tablet' },
  })
  expect(readOwnTracks({ ...message, topic: undefined }, null)).toMatchObject({ report: { uniqueId: 'jp' } })
  expect(readOwnTracks({ ...message, topic: undefined, tid: undefined }, null)).toMatchObject({ malformed: { field: 'topic' } })
})

test('its other messages are ignored, encrypted and unknown ones refused', () => {
  for (const _type of ['lwt', 'waypoint', 'transition', 'status']) expect(readOwnTracks({ _type }, null)).toEqual({ ignored: _type })
  for (const _type of ['encrypted', 'position'])
    expect(readOwnTracks({ _type, data: 'x' }, null)).toMatchObject({ malformed: { field: '_type' } })
  expect(readOwnTracks({}, null)).toMatchObject({ malformed: { field: '_type' } })
})

test.each([
  ['tst', 'x'],
  ['tst', undefined],
  ['lat', 'x'],
  ['lon', null],
])('%s of %s is refused by name', (field, value) => {
  expect(readOwnTracks({ ...message, [field]: value }, null)).toMatchObject({ malformed: { field } })
})
