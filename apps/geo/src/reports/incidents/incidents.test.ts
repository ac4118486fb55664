import { expect, test } from 'vitest'
import { impactOf, mergeSuspicions } from './impact.ts'
import { incidentsOf, severityOfIncident, describeIncident, type TamperSignal } from './incidents.ts'

const minute = 60_000
const nowhere = { latitude: null, longitude: null, endLatitude: null, endLongitude: null }
const signal = (kind: string, start: number, end: number | null = start, deviceId = 'a'): TamperSignal => ({
  deviceId,
  kind,
  start: start * minute,
  end: end === null ? null : end * minute,
  ...nowhere,
})

test('signals within ten minutes of the end of the previous one are one incident, per device', () => {
  const incidents = incidentsOf([
    signal('powerCut', 0),
    signal('jamming', 1, 1, 'b'),
    signal('silence', 9, 200),
    signal('powerCut', 205),
    signal('bonnet', 216),
  ])
  expect(
    incidents.map(({ deviceId, signals, start, end }) => [deviceId, signals.map(({ kind }) => kind).join(), start / minute, end! / minute]),
  ).toEqual([
    ['a', 'powerCut,silence,powerCut', 0, 205],
    ['b', 'jamming', 1, 1],
    ['a', 'bonnet', 216, 216],
  ])
  expect(incidents.map(severityOfIncident)).toEqual(['critical', 'critical', 'warning'])
  expect(describeIncident(incidents[0]!, 0)).toBe('power cut, silence of 3 h 11 min, heard again, power cut')
})

test('an ongoing silence keeps its incident open, whatever follows', () => {
  const [incident, ...others] = incidentsOf([signal('powerCut', 0), signal('powerCut', 1), signal('silence', 2, null), signal('tow', 900)])
  expect([others, incident!.end]).toEqual([[], null])
  expect(describeIncident(incident!, 3_000 * minute)).toBe('power cut, silence for 2 days, towed')
})

test('the hardest fall of speed within five seconds, and the strongest shock', () => {
  const trace = [80, 78, 20, 0, 0, 60, 10].map((speed, at) => ({
    time: at * 1_000 + (at > 4 ? 60_000 : 0),
    speed,
    latitude: null,
    longitude: null,
    g: at === 2 ? 6.1 : null,
  }))
  expect(impactOf(trace)).toEqual({ speedBefore: 80, speedDrop: 80, g: 6.1 })
  expect(impactOf(trace.slice(3, 6))).toEqual({ speedBefore: 0, speedDrop: 0, g: null })
  expect(impactOf([])).toEqual({ speedBefore: null, speedDrop: null, g: null })
})

test('a crash reported by the device replaces a guess next to it', () => {
  const list = [
    { time: 0, eventId: null },
    { time: 30_000, eventId: null },
    { time: 50_000, eventId: 'x' },
    { time: 120_000, eventId: null },
    { time: 150_000, eventId: null },
  ]
  expect(mergeSuspicions(list)).toEqual([list[2], list[3]])
})
