import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distribute, residualOf, spreadResidual } from './target-distribution.ts'

const minor = (amount: number, decimals: number) => Math.round(amount * 10 ** decimals)

describe('distributing a target', () => {
  it('shows the residual of rounding', () => {
    const even = distribute(10, [1, 1, 1], 0)
    expect([even.shares.map(({ amount }) => amount), even.residual]).toEqual([[3, 3, 3], 1])
    expect(spreadResidual(even, 0)).toMatchObject({ shares: [{ amount: 4 }, { amount: 3 }, { amount: 3 }], residual: 0 })
  })
  it('follows the weights, and splits evenly when there are none', () => {
    expect(distribute(100, [3, 1], 0).shares.map(({ amount }) => amount)).toEqual([75, 25])
    expect(distribute(9, [0, 0, 0], 0).shares.map(({ amount }) => amount)).toEqual([3, 3, 3])
  })
  it('loses no cent: shares and residual add up to the total, each share within one unit of its exact part', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), weights, fc.constantFrom(0, 2), (whole, given, decimals) => {
        const total = whole / 10 ** decimals
        for (const split of [distribute(total, given, decimals), spreadResidual(distribute(total, given, decimals), decimals)]) {
          const sum = split.shares.reduce((all, { amount }) => all + minor(amount, decimals), 0)
          expect(sum + minor(split.residual, decimals)).toBe(whole)
          for (const { amount, exact } of split.shares) expect(Math.abs(amount - exact)).toBeLessThanOrEqual(1 / 10 ** decimals + 1e-6)
        }
        expect(spreadResidual(distribute(total, given, decimals), decimals).residual).toBe(0)
      }),
    )
  })
  it('returns the rest after parts', () => expect(residualOf(10, [3.33, 3.33, 3.33])).toBe(0.01))
})
