import { expect, it } from 'vitest'
import { endOfDay } from './time-zone.ts'

it.each([
  ['Africa/Nairobi', '2026-11-26T17:30:00Z', '2026-11-26T20:59:00.000Z'],
  ['Africa/Nairobi', '2026-11-26T21:00:00Z', '2026-11-27T20:59:00.000Z'],
  // Clocks are put back in this night: its day has 25 hours.
  ['Europe/Paris', '2026-10-25T00:30:00Z', '2026-10-25T22:59:00.000Z'],
  ['Pacific/Auckland', '2028-02-28T11:30:00Z', '2028-02-29T10:59:00.000Z'],
])('a day in %s, of which it is %s, ends at %s', (zone, time, end) => {
  expect(new Date(endOfDay(Date.parse(time), zone)).toISOString()).toBe(end)
})
