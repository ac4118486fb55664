import { expect, test } from 'vitest'
import { readFormats } from '@outpost/rules/formats'
import { wordingOf } from '@outpost/rules/wording'
import { eventMessage } from './event-words.ts'
import type { Reaction } from './reaction.ts'

const event: Reaction['event'] = {
  id: 'e',
  type: 'deviceOverspeed',
  time: '2026-11-22T11:05:00.000Z',
  severity: 'warning',
  latitude: -1.28,
  longitude: 36.82,
  speed: 92.4,
  attributes: { speedLimit: 80 },
  fence: null,
  isSuperseded: false,
  isAcknowledged: false,
}
const reaction: Reaction = {
  id: 'r',
  type: 'notify',
  level: 1,
  state: 'waiting',
  attempts: 0,
  dueAt: event.time,
  reached: [],
  isWanted: true,
  parameters: {},
  rule: 'Speeding',
  device: { id: 'd', name: 'KDA 123A' },
  tenantPath: [],
  timeZone: 'Africa/Nairobi',
  event,
}
const near = { address: 'Westlands, Nairobi', source: 'place' }
const said = (more: Partial<Reaction['event']>, place: typeof near | null = near, other: Partial<Reaction> = {}, date = '') =>
  eventMessage(
    { ...reaction, ...other, event: { ...event, ...more } },
    { place: place ?? undefined, wording: wordingOf({ currency: 'KES', timeZone: 'UTC', formats: readFormats({ date }) }) },
  ).sentence

test('an event is told with vehicle, what, where and the time of its place', () => {
  expect(said({})).toBe('KDA 123A: Too fast, 92 km/h (limit 80), near Westlands, Nairobi. 22 Nov 2026, 14:05')
  expect(said({ type: 'alarm', attributes: { alarm: 'sos' } }, { address: 'Depot', source: 'fence' })).toBe(
    'KDA 123A: SOS, at Depot. 22 Nov 2026, 14:05',
  )
  expect(said({ type: 'geofenceEnter', fence: 'Depot' }, { address: 'Depot', source: 'fence' })).toBe(
    'KDA 123A: Entered a fence (Depot). 22 Nov 2026, 14:05',
  )
  expect(said({ type: 'ignitionOn', attributes: {} }, null)).toBe('KDA 123A: Ignition on, at -1.28000, 36.82000. 22 Nov 2026, 14:05')
  expect(said({ type: 'deviceOffline', latitude: null, longitude: null }, null, { timeZone: null })).toBe(
    'KDA 123A: Device offline. 22 Nov 2026, 11:05',
  )
  expect(said({}, near, {}, 'MM/DD/YYYY')).toBe('KDA 123A: Too fast, 92 km/h (limit 80), near Westlands, Nairobi. 11/22/2026, 14:05')
})

test('what nobody has words for keeps its own name, whatever it is called', () => {
  expect(said({ type: 'alarm', attributes: { alarm: 'vendorThing' } })).toContain('KDA 123A: Alarm vendorThing, near')
  expect(said({ type: 'constructor', attributes: { alarm: 7 } })).toContain('KDA 123A: constructor, near')
  expect(said({ type: 'alarm', attributes: { alarm: 'toString' } })).toContain('Alarm toString')
})

test('a second word says how long nobody took note', () => {
  expect(said({}, near, { level: 2, parameters: { escalateAfterS: 600 } })).toMatch(/^Nobody took note for 10 minutes\. KDA 123A: /)
  expect(said({}, near, { level: 2, parameters: { escalateAfterS: 60 } })).toMatch(/^Nobody took note for a minute\. /)
  expect(said({}, near, { level: 2, parameters: { escalateAfterS: 4 * 3_600 } })).toMatch(/^Nobody took note for 4 hours\. /)
})
