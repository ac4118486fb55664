import { expect, it } from 'vitest'
import { Decimal } from '../money.ts'
import { splitEvenly } from './split.ts'

it('shares add up to the amount and differ by one unit of the currency at most', () => {
  expect(splitEvenly('1000', 3, 'KES')).toEqual(['333.34', '333.33', '333.33'])
  expect(splitEvenly('0.05', 8, 'KES')).toEqual(['0.01', '0.01', '0.01', '0.01', '0.01', '0.00', '0.00', '0.00'])
  expect(splitEvenly('100000', 3, 'UGX').map(Number)).toEqual([33_334, 33_333, 33_333])
  for (const amount of ['999999999999', '12345.67', '80000'])
    for (const count of [1, 2, 7, 8, 30, 200]) {
      const shares = splitEvenly(amount, count, 'KES')
      expect(shares).toHaveLength(count)
      expect(shares.reduce((sum, share) => sum.plus(share), new Decimal(0)).toFixed(2)).toBe(new Decimal(amount).toFixed(2))
      expect(Number(shares[0]) - Number(shares.at(-1))).toBeLessThanOrEqual(0.0101)
    }
})
