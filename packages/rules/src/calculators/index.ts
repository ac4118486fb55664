import { fail } from '@outpost/contract/errors'
import type { FieldView } from '@outpost/contract/fields'
import { business } from './business.ts'
import { civilServant } from './civil-servant.ts'
import { isDay, readInputs } from './inputs.ts'
import { logBook } from './log-book.ts'
import { logBookPremium } from './premium.ts'
import { readRules } from './rule-reader.ts'
import { ruleSetInForce, type RuleChoice } from './rule-sets.ts'
import { startTrace } from './trace.ts'
import {
  calculatorNames,
  type Calculator,
  type CalculatorName,
  type Figures,
  type OutcomeName,
  type Plan,
  type RuleSet,
  type Step,
} from './types.ts'

export { ruleProblem, ruleValue } from './rule-check.ts'
export { floorProblems } from './rule-floor.ts'
export { defaultRuleSets, lawSources, ruleSetInForce, type RuleChoice } from './rule-sets.ts'
export {
  calculatorNames,
  type Calculator,
  type CalculatorName,
  type FigureDefinition,
  type GridDefinition,
  type NormBand,
  type Plan,
  type PlanRow,
  type RuleDefinition,
  type RuleSet,
  type RuleValue,
  type Step,
  type Unit,
} from './types.ts'

/** The calculators by name. */
export const calculators: Readonly<Record<CalculatorName, Calculator>> = {
  'cs-affordability': civilServant,
  'lbf-affordability': logBook,
  'sme-affordability': business,
  'lbf-premium': logBookPremium,
}

export const isCalculator = (name: string): name is CalculatorName => (calculatorNames as readonly string[]).includes(name)

/** A finished calculation: plain JSON, the same on the server and in the console. */
export interface CalculatorRun {
  calculator: CalculatorName
  at: string
  /** The validated inputs, amounts as text. */
  inputs: Record<string, unknown>
  ruleSet: Pick<RuleSet, 'id' | 'version' | 'country' | 'effectiveFrom'> & { unverified: string[] }
  steps: Step[]
  /** Texts with two decimals for money; `affordability` is the affordable monthly amount, `instalment` the monthly cost of the offer. */
  result: Figures
  outcome: OutcomeName
  /** Why it is not a PASS, in sentences. */
  reasons: string[]
  schedule?: Plan
}

/**
 * Runs a calculator under the rules in force for a country on a day. Pure: the same inputs give the same result on every machine. Throws
 * NOT_FOUND for an unknown name and INVALID naming the wrong inputs.
 */
export function runCalculator(name: string, inputs: Readonly<Record<string, unknown>>, choice: RuleChoice): CalculatorRun {
  const { calculator, set, rules, fields } = prepare(name, choice)
  const trace = startTrace(set)
  const read = readInputs(calculator, fields, inputs)
  const { result, outcome, reasons, schedule } = calculator.run({ inputs: read, rules, trace, at: choice.at })
  const { id, version, country, effectiveFrom, unverified } = set
  return {
    calculator: calculator.name,
    at: choice.at,
    inputs: read.record,
    ruleSet: { id, version, country, effectiveFrom, unverified: [...unverified] },
    steps: trace.steps,
    result,
    outcome,
    reasons,
    ...(schedule ? { schedule } : {}),
  }
}

/** The inputs of a calculator under the rules in force. */
export function calculatorFields(name: string, choice: RuleChoice): { fields: FieldView[]; ruleSet: RuleSet } {
  const { fields, set } = prepare(name, choice)
  return { fields, ruleSet: set }
}

function prepare(name: string, choice: RuleChoice) {
  if (!isCalculator(name)) fail('NOT_FOUND')
  if (!isDay(choice.at)) fail('INVALID', { fields: [{ field: 'at', message: 'is not a date' }] })
  const calculator = calculators[name]
  const set = ruleSetInForce(name, choice)
  const rules = readRules(set)
  return { calculator, set, rules, fields: calculator.fields(rules) }
}
