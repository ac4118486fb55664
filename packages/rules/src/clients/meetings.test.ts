import { expect, it } from 'vitest'
import { isMeetingDay, meetingsAfter, meetingsBetween, type MeetingCalendar } from './meetings.ts'

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

it('moves one meeting and leaves another out, by the day in the zone, and only while the calendar has them', () => {
  // Mondays at 01:00 in Nairobi are Sundays at 22:00 UTC.
  const weekly = { rule: 'FREQ=WEEKLY', start: new Date('2026-11-01T22:00:00Z'), timeZone: 'Africa/Nairobi' }
  const changes = [
    { meetingOn: '2026-11-09', movedTo: new Date('2026-11-10T07:00:00Z') },
    { meetingOn: '2026-11-16', movedTo: null },
    { meetingOn: '2026-11-17', movedTo: new Date('2026-11-18T07:00:00Z') },
  ]
  const month = (calendar: MeetingCalendar) =>
    iso(meetingsBetween(calendar, new Date('2026-11-01T00:00:00Z'), new Date('2026-11-30T00:00:00Z')))
  expect(month({ ...weekly, changes })).toEqual([
    '2026-11-01T22:00:00.000Z',
    '2026-11-10T07:00:00.000Z',
    '2026-11-22T22:00:00.000Z',
    '2026-11-29T22:00:00.000Z',
  ])
  expect(iso(meetingsAfter({ ...weekly, changes }, new Date('2026-11-08T22:00:00Z'), 2))).toEqual([
    '2026-11-10T07:00:00.000Z',
    '2026-11-22T22:00:00.000Z',
  ])
  expect(['2026-11-08', '2026-11-09', '2026-11-17'].map((day) => isMeetingDay({ ...weekly, changes }, day))).toEqual([false, true, false])
  const once = { ...weekly, rule: null, changes: [{ meetingOn: '2026-11-02', movedTo: new Date('2026-11-05T07:00:00Z') }] }
  expect(month(once)).toEqual(['2026-11-05T07:00:00.000Z'])
})
