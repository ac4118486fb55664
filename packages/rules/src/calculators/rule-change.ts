import { fail, failField, Failure, type FieldError } from '@outpost/contract/errors'
import { isEqual } from 'es-toolkit/predicate/isEqual'
import { calculatorFields, calculators, runCalculator } from './index.ts'
import { ruleProblem, ruleValue } from './rule-check.ts'
import { floorProblems } from './rule-floor.ts'
import { lawSources, ruleSetInForce, type RuleChoice } from './rule-sets.ts'
import type { CalculatorName, RuleDefinition, RuleSet } from './types.ts'

/** The figures as they may come into force: complete, within the law of the country, their limits in order. */
export function validatedValues(before: RuleSet, given: Record<string, unknown>, at: string): RuleSet['values'] {
  const definitions = calculators[before.calculator].rules
  const values = nextValues(definitions, before, given)
  const problems = floorProblems(definitions, values, ruleSetInForce(before.calculator, { country: before.country, at }))
  return problems.length > 0 ? fail('INVALID', { fields: problems }) : values
}

/** All figures of the calculator: the given ones over those in force. */
function nextValues(definitions: readonly RuleDefinition[], before: RuleSet, given: Record<string, unknown>): RuleSet['values'] {
  const errors: FieldError[] = [
    ...Object.keys(given)
      .filter((key) => !definitions.some((one) => one.key === key))
      .map((field) => ({ field, message: 'is no figure of this calculator' })),
    ...definitions
      .filter(({ key }) => Object.hasOwn(given, key))
      .flatMap((one) => {
        const message = ruleProblem(one, given[one.key])
        return message === undefined ? [] : [{ field: one.key, message }]
      }),
  ]
  if (errors.length > 0) fail('INVALID', { fields: errors })
  return Object.fromEntries(
    definitions.map((one) => [one.key, ruleValue(one, Object.hasOwn(given, one.key) ? given[one.key] : before.values[one.key])]),
  )
}

interface Confirmation {
  values: RuleSet['values']
  verified: readonly string[]
  verifiedBy?: string | null | undefined
  at: string
}

/** A figure of the law that is changed needs a confirmation of its own. */
export function stillUnverified(before: RuleSet, { values, verified, verifiedBy, at }: Confirmation): string[] {
  if (verified.length > 0 && !verifiedBy) failField('verifiedBy', 'is required: who confirmed the figures?')
  const changed = Object.keys(lawSources(before.calculator, { country: before.country, at })).filter(
    (key) => !isEqual(values[key] ?? null, before.values[key] ?? null),
  )
  const isConfirmed = (key: string) => verified.includes(key) || verified.includes(key.split('.')[0] ?? key)
  return [...new Set([...before.unverified, ...changed])].filter((key) => !isConfirmed(key))
}

/** One sum under the rules before and after; texts as the calculator gives them, null where it cannot be made. */
export interface EffectRow {
  sample: string
  outcomeBefore: string | null
  outcomeAfter: string | null
  before: string | null
  after: string | null
  loanBefore: string | null
  loanAfter: string | null
}

/** The rule sets before and after a change, and where and when they are to be applied. */
export interface RuleChange {
  before: readonly RuleSet[]
  after: readonly RuleSet[]
  calculator: CalculatorName
  country: string
  at: string
}

export interface Sample {
  sample: string
  inputs: Record<string, unknown>
}

/** What a change of rules does to samples, or to an example of the textbook where there is none. */
export function effectOn(samples: readonly Sample[], { before, after, calculator, country, at }: RuleChange): EffectRow[] {
  const shown = samples.length > 0 ? samples : [{ sample: 'Example', inputs: textbook[calculator] }]
  return shown.map(({ sample, inputs }) => {
    const [old, now] = [before, after].map((ruleSets) => sumOf(calculator, inputs, { country, at, ruleSets }))
    return {
      sample,
      outcomeBefore: old?.outcome ?? null,
      outcomeAfter: now?.outcome ?? null,
      before: old?.main ?? null,
      after: now?.main ?? null,
      loanBefore: old?.loan ?? null,
      loanAfter: now?.loan ?? null,
    }
  })
}

/** What a company without assessments of its own looks at. */
const textbook: Record<CalculatorName, Record<string, unknown>> = {
  'cs-affordability': {
    basicPay: 60_000,
    grossPay: 60_000,
    netPay: 38_000,
    statutory: 12_000,
    livingExpenses: 20_000,
    rate: 2,
    termMonths: 24,
  },
  'lbf-affordability': {
    netIncome: 80_000,
    grossPay: 100_000,
    statutory: 20_000,
    livingExpenses: 30_000,
    marketValue: 1_000_000,
    modelYear: 2015,
    rate: 3,
    termMonths: 24,
  },
  'sme-affordability': {
    months: [100_000, 80_000, 90_000].map((sales) => ({ sales, costOfSales: 40_000, operatingCosts: 10_000 })),
    rate: 3,
    termMonths: 12,
  },
  'lbf-premium': { insuredValue: 1_000_000, loanAmount: 500_000, rate: 3, termMonths: 24 },
}

/** The sum, or nothing where these inputs are not what the rules ask for. */
function sumOf(
  calculator: CalculatorName,
  inputs: Record<string, unknown>,
  choice: RuleChoice,
): { outcome: string; main: string | null; loan: string | null } | undefined {
  const main = calculators[calculator].figures.some(({ key }) => key === 'affordability') ? 'affordability' : 'premium'
  try {
    const { outcome, result } = runCalculator(calculator, asked(calculator, inputs, choice), choice)
    return { outcome, main: result[main] ?? null, loan: result['maxLoan'] ?? result['instalment'] ?? null }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Of the example only what the rules ask for; rules of another method ask for other inputs. */
function asked(calculator: CalculatorName, inputs: Record<string, unknown>, choice: RuleChoice): Record<string, unknown> {
  if (inputs !== textbook[calculator]) return inputs
  const { fields } = calculatorFields(calculator, choice)
  const known = new Set([...fields.map(({ key }) => key), calculators[calculator].grid?.key])
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => known.has(key)))
}

/** "3 of 20 samples change; 1 is no PASS any more." */
export function describeEffect(rows: readonly EffectRow[]): string {
  const changed = rows.filter(
    (row) => row.before !== row.after || row.outcomeBefore !== row.outcomeAfter || row.loanBefore !== row.loanAfter,
  )
  const lost = rows.filter((row) => row.outcomeBefore === 'PASS' && row.outcomeAfter !== 'PASS').length
  const [first] = changed
  const example = first ? ` For instance ${first.before ?? 'none'} → ${first.after ?? 'none'}.` : ''
  return `${changed.length} of ${rows.length} ${rows.length === 1 ? 'sample changes' : 'samples change'}${lost > 0 ? `, ${lost} ${lost === 1 ? 'passes' : 'pass'} no more` : ''}.${example}`
}
