import { describe, expect, test } from 'vitest'
import { readAttribute, readAttributes, readFlag, readNumber, readTime, toKph } from './values.ts'

describe('times as devices write them', () => {
  const noon = Date.UTC(2026, 10, 22, 12)
  test.each([
    ['1795348800', noon],
    [1_795_348_800, noon],
    ['1795348800000', noon],
    [1_795_348_800_000, noon],
    ['1795348800.250', noon + 250],
    ['2026-11-22T12:00:00Z', noon],
    ['2026-11-22T12:00:00.123Z', noon + 123],
    ['2026-11-22T12:00:00.123456Z', noon + 123],
    ['2026-11-22T15:00:00+03:00', noon],
    ['2026-11-22T15:00:00.000+0300', noon],
    ['2026-11-22T10:30:00-01:30', noon],
    // A + in a query that was not escaped arrives as a space.
    ['2026-11-22T15:00:00 03:00', noon],
    ['2026-11-22 12:00:00', noon],
    ['2026-11-22T12:00', noon],
    ['2026-11-22T12:00:00', noon],
  ])('%s', (written, at) => {
    expect(readTime(written)).toBe(at)
  })

  test.each([
    ['yesterday'],
    [''],
    ['2026-02-31T10:00:00Z'],
    ['2026-13-01 10:00:00'],
    ['2026-11-22T25:00:00Z'],
    ['-5'],
    [-5],
    [Number.NaN],
    [null],
    [true],
    [{}],
  ])('%s is none', (written) => {
    expect(readTime(written)).toBeNull()
  })

  test("without a zone it is UTC whatever the server's zone", () => {
    const zone = process.env.TZ
    process.env.TZ = 'Africa/Nairobi'
    try {
      expect(readTime('2026-11-22 12:00:00')).toBe(noon)
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
  })
})

test('speeds are in km/h without floating-point error; below zero is unknown', () => {
  expect(toKph(10, 'kn')).toBe(18.52)
  expect(toKph(2.5, 'mps')).toBe(9)
  expect(toKph(0.1, 'mps')).toBe(0.36)
  expect(toKph(-1, 'mps')).toBeNull()
  expect(toKph(null, 'kmh')).toBeNull()
})

test('numbers, flags and free attributes', () => {
  expect(['1', '-1.5', '+2', '.5', '1e3', ' 7 '].map(readNumber)).toEqual([1, -1.5, 2, 0.5, 1_000, 7])
  expect(['', 'abc', '0x10', 'Infinity', 'NaN', '1e999', '1,5', null, undefined, Number.NaN].map(readNumber)).toEqual(
    Array.from({ length: 10 }, () => null),
  )
  expect(['true', '1', 1, true, 'FALSE', '0', 'yes', undefined].map(readFlag)).toEqual([true, true, true, true, false, false, null, null])
  expect(['24', '6.0', 'true', 'sos', '0012', '1e5', '123456789012345678'].map(readAttribute)).toEqual([
    24,
    6,
    true,
    'sos',
    '0012',
    '1e5',
    '123456789012345678',
  ])
  expect(readAttributes({ a: 1, b: null, c: [1, { d: 2 }], e: 'x' })).toEqual({ a: 1, c: '[1,{"d":2}]', e: 'x' })
  expect(readAttributes('none')).toEqual({})
})

test('a million digits that are no number fail in linear time', () => {
  // With an ambiguous pattern this would take a day.
  for (const end of ['x', '.x', 'e', 'ex']) expect(readNumber(`${'1'.repeat(1_000_000)}${end}`)).toBeNull()
  expect([readNumber('1.'), readNumber('.5'), readNumber('1.5e3'), readNumber('.')]).toEqual([1, 0.5, 1_500, null])
})
