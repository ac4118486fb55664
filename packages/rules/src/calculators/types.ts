import type { CalculatorName } from '@outpost/contract/calculators'
import type { FieldView } from '@outpost/contract/fields'
import type { Permission } from '@outpost/contract/permissions'
import type { Inputs } from './input-values.ts'
import type { RuleReader } from './rule-reader.ts'
import type { Unit } from './step.ts'
import type { Trace } from './trace.ts'

export { calculatorNames, type CalculatorName, type NormBand, type RuleSet, type RuleValue } from '@outpost/contract/calculators'
export type { Step, Unit } from './step.ts'

/** The meaning of a value in a rule set; the console's settings screen is generated from it. */
export interface RuleDefinition {
  key: string
  label: string
  kind: 'money' | 'percent' | 'number' | 'share' | 'choice' | 'bands'
  options?: readonly { value: string; label: string }[]
  /** Used by these methods only. */
  methods?: readonly string[]
  /** May be empty: the rule is then not applied. */
  optional?: boolean
  min?: number
  max?: number
  help?: string
}

export interface FigureDefinition {
  key: string
  label: string
  unit: Unit
  isMain?: boolean
}
export type Figures = Record<string, string | null>
/** Exact texts of the specification: NONE where a calculator gives no verdict. */
export type OutcomeName = 'PASS' | 'REFER' | 'FAIL' | 'NONE'

/** One row of the instalment plan, amounts as text with two decimals. */
export interface PlanRow {
  number: number
  instalment: string
  interest: string
  principal: string
  charges: string
  balance: string
}
export interface Plan {
  rows: PlanRow[]
  totalInterest: string
  totalCharges: string
  totalPaid: string
}

export interface Assessment {
  result: Figures
  outcome: OutcomeName
  reasons: string[]
  schedule?: Plan
}
export interface Job {
  inputs: Inputs
  rules: RuleReader
  trace: Trace
  at: string
}

/** Rows entered in a grid, e.g. the months of a business. */
export interface GridDefinition {
  key: string
  label: string
  columns: readonly FieldView[]
  min: number
  max: number
}

export interface Calculator {
  name: CalculatorName
  title: string
  description: string
  permission: Permission
  /** The subject of the inputs before those of the loan. */
  about: string
  rules: readonly RuleDefinition[]
  figures: readonly FigureDefinition[]
  /** The inputs under these rules, in the order of the screen. */
  fields(rules: RuleReader): FieldView[]
  /** Fields that accept whole numbers only. */
  whole: readonly string[]
  grid?: GridDefinition
  /** Pairs of inputs of which the first may not exceed the second, where both are given. */
  atMost?: readonly (readonly [key: string, limit: string])[]
  run(job: Job): Assessment
}
