import { expect, it } from 'vitest'
import { meetingsAfter } from './group.meetings.ts'

const iso = (times: Date[]) => times.map((time) => time.toISOString())

it('keeps the hour of the day when the clocks change, and counts from the first meeting', () => {
  const calendar = { rule: 'FREQ=WEEKLY;INTERVAL=2', start: new Date('2026-10-12T08:00:00Z'), timeZone: 'Europe/London' }
  // Nine o'clock in summer is 08:00 UTC, in winter 09:00.
  expect(iso(meetingsAfter(calendar, new Date('2026-10-12T08:00:00Z'), 2))).toEqual([
    '2026-10-26T09:00:00.000Z',
    '2026-11-09T09:00:00.000Z',
  ])
  expect(iso(meetingsAfter(calendar, new Date('2026-10-01T00:00:00Z'), 1))).toEqual(['2026-10-12T08:00:00.000Z'])
})

it('leaves months without the 31st out, and a meeting without a rule happens once', () => {
  const start = new Date('2026-01-31T06:00:00Z')
  const monthly = { rule: 'FREQ=MONTHLY', start, timeZone: 'Africa/Nairobi' }
  expect(iso(meetingsAfter(monthly, start, 2))).toEqual(['2026-03-31T06:00:00.000Z', '2026-05-31T06:00:00.000Z'])
  expect(meetingsAfter({ ...monthly, rule: null }, start, 2)).toEqual([])
  expect(meetingsAfter({ ...monthly, rule: null }, new Date('2026-01-01T00:00:00Z'), 2)).toEqual([start])
})
