import { describe, expect, it } from 'vitest'
import { ruleSetInForce } from './rule-sets.ts'
import { describeEffect, effectOn, validatedValues, stillUnverified } from './rule-change.ts'

const at = '2026-11-26'
const before = ruleSetInForce('cs-affordability', { country: 'KE', at })

describe('a change of rules', () => {
  it('keeps what is not named, and refuses a figure that nobody knows', () => {
    expect(validatedValues(before, { buffer: 5_000 }, at)).toMatchObject({ ...before.values, buffer: 5_000 })
    expect(() => validatedValues(before, { nothing: 1 }, at)).toThrow()
  })
  it('marks what the law says and was changed until somebody has confirmed it', () => {
    const [legal = ''] = Object.keys(before.sources ?? {})
    const values = { ...before.values, [legal]: 'other' }
    expect(stillUnverified(before, { values, verified: [], at })).toContain(legal)
    expect(stillUnverified(before, { values, verified: [legal], verifiedBy: 'A lawyer', at })).not.toContain(legal)
    expect(() => stillUnverified(before, { values, verified: [legal], at })).toThrow()
  })
  it('is shown on an example where the company has assessed nobody', () => {
    const stricter = { ...before, version: before.version + 1, values: validatedValues(before, { buffer: 20_000 }, at) }
    const rows = effectOn([], { before: [], after: [stricter], calculator: 'cs-affordability', country: 'KE', at })
    expect(rows.map(({ sample }) => sample)).toEqual(['Example'])
    expect(rows[0]?.before).not.toBe(rows[0]?.after)
    expect(describeEffect(rows)).toMatch(/^1 of 1 sample changes/)
    expect(describeEffect(effectOn([], { before: [], after: [], calculator: 'cs-affordability', country: 'KE', at }))).toMatch(/^0 of 1/)
  })
})
