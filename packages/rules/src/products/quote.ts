import { feesDue, paidOut, roundedSchedule, type LoanTerms } from '../lending/terms.ts'
import type { DaysOff } from '../lending/due-dates.ts'
import { decimalsOf } from '../currency.ts'
import { largest, zero, type Decimal, type DecimalValue } from '../money.ts'
import { annualRates } from './annual-rate.ts'

/** One row of a quote's schedule, amounts as text with the decimals of the currency. */
export interface QuoteRow {
  number: number
  dueOn: string
  principal: string
  interest: string
  fee: string
  insurance: string
  total: string
  balance: string
}

/** What a loan costs, as it is shown before it is agreed: plain JSON, amounts as text. */
export interface Quote {
  amount: string
  /** What the borrower gets: the amount less the fees kept back. */
  paidOut: string
  /** The largest of the instalments. */
  instalment: string
  /** The instalments but the last are multiples of it; left out where they are not rounded beyond the smallest coin. */
  roundedTo?: string
  totalInterest: string
  /** Fees kept back, financed and asked with instalments. */
  totalFees: string
  totalInsurance: string
  /** All instalments together. */
  totalPaid: string
  /** What is paid above what is got: the total cost of credit. */
  totalCost: string
  /** Percent a year; null when nothing is paid out. */
  aprEffective: number | null
  aprNominal: number | null
  rows: QuoteRow[]
}

export interface QuoteInput {
  terms: LoanTerms
  amount: DecimalValue
  /** YYYY-MM-DD */
  disbursedOn: string
  daysOff?: DaysOff
}

/** The quote of a loan: its schedule, what it costs in all, and its annual percentage rate. */
export function quoteOf({ terms, amount, disbursedOn, daysOff }: QuoteInput): Quote {
  const { rows: schedule, step } = roundedSchedule(terms, amount, disbursedOn, daysOff)
  const got = paidOut(terms, amount)
  const sum = (part: 'interest' | 'fee' | 'insurance' | 'total') => schedule.reduce((total, row) => total.plus(row[part]), zero)
  const paid = sum('total')
  const rates = annualRates(
    [{ day: disbursedOn, amount: got.toNumber() }, ...schedule.map(({ dueOn, total }) => ({ day: dueOn, amount: -total.toNumber() }))],
    terms.every,
  )
  const decimals = decimalsOf(terms.currency)
  const money = (value: Decimal) => value.toFixed(decimals)
  return {
    amount: money(paidOut({ ...terms, fees: [] }, amount)),
    paidOut: money(got),
    instalment: money(largest(zero, ...schedule.map(({ total }) => total))),
    ...(step ? { roundedTo: money(step) } : {}),
    totalInterest: money(sum('interest')),
    totalFees: money(
      feesDue(terms, amount, 'deducted')
        .plus(feesDue(terms, amount, 'financed'))
        .plus(sum('fee')),
    ),
    totalInsurance: money(sum('insurance')),
    totalPaid: money(paid),
    totalCost: money(paid.minus(got)),
    aprEffective: rates?.effective ?? null,
    aprNominal: rates?.nominal ?? null,
    rows: schedule.map(({ number, dueOn, ...parts }) => ({
      number,
      dueOn,
      principal: money(parts.principal),
      interest: money(parts.interest),
      fee: money(parts.fee),
      insurance: money(parts.insurance),
      total: money(parts.total),
      balance: money(parts.balance),
    })),
  }
}
