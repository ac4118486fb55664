import type { FieldView } from '@outpost/contract/fields'
import { Decimal } from '../money.ts'
import type { GridDefinition } from '../calculators/types.ts'

/** Somebody made up, to see what rules say of a loan. */
export interface SampleBorrower {
  /** A month, after deductions. */
  income: number
  expenses: number
}
export interface SampleLoan {
  amount: number
  /** Percent a year. */
  annualRate: string | number
  every: { unit: 'week' | 'month'; count: number }
  instalments: number
  /** YYYY-MM-DD */
  at: string
}

/** Weeks and months in a year. */
const weeks = 52
const months = 12
/** A sample's vehicle is worth so many times the loan: what is asked is whether the borrower can pay, not what secures it. */
const securedBy = 10

/** An instalment as what it takes a month. */
export const aMonth = (instalment: string, { unit, count }: SampleLoan['every']): Decimal =>
  (unit === 'month' ? new Decimal(instalment) : new Decimal(instalment).times(weeks).dividedBy(months)).dividedBy(count)

/**
 * What a calculator is given of a sample borrower, of what it asks for: the income counts as pay before and after deductions, and of a business as what each month
 * sells; what is not said of the borrower is left as its form has it.
 */
export function sampleInputs(
  fields: readonly FieldView[],
  grid: GridDefinition | undefined,
  { income, expenses, ...loan }: SampleBorrower & SampleLoan,
): Record<string, unknown> {
  const { unit, count } = loan.every
  const known: Record<string, unknown> = {
    netPay: income,
    netIncome: income,
    basicPay: income,
    grossPay: income,
    statutory: 0,
    livingExpenses: expenses,
    marketValue: Math.min(loan.amount * securedBy, 999_999_999_999),
    modelYear: Number(loan.at.slice(0, 4)),
    isFinanced: false,
    amount: loan.amount,
    rate: new Decimal(loan.annualRate).dividedBy(months).toDecimalPlaces(6).toNumber(),
    ratePeriod: 'month',
    termMonths: Math.max(1, Math.ceil(unit === 'month' ? loan.instalments * count : (loan.instalments * count * months) / weeks)),
  }
  const asked = Object.fromEntries(fields.flatMap(({ key }) => (Object.hasOwn(known, key) ? [[key, known[key]]] : [])))
  const month = { sales: income, operatingCosts: expenses }
  return grid ? { ...asked, [grid.key]: Array.from({ length: grid.min }, () => month) } : asked
}
