import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateFix, validateFixes } from './validate-fix.ts'
import type { Fix } from '../positions/fix.ts'

const now = Date.UTC(2026, 10, 22, 12)
const hour = 3_600_000
const fix = (more: Partial<Fix> = {}): Fix => ({
  fixTime: now - 1_000,
  deviceTime: now - 1_000,
  latitude: -1.2921,
  longitude: 36.8219,
  isValid: true,
  altitude: 1_795,
  speed: 42,
  course: 90,
  accuracy: 5,
  attributes: {},
  ...more,
})
const refusalOf = (more: Partial<Fix>) => {
  const verdict = validateFix(fix(more), now)
  return verdict.isAccepted ? null : verdict.refusal
}

describe('validation of a fix', () => {
  test('a valid one passes unchanged', () => {
    expect(validateFix(fix(), now)).toEqual({ isAccepted: true, fix: fix() })
  })

  test.each([
    [0, 0],
    [999, 999],
    [999, 36],
    [-1, 999],
    [Number.NaN, 36],
    [null, 36],
    [-1, null],
  ])('%s, %s is no position: 101', (latitude, longitude) => {
    expect(refusalOf({ latitude, longitude })).toEqual({ code: 101, field: 'position', message: 'No position available' })
  })

  test.each([
    [0, 37.07],
    [51.48, 0],
  ])('%s, %s lies on the equator or at Greenwich and passes', (latitude, longitude) => {
    expect(refusalOf({ latitude, longitude })).toBeNull()
  })

  test.each([
    [90.1, 36, 'latitude'],
    [-91, 36, 'latitude'],
    [-1, 180.1, 'longitude'],
    [Number.POSITIVE_INFINITY, 1, 'latitude'],
  ])('%s, %s is off the globe', (latitude, longitude, field) => {
    expect(refusalOf({ latitude, longitude })).toMatchObject({ code: 101, field })
  })

  test('24 hours ahead pass, a millisecond more does not; nor does a clock that was never set', () => {
    expect(refusalOf({ fixTime: now + 24 * hour, deviceTime: now + 24 * hour })).toBeNull()
    expect(refusalOf({ fixTime: now + 24 * hour + 1 })).toMatchObject({
      code: 101,
      field: 'fixTime',
      message: 'fixTime lies more than 24 hours in the future',
    })
    expect(refusalOf({ deviceTime: now + 25 * hour })).toMatchObject({ field: 'deviceTime' })
    expect(refusalOf({ fixTime: Date.UTC(1980, 0, 6) })).toMatchObject({ field: 'fixTime' })
    expect(refusalOf({ fixTime: Number.NaN })).toMatchObject({ field: 'fixTime', message: 'fixTime is not a time' })
    expect(refusalOf({ fixTime: Date.UTC(2013, 7, 22) })).toBeNull()
  })

  test('a device that reports no fix is not refused: its 0/0 becomes no place, its values stay', () => {
    const verdict = validateFix(fix({ latitude: 0, longitude: 0, isValid: false, attributes: { ignition: true } }), now)
    expect(verdict).toMatchObject({
      isAccepted: true,
      fix: { latitude: null, longitude: null, isValid: false, speed: null, attributes: { ignition: true } },
    })
  })

  test('an alarm is kept without its refused place', () => {
    const verdict = validateFix(fix({ latitude: 0, longitude: 0, attributes: { alarm: 'sos' } }), now)
    expect(verdict).toMatchObject({
      isAccepted: false,
      rest: { latitude: null, longitude: null, isValid: false, attributes: { alarm: 'sos' } },
    })
    expect(validateFix(fix({ latitude: 0, longitude: 0 }), now)).toMatchObject({ isAccepted: false, rest: null })
    expect(validateFix(fix({ fixTime: now + 48 * hour, attributes: { alarm: 'sos' } }), now)).toMatchObject({
      isAccepted: false,
      rest: null,
    })
  })

  test('a message without a place passes', () => {
    expect(refusalOf({ latitude: null, longitude: null, isValid: false })).toBeNull()
  })

  test('what Postgres would refuse is removed: NUL, lone surrogates, NaN', () => {
    const verdict = validateFix(
      fix({
        speed: -1,
        course: 360,
        accuracy: Number.NaN,
        altitude: Number.POSITIVE_INFINITY,
        attributes: { 'a\0': 'x\0y', half: '\uD800', rpm: Number.NaN, fuel: 3, isOn: true },
      }),
      now,
    )
    expect(verdict).toMatchObject({
      fix: { speed: null, course: 0, accuracy: null, altitude: null, attributes: { a: 'xy', half: '\uFFFD', fuel: 3, isOn: true } },
    })
    if (verdict.isAccepted) expect(Object.keys(verdict.fix.attributes)).not.toContain('rpm')
  })
})

test('a column of type real takes it: neither too great nor too near to zero', () => {
  expect(validateFix(fix({ speed: 1e39, altitude: -1e300, accuracy: 5e-324, course: 1e-300 }), now)).toMatchObject({
    fix: { speed: null, altitude: null, accuracy: 0, course: 0 },
  })
})

test('endless attributes are truncated and marked', () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`a${index}`, index]))
  const verdict = validateFix(fix({ attributes: { long: 'x'.repeat(9_000), ...many } }), now)
  if (!verdict.isAccepted) throw new Error('refused')
  expect(Object.keys(verdict.fix.attributes)).toHaveLength(200)
  expect(verdict.fix.attributes.attributesCut).toBe(52)
  expect(validateFix(verdict.fix, now)).toEqual(verdict)
  expect(verdict.fix.attributes.long).toBe(`${'x'.repeat(7_999)}…`)
})

test('a list keeps its indexes: refused ones are named, their rests follow the accepted ones', () => {
  const judged = validateFixes(
    [fix(), fix({ latitude: 0, longitude: 0, attributes: { alarm: 'sos' } }), fix({ latitude: 95 }), fix({ speed: 3 })],
    now,
  )
  expect(judged.indexes).toEqual([0, 3, 1])
  expect(judged.refused.map(({ index, field }) => [index, field])).toEqual([
    [1, 'position'],
    [2, 'latitude'],
  ])
  expect(judged.fixes.map(({ latitude, speed }) => [latitude, speed])).toEqual([
    [-1.2921, 42],
    [-1.2921, 3],
    [null, null],
  ])
})

test('property: never throws; what passes is on the globe, in time, and passes again', () => {
  const anyNumber = fc.oneof(fc.double(), fc.constantFrom(0, 999, -999, 90, 180))
  const text = fc.string({ unit: 'binary', maxLength: 4 })
  const anyFix = fc.record({
    fixTime: fc.oneof(fc.double(), fc.integer({ min: now - 1e10, max: now + 1e9 })),
    deviceTime: fc.integer({ min: now - 1e10, max: now + 1e8 }),
    latitude: fc.option(anyNumber),
    longitude: fc.option(anyNumber),
    isValid: fc.boolean(),
    altitude: fc.option(fc.double()),
    speed: fc.option(fc.double()),
    course: fc.option(fc.double()),
    accuracy: fc.option(fc.double()),
    attributes: fc.dictionary(text, fc.oneof(text, fc.double(), fc.boolean()), { noNullPrototype: true, maxKeys: 3 }),
  })
  fc.assert(
    fc.property(anyFix, (one) => {
      const verdict = validateFix(one, now)
      const kept = verdict.isAccepted ? verdict.fix : verdict.rest
      if (!kept) return
      expect(kept.fixTime).toBeLessThanOrEqual(now + 24 * hour)
      expect(JSON.stringify(kept)).not.toContain(String.raw`\u0000`)
      expect(Math.abs(kept.latitude ?? 0)).toBeLessThanOrEqual(90)
      expect(Math.abs(kept.longitude ?? 0)).toBeLessThanOrEqual(180)
      expect(validateFix(kept, now)).toEqual({ isAccepted: true, fix: kept })
    }),
  )
})
