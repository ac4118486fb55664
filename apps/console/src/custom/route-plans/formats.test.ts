import { expect, it } from 'vitest'
import { clock, conflictText, formatDay, formatDuration, formatKm, minuteOfText, timeText } from './formats.ts'

it('says times, days, ways and durations as people read them', () => {
  expect(clock('2026-11-24T05:05:00Z', 'Africa/Nairobi')).toBe('08:05')
  expect(clock(null, 'Africa/Nairobi')).toBe('–')
  expect(formatDay('2026-11-24')).toBe('Tue 24 Nov')
  expect([formatKm(840), formatKm(12_400)]).toEqual(['0.8 km', '12 km'])
  expect([formatDuration(45), formatDuration(125)]).toEqual(['45 min', '2 h 05 min'])
})

it('reads a time back, and no nonsense', () => {
  expect(minuteOfText(timeText(485))).toBe(485)
  expect(['24:01', '8', 'x', '-1:00'].map(minuteOfText)).toEqual([null, null, null, null])
})

it('names what is in the way of a stop', () => {
  const at = { userId: 'u', day: '2026-11-24', stopId: 'a' }
  expect(conflictText({ ...at, kind: 'busy', minutes: 20, with: { activityId: 'b', name: 'Audit', planName: 'East' } })).toBe(
    'Agent is busy: Audit (East), 20 min',
  )
  expect(conflictText({ kind: 'outside', minutes: 25 })).toBe('Back after the day’s end, 25 min')
  expect(conflictText({ ...at, kind: 'noPlace' })).toBe('No place known')
})
