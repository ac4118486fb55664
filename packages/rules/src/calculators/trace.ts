import { moneyText, type DecimalValue, Decimal } from '../money.ts'
import type { RuleSet } from '@outpost/contract/calculators'
import type { Step, Unit } from './step.ts'

interface StepInput {
  label: string
  formula: string
  figures?: string
  value: DecimalValue
  unit?: Unit
  /** Keys of the rule values that the step uses. */
  uses?: readonly string[]
}

/** Collects the steps of a calculation in order. */
export interface Trace {
  steps: Step[]
  /** Records the step and returns its value. */
  note<Value extends DecimalValue>(step: StepInput & { value: Value }): Value
}

export function startTrace({ unverified }: Pick<RuleSet, 'unverified'>): Trace {
  const steps: Step[] = []
  return {
    steps,
    note: ({ uses = [], value, unit = 'money', ...words }) => {
      const isUnverified = uses.some((key) => unverified.includes(key))
      steps.push({ ...words, value: valueText(value, unit), unit, ...(isUnverified ? { unverified: true } : {}) })
      return value
    },
  }
}

/** Money with two decimals, everything else with up to six. */
export function valueText(value: DecimalValue, unit: Unit): string {
  if (unit === 'text') return String(value)
  return unit === 'money' ? moneyText(value) : new Decimal(value).toDecimalPlaces(6).toFixed()
}

/** 1234.5 -> "1,234.50", for the figures of a formula. */
export function shown(value: DecimalValue): string {
  const [whole = '', rest = ''] = moneyText(value).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`
}

/** "18,000.00 − 1,500.00 − 250.00" */
export function minus(...values: DecimalValue[]): string {
  return values.map(shown).join(' − ')
}
