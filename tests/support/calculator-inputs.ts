import fc from 'fast-check'
import type { FieldView } from '@outpost/contract/fields'
import { calculatorFields, calculators, type CalculatorName, type RuleChoice } from '@outpost/rules/calculators/index'

type Values = Record<string, unknown>
const amounts = fc.integer({ min: 0, max: 50_000_000 }).map((cents) => cents / 100)

/** Valid inputs of a calculator under the rules in force; optional fields are left out, empty or filled. */
export function calculatorInputs(name: CalculatorName, choice: RuleChoice): fc.Arbitrary<Values> {
  const { fields } = calculatorFields(name, choice)
  const { grid, atMost = [] } = calculators[name]
  return fc
    .record({
      ...shape(fields),
      ...(grid ? { [grid.key]: fc.array(fc.record(shape(grid.columns)), { minLength: grid.min, maxLength: grid.max }) } : {}),
    })
    .map((values) => plausible(values, atMost)) as fc.Arbitrary<Values>
}

/** Of two ordered inputs, the greater one is the limit. */
function plausible(values: Values, pairs: readonly (readonly [string, string])[]): Values {
  const sound = { ...values }
  for (const [key, limit] of pairs) {
    const [low, high] = [sound[key], sound[limit]]
    if (typeof low === 'number' && typeof high === 'number' && low > high) sound[key] = high
  }
  return sound
}

const shape = (fields: readonly FieldView[]) =>
  Object.fromEntries(
    fields.map((field) => [
      field.key,
      field.required ? valueOf(field) : fc.oneof({ weight: 3, arbitrary: valueOf(field) }, fc.constantFrom(null, undefined)),
    ]),
  )

function valueOf({ kind, min = 0, max = 100, options = [] }: FieldView): fc.Arbitrary<unknown> {
  if (kind === 'money') return max < 500_000 ? fc.integer({ min: 0, max: max * 100 }).map((cents) => cents / 100) : amounts
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'choice') return fc.constantFrom(...options.map(({ value }) => value))
  if (kind === 'percent') return fc.integer({ min: 0, max: 1_500 }).map((points) => points / 100)
  if (kind === 'date')
    return fc.integer({ min: 0, max: 3_000 }).map((days) => new Date(Date.UTC(2026, 10, 21 + days)).toISOString().slice(0, 10))
  return Number.isInteger(max) ? fc.integer({ min, max }) : fc.integer({ min: min * 10, max: max * 10 }).map((tenths) => tenths / 10)
}
