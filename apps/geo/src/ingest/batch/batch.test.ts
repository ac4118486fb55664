import { expect, test } from 'vitest'
import { readBatch } from './batch.ts'

const item = { uniqueId: 'a', fixTime: '2026-11-22T12:00:00Z', latitude: -1.2921, longitude: 36.8219 }
const at = Date.UTC(2026, 10, 22, 12)

test('an item has SI units and km/h; missing values are null', () => {
  const read = readBatch([
    {
      ...item,
      deviceTime: at + 5_000,
      altitude: 1_795,
      speed: 42,
      course: 90,
      accuracy: 5,
      batteryLevel: 80,
      attributes: { ignition: true, tags: ['x'] },
    },
    item,
  ])
  expect(read).toEqual({
    readings: [
      {
        report: {
          uniqueId: 'a',
          fixes: [
            {
              fixTime: at,
              deviceTime: at + 5_000,
              latitude: -1.2921,
              longitude: 36.8219,
              isValid: true,
              altitude: 1_795,
              speed: 42,
              course: 90,
              accuracy: 5,
              attributes: { ignition: true, tags: '["x"]', batteryLevel: 80 },
            },
          ],
        },
      },
      {
        report: {
          uniqueId: 'a',
          fixes: [
            {
              fixTime: at,
              deviceTime: at,
              latitude: -1.2921,
              longitude: 36.8219,
              isValid: true,
              altitude: null,
              speed: null,
              course: null,
              accuracy: null,
              attributes: {},
            },
          ],
        },
      },
    ],
  })
})

test('one device for the whole list; an item may name another', () => {
  expect(readBatch({ uniqueId: 'phone', token: 't', positions: [{ ...item, uniqueId: undefined }, item] })).toMatchObject({
    readings: [{ report: { uniqueId: 'phone', token: 't' } }, { report: { uniqueId: 'a', token: 't' } }],
  })
})

test('a message without a place has none; one coordinate alone is no place', () => {
  expect(readBatch([{ uniqueId: 'a', fixTime: at, attributes: { ignition: false } }])).toMatchObject({
    readings: [{ report: { fixes: [{ latitude: null, isValid: false }] } }],
  })
  expect(readBatch([{ ...item, longitude: null }])).toMatchObject({ readings: [{ malformed: { field: 'longitude' } }] })
})

test('an invalid item does not affect the others', () => {
  expect(
    readBatch([
      { ...item, uniqueId: '' },
      item,
      5,
      { ...item, fixTime: undefined },
      { ...item, speed: 'fast' },
      { ...item, attributes: [] },
      { ...item, deviceTime: 'x' },
    ]),
  ).toMatchObject({
    readings: [
      { malformed: { field: 'uniqueId', message: 'uniqueId is missing' } },
      { report: { uniqueId: 'a' } },
      { malformed: { field: 'position' } },
      { malformed: { field: 'fixTime', message: 'fixTime is missing' } },
      { malformed: { field: 'speed' } },
      { malformed: { field: 'attributes' } },
      { malformed: { field: 'deviceTime' } },
    ],
  })
})

test('1,000 items pass; 1,001, none and a non-list do not', () => {
  expect(readBatch(Array.from({ length: 1_000 }, () => item))).toHaveProperty('readings.length', 1_000)
  expect(readBatch(Array.from({ length: 1_001 }, () => item))).toEqual({
    malformed: { field: 'positions', message: 'at most 1,000 positions at once' },
  })
  for (const body of [[], {}, null, 'x', { positions: 'x' }]) expect(readBatch(body)).toMatchObject({ malformed: { field: 'positions' } })
})
