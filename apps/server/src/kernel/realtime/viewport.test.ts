import { expect, test } from 'vitest'
import { createViewports } from './viewport.ts'

let seq = 0
const at = (deviceId: string, longitude: number, more: { seq?: number } = {}) => ({
  deviceId,
  seq: (seq += 1),
  longitude,
  latitude: -1.25,
  seenBy: null,
  tenantId: 't',
  status: 'online' as const,
  fixTime: '',
  speed: null,
  course: null,
  accuracy: null,
  isValid: true,
  ignition: null,
  batteryLevel: null,
  alarm: null,
  ...more,
})
const view = { box: [36, -2, 37, -1] as [number, number, number, number], since: 0 }
let clock = 100_000
const open = () => createViewports(() => clock)

test('in the stretch, and once more when it is left', () => {
  const ports = open()
  const told = (position: ReturnType<typeof at>) => {
    const isTold = ports.filterFor({ view })?.(position)
    ports.remember([position], true)
    return isTold
  }
  // Nobody knows yet where they were: they may have just left.
  expect([told(at('a', 36.5)), told(at('b', 38))]).toEqual([true, true])
  expect([told(at('a', 36.6)), told(at('b', 38.1)), told(at('a', 37.5)), told(at('a', 37.6)), told(at('a', 36.9))]).toEqual([
    true,
    false,
    true,
    false,
    true,
  ])
})

test('an older word that comes late moves nobody back', () => {
  const ports = open()
  ports.remember([at('a', 36.5, { seq: 900 })], true)
  ports.remember([at('a', 39, { seq: 800 })], true)
  expect(ports.filterFor({ view })?.(at('a', 38))).toBe(true)
})

test('a map just moved is told everything for a while, one without a stretch always', () => {
  const ports = open()
  ports.remember([at('a', 38)], true)
  expect(ports.filterFor({ view: { ...view, since: clock - 1_000 } })?.(at('a', 38.1))).toBe(true)
  clock += 10_000
  expect(ports.filterFor({ view: { ...view, since: clock - 10_000 } })?.(at('a', 38.1))).toBe(false)
  expect(ports.filterFor({ view: null })).toBeUndefined()
})

test('places are forgotten while nobody watches a stretch: they grow old', () => {
  const ports = open()
  ports.remember([at('a', 38)], true)
  ports.remember([at('a', 38)], false)
  expect(ports.filterFor({ view })?.(at('a', 38.2))).toBe(true)
})
