import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculatorInputs } from '../../../../tests/support/calculator-inputs.ts'
import { Decimal, zero } from '../money.ts'
import { calculatorNames, runCalculator, type CalculatorRun } from './index.ts'

const at = '2026-11-21'
const runs = { numRuns: 150 }
const countries = ['KE', 'ZA', 'ZM', 'UG', '*']
const cases = calculatorNames.flatMap((name) => countries.map((country) => [name, country] as const))
const affordability = cases.filter(([name]) => name !== 'lbf-premium')
const amount = (run: CalculatorRun, key: string) => new Decimal(run.result[key] ?? 0)

/** The income input of a calculator; the months of a business change together. */
function earnMore(inputs: Record<string, unknown>, more: number): Record<string, unknown> {
  const raised = (value: unknown) => new Decimal(Number(value)).plus(more).toNumber()
  if (Array.isArray(inputs['months']))
    return { ...inputs, months: inputs['months'].map((row: Record<string, unknown>) => ({ ...row, sales: raised(row['sales']) })) }
  // More net pay out of the same basic pay, or a rise that gross and net pay share.
  const keys = ['netPay', 'netIncome', 'grossPay'].filter((key) => typeof inputs[key] === 'number')
  return { ...inputs, ...Object.fromEntries(keys.map((key) => [key, raised(inputs[key])])) }
}

describe.each(cases)('%s in %s', (name, country) => {
  it('never shows a negative result, and adds its plan up to the cent', () => {
    fc.assert(
      fc.property(calculatorInputs(name, { country, at }), (inputs) => {
        const run = runCalculator(name, inputs, { country, at })
        const signed = Object.entries(run.result).filter(
          ([key, value]) => value?.startsWith('-') && key !== 'netOperatingIncome' && key !== 'dscr',
        )
        expect(signed).toEqual([])
        const rows = run.schedule?.rows ?? []
        if (rows.length > 0) expect(rows.reduce((sum, row) => sum.plus(row.principal), zero).toFixed(2)).toBe(run.result['principal'])
        expect(rows.reduce((sum, row) => sum.plus(row.instalment), zero).toFixed(2)).toBe(run.schedule?.totalPaid ?? '0.00')
        // Running the stored inputs again gives the same result: a stored assessment can be checked years later.
        expect(runCalculator(name, run.inputs, { country, at }).result).toEqual(run.result)
      }),
      runs,
    )
  })
})

describe.each(affordability)('%s in %s', (name, country) => {
  it('offers no instalment above the affordable amount, and no more than the largest loan', () => {
    fc.assert(
      fc.property(calculatorInputs(name, { country, at }), (inputs) => {
        const run = runCalculator(name, inputs, { country, at })
        expect(amount(run, 'instalment').lte(amount(run, 'affordability'))).toBe(true)
        // A few cents above the largest loan may have the same rounded instalment.
        const cents = amount(run, 'term').plus(1).times('0.01')
        expect(amount(run, 'principal').lte(amount(run, 'maxPrincipal').plus(cents))).toBe(true)
        expect(amount(run, 'offer').lte(amount(run, 'maxLoan').plus(cents))).toBe(true)
        if (run.outcome === 'PASS' && inputs['amount'])
          expect(amount(run, 'offer').toFixed(2)).toBe(new Decimal(Number(inputs['amount'])).toFixed(2))
      }),
      runs,
    )
  })

  it('never offers less for more income', () => {
    fc.assert(
      fc.property(calculatorInputs(name, { country, at }), fc.integer({ min: 1, max: 20_000 }), (inputs, more) => {
        const [before, after] = [runCalculator(name, inputs, { country, at }), runCalculator(name, earnMore(inputs, more), { country, at })]
        for (const key of ['affordability', 'maxLoan']) expect(amount(after, key).gte(amount(before, key))).toBe(true)
      }),
      runs,
    )
  })
})
