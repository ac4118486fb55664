import { Failure } from '@outpost/contract/errors'
import type { FieldView } from '@outpost/contract/fields'
import type { CalculatorView } from '@outpost/contract/views'
import {
  calculatorFields,
  calculators,
  isCalculator,
  runCalculator,
  type Calculator,
  type CalculatorRun,
  type RuleSet,
  type Unit,
} from '@outpost/rules/calculators/index'
import { t } from '../../../session/labels.ts'
import { formatMoney, formatNumber, isBlank, noValue } from '../../formats.ts'
import { sentence } from '../form/useFieldForm.ts'
import { isVisible, type RecordValues } from '../form/values.ts'

export type Outline = { calculator: Calculator; fields: FieldView[]; ruleSet: RuleSet; at: string }

/** What the sum of a view asks for on a day; undefined when this console does not know the sum. */
export function outlineOf({ sum, country, ruleSets }: CalculatorView, at: string): Outline | undefined {
  if (!isCalculator(sum)) return undefined
  return { calculator: calculators[sum], at, ...calculatorFields(sum, { country, at, ruleSets }) }
}

/** The inputs that a run takes: what can be seen, empty fields as null. */
export function inputsOf({ fields, calculator }: Pick<Outline, 'fields' | 'calculator'>, record: RecordValues): RecordValues {
  const shown = fields
    .filter((field) => isVisible(field, record))
    .map((field) => [field.key, isBlank(record[field.key]) ? null : record[field.key]] as const)
  return { ...Object.fromEntries(shown), ...(calculator.grid ? { [calculator.grid.key]: record[calculator.grid.key] ?? [] } : {}) }
}

export interface Trial {
  run?: CalculatorRun
  missing: string[]
  wrong: string[]
}

/** Runs the sum here; what is missing or wrong is said in sentences instead. */
export function tryRun(view: CalculatorView, outline: Outline, inputs: RecordValues): Trial {
  try {
    return {
      run: runCalculator(view.sum, inputs, { country: view.country, at: outline.at, ruleSets: view.ruleSets }),
      missing: [],
      wrong: [],
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const fields = error.more.fields ?? []
    const labelOf = (key: string) => labelled(outline, key)
    return {
      missing: fields.filter(({ message }) => message === 'is required').map(({ field }) => labelOf(field)),
      wrong: fields.filter(({ message }) => message !== 'is required').map(({ field, message }) => sentence(labelOf(field), t(message))),
    }
  }
}

/** "months.2.sales" -> "Month 3, Sales". */
function labelled({ fields, calculator: { grid } }: Outline, key: string): string {
  const [first, row, column] = key.split('.')
  if (!grid || first !== grid.key) return t(fields.find((field) => field.key === key)?.label ?? key)
  return row === undefined
    ? t(grid.label)
    : `${t('Month')} ${Number(row) + 1}, ${t(grid.columns.find((one) => one.key === column)?.label ?? column ?? '')}`
}

/** A figure of a run in words. */
export function formatFigure(value: string | null | undefined, unit: Unit | undefined, currency: string): string {
  if (value === null || value === undefined) return noValue
  if (unit === 'money') return formatMoney(value, currency)
  if (unit === 'text') return t(value)
  return unit === 'percent'
    ? `${formatNumber(value)} %`
    : unit === 'months'
      ? `${formatNumber(value)} ${t(value === '1' ? 'month' : 'months')}`
      : formatNumber(value)
}

/** The run as plain text, for a message or a note. */
export function summaryOf({ calculator }: Pick<Outline, 'calculator'>, run: CalculatorRun, currency: string): string {
  const { ruleSet } = run
  return [
    `${t(calculator.title)}, ${run.at}`,
    ...(run.outcome === 'NONE' ? [] : [[run.outcome, ...run.reasons.map((text) => t(text))].join(': ')]),
    ...calculator.figures.map(({ key, label, unit }) => `${t(label)}: ${formatFigure(run.result[key], unit, currency)}`),
    '',
    ...run.steps.map(
      (step) =>
        `${t(step.label)}: ${formatFigure(step.value, step.unit, currency)} = ${step.figures ?? t(step.formula)}${step.unverified ? ` (${t('not confirmed')})` : ''}`,
    ),
    '',
    `${t('Rules')}: ${ruleSet.id}, ${t('version')} ${ruleSet.version}, ${ruleSet.country}, ${t('in force from')} ${ruleSet.effectiveFrom}`,
  ].join('\n')
}
