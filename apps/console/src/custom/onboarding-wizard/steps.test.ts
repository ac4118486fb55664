import { describe, expect, it } from 'vitest'
import { percentOf, progressAfter, startAt } from './progress.ts'
import { checkStep, leftOver, steps } from './steps.ts'

describe('the way through the wizard', () => {
  it('goes forward only when the check passed, and jumps no further than reached', () => {
    let at = startAt()
    at = progressAfter(at, { kind: 'checking' })
    at = progressAfter(at, { kind: 'refused', error: 'Duplicate' })
    expect(at).toEqual({ active: 0, furthest: 0, error: 'Duplicate', isChecking: false })
    expect(progressAfter(at, { kind: 'jump', to: 1 })).toBe(at)
    at = progressAfter(progressAfter(at, { kind: 'passed' }), { kind: 'passed' })
    expect(at).toMatchObject({ active: 2, furthest: 2, error: null })
    at = progressAfter(at, { kind: 'jump', to: 0 })
    expect(at).toMatchObject({ active: 0, furthest: 2 })
    expect(progressAfter(at, { kind: 'jump', to: 2 }).active).toBe(2)
  })

  it('clears the error on the way back and stays inside', () => {
    const refused = progressAfter(startAt(1), { kind: 'refused', error: 'no' })
    expect(progressAfter(refused, { kind: 'back' })).toMatchObject({ active: 0, error: null })
    expect(progressAfter(startAt(0), { kind: 'back' }).active).toBe(0)
    expect(progressAfter(startAt(5), { kind: 'passed' }).active).toBe(5)
    expect(startAt(9, 20)).toMatchObject({ active: 5, furthest: 5 })
  })

  it('counts progress by steps', () => expect([startAt(0), startAt(1), startAt(5)].map(percentOf)).toEqual([0, 20, 100]))
})

describe('what each step accepts', () => {
  it('has six steps, the last one to confirm', () =>
    expect(steps.map((step) => step.key)).toEqual(['person', 'contact', 'employment', 'address', 'affordability', 'consent']))

  it.each([
    ['person', { firstName: '', lastName: 'Otieno' }, ['firstName']],
    ['person', { lastName: 'Otieno' }, ['firstName']],
    ['person', { firstName: 'Amina1', lastName: 'O', idNumber: '12' }, ['firstName', 'idNumber']],
    ['person', { firstName: 'Amina', lastName: "O'Brien", idNumber: '12345678' }, []],
    ['contact', { phonenumber: '123' }, ['phonenumber']],
    ['contact', { phonenumber: '0712345678', emailAddress: 'no', contactNumber: 'x' }, ['emailAddress', 'contactNumber']],
    ['contact', { phonenumber: '+254 712 345 678', emailAddress: '', contactNumber: '' }, []],
    ['employment', { grossIncome: 100, netIncome: 200 }, ['netIncome']],
    ['employment', { grossIncome: -1 }, ['grossIncome']],
    ['employment', { employer: null, grossIncome: null }, []],
    ['affordability', { termMonths: 0 }, ['termMonths']],
    ['affordability', { termMonths: 12.5 }, ['termMonths']],
    ['affordability', {}, []],
    ['address', { city: 'x'.repeat(81) }, ['city']],
  ] as const)('%s %j', (key, values, fields) => {
    expect(checkStep(key, values, 'KE').map((error) => error.field)).toEqual(fields)
  })

  it('says each field once and in words', () =>
    expect(checkStep('person', { firstName: '', lastName: 'A' }, 'KE')).toEqual([{ field: 'firstName', message: 'Enter the first name.' }]))

  it('works out what is left of the income', () => {
    expect(leftOver({})).toBeNull()
    expect(leftOver({ employment: { netIncome: 1000 }, affordability: { livingExpenses: 400, existingObligations: 100 } })).toBe(500)
  })
})
