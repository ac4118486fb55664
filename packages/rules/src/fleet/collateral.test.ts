import { expect, test } from 'vitest'
import { collateralRisks, type Collateral } from './collateral.ts'

const now = Date.UTC(2026, 10, 25, 12)
const hour = 3_600_000
const home = { latitude: -1.3, longitude: 36.8 }
const away = { latitude: -1.2, longitude: 36.8 }
const one = (id: string, more: Partial<Collateral> = {}): Collateral => ({
  id,
  registration: id,
  clientId: `client of ${id}`,
  hasTracker: true,
  heardAt: now - hour,
  place: null,
  isMoving: false,
  tampering: [],
  left: [],
  nights: [],
  daysPastDue: 0,
  ...more,
})
const riskOf = (more: Partial<Collateral>, others: Collateral[] = []) => collateralRisks([one('KDA', more), ...others], now).get('KDA')!

test('a vehicle that is heard of and is where it should be has no risk', () => {
  expect(riskOf({ place: home, nights: Array.from({ length: 28 }, () => home) })).toEqual({ points: 0, why: [], isWatched: false })
})

test('silence weighs more with time; no tracker and one never heard of are told apart', () => {
  expect(riskOf({ heardAt: now - 23 * hour }).why).toEqual([])
  expect(riskOf({ heardAt: now - 30 * hour }).why).toEqual(['Silent for 30 hours (+20)'])
  expect(riskOf({ heardAt: now - 100 * hour }).why).toEqual(['Silent for 4 days (+40)'])
  expect(riskOf({ heardAt: null }).why).toEqual(['Its tracker was never heard of (+30)'])
  expect(riskOf({ heardAt: null, hasTracker: false }).why).toEqual(['No tracker on it (+30)'])
})

test('reasons add up, the heaviest first, and arrears alone are no reason to watch', () => {
  expect(
    riskOf({ tampering: [{ words: 'power cut', isOpen: true }], left: [{ fence: 'Kenya', isBorder: true }], daysPastDue: 45 }),
  ).toEqual({
    points: 105,
    why: ['Left Kenya (+50)', 'power cut (+45)', '45 days past due (+10)'],
    isWatched: true,
  })
  expect(riskOf({ daysPastDue: 120 })).toEqual({ points: 20, why: ['120 days past due (+20)'], isWatched: false })
})

test('odd nights count against the usual place, and only where there is one', () => {
  const before = Array.from({ length: 10 }, () => home)
  expect(riskOf({ nights: [away, away, null, home, home, home, home, ...before] }).why).toEqual([
    '2 of the last 7 nights away from its usual place (+15)',
  ])
  expect(riskOf({ nights: [away, null, null, home, home, home, home, ...before] }).why).toEqual([])
  expect(riskOf({ nights: [away, away, away, away, away, away, away, home, home] }).why).toEqual([])
})

test('two that are side by side are told, unless they are one client’s, one drives, or one is long silent', () => {
  const beside = (more: Partial<Collateral>) => [one('KDB', { place: { latitude: -1.3005, longitude: 36.8 }, ...more })]
  expect(riskOf({ place: home }, beside({})).why).toEqual(['Stands beside KDB (+20)'])
  expect(riskOf({ place: home }, beside({ clientId: 'client of KDA' })).why).toEqual([])
  expect(riskOf({ place: home }, beside({ isMoving: true })).why).toEqual([])
  expect(riskOf({ place: home }, beside({ heardAt: now - 48 * hour })).why).toEqual([])
  expect(riskOf({ place: home }, beside({ place: away })).why).toEqual([])
})
