import type { LoanTerms } from '@outpost/contract/lending'
import { daysFrom } from '../lending/day-count.ts'
import { addPeriods } from '../lending/due-dates.ts'

/** What changes hands on a day: money to the borrower is positive, money from them negative. */
export interface CashFlow {
  /** YYYY-MM-DD */
  day: string
  amount: number
}

export interface AnnualRates {
  /** Percent a year with interest on interest: what the cash flows earn. */
  effective: number
  /** The same without: the rate of one period times the periods of a year. */
  nominal: number
}

/** Years between two days as the EU directive 2008/48 counts them: whole periods as equal parts of a year, the days left over 365. */
function yearsBetween(from: string, to: string, every: LoanTerms['every']): number {
  const inYear = every.unit === 'month' ? 12 : 52
  const one = { unit: every.unit, count: 1 } as const
  let periods = Math.max(0, Math.floor((daysFrom(from, to) / 366) * inYear))
  while (addPeriods(from, one, periods + 1) <= to) periods++
  return periods / inYear + daysFrom(addPeriods(from, one, periods), to) / 365
}

/**
 * The annual percentage rate of a loan: the rate at which all its payments are worth what was paid out, effective and nominal in percent
 * with two decimals. Undefined when nothing is paid out or less comes back than went out. It is a ratio, not money: a binary number is
 * exact enough, and the bisection ends at 1e-10.
 */
export function annualRates(flows: readonly CashFlow[], every: LoanTerms['every']): AnnualRates | undefined {
  const [first] = flows
  if (!first || first.amount <= 0) return undefined
  const timed = flows.map(({ day, amount }) => ({ years: yearsBetween(first.day, day, every), amount }))
  const worth = (rate: number) => timed.reduce((sum, { years, amount }) => sum + amount / (1 + rate) ** years, 0)
  // A half cent short of the payout is rounding of a loan without interest.
  if (worth(0) > 0.005) return undefined
  let [low, high] = [0, 1]
  while (worth(high) < 0 && high < 1e9) high *= 2
  for (let step = 0; step < 200 && high - low > 1e-10; step++) {
    const middle = (low + high) / 2
    if (worth(middle) < 0) low = middle
    else high = middle
  }
  const periodsInYear = (every.unit === 'month' ? 12 : 52) / every.count
  const nominal = periodsInYear * ((1 + low) ** (1 / periodsInYear) - 1)
  return { effective: percent(low), nominal: percent(nominal) }
}

const percent = (fraction: number) => Math.round(fraction * 10_000) / 100
