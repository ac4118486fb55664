import { expect, it } from 'vitest'
import { amountFault, decimalsOf, minorUnits } from './currency.ts'

it('knows how many decimals a currency has', () => {
  expect(['KES', 'UGX', 'ZAR', 'RWF', 'TND', 'xx', ''].map(decimalsOf)).toEqual([2, 0, 2, 0, 3, 2, 2])
})

it('refuses decimals that a currency does not have', () => {
  expect([amountFault(12.5, 'KES'), amountFault('12.505', 'KES'), amountFault(1e-7, 'KES')]).toEqual([
    undefined,
    'may hold 2 decimals at most in KES',
    'may hold 2 decimals at most in KES',
  ])
  // As amounts are stored, zeros at the end need no decimals.
  expect([amountFault('500000.00', 'UGX'), amountFault('12.500', 'KES'), amountFault('0.50', 'UGX')]).toEqual([
    undefined,
    undefined,
    'may hold no decimals in UGX',
  ])
  expect([amountFault(1200, 'UGX'), amountFault(-3, 'UGX'), amountFault(0.5, 'UGX'), amountFault(0.005, 'TND')]).toEqual([
    undefined,
    undefined,
    'may hold no decimals in UGX',
    undefined,
  ])
})

it('counts in the smallest unit, so that sums are exact', () => {
  expect(minorUnits(0.1, 'KES') + minorUnits(0.2, 'KES')).toBe(minorUnits(0.3, 'KES'))
  expect([minorUnits(999_999_999_999.99, 'KES'), minorUnits(-1.15, 'KES'), minorUnits(5, 'UGX')]).toEqual([99_999_999_999_999, -115, 5])
})
