import { expect, it } from 'vitest'
import { gradeAt, oldAccuracy, gradeLastFix, sourceOf, type Fix } from './fix-quality.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const minute = 60_000
const aged = (minutes: number): Fix => ({ latitude: -1.28, longitude: 36.82, accuracy: 12, at: now - minutes * minute })

it.each([
  [0, 'live', 12],
  [0.2, 'live', 12],
  [1, 'cached', 12],
  [59.9, 'cached', 12],
  [60, 'cached_old', oldAccuracy],
  [360, 'cached_old', oldAccuracy],
  [360.1, 'none', oldAccuracy],
] as const)('a fix of %s minutes is %s', (minutes, source, accuracy) => {
  expect(gradeLastFix(aged(minutes), now)).toMatchObject({
    source,
    accuracy,
    ...(source === 'none' ? { latitude: 999, longitude: 999 } : { latitude: -1.28 }),
  })
})

it('reuses no placeholder, and nothing without a fix', () => {
  for (const last of [null, undefined, { ...aged(0), latitude: 0 }, { ...aged(0), longitude: 999 }])
    expect(gradeLastFix(last, now).source).toBe('none')
})

it('recognises an old fix by its accuracy, whatever the sender states', () => {
  expect(sourceOf({ accuracy: 9_999, source: 'live' })).toBe('cached_old')
  expect(sourceOf({ accuracy: 8 })).toBe('live')
  expect(sourceOf({ source: 'cached', accuracy: 8 })).toBe('cached')
})

it.each([
  ['live', 0, 'live'],
  ['live', 15, 'live'],
  ['live', 16, 'cached'],
  ['cached', 0, 'cached'],
  ['live', 60, 'cached_old'],
  ['cached_old', 0, 'cached_old'],
  ['live', 361, 'none'],
  ['none', 0, 'none'],
] as const)('a %s position looked at after %s minutes counts as %s', (source, minutes, grade) =>
  expect(gradeAt({ source, at: now - minutes * minute }, now)).toBe(grade),
)

it('without a time there is no position', () => expect(gradeAt({ source: 'live', at: null }, now)).toBe('none'))
