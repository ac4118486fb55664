import type { LoanTerms } from '@outpost/contract/lending'
import { decimalsOf } from '../currency.ts'
import { payment } from '../loans/loan-maths.ts'
import { atLeastZero, Decimal, smallest, zero, type DecimalValue } from '../money.ts'
import { periodRates } from './day-count.ts'
import { dueDates, type DaysOff } from './due-dates.ts'
import { roundedRows, roundedPart } from './rounding.ts'

export type { LoanTerms } from '@outpost/contract/lending'

/** One instalment, rounded to the decimals of the currency. */
export interface Instalment {
  /** 1 is the first. */
  number: number
  /** YYYY-MM-DD */
  dueOn: string
  principal: Decimal
  interest: Decimal
  fee: Decimal
  insurance: Decimal
  total: Decimal
  /** Principal still owed after it. */
  balance: Decimal
}

/** An amount rounded HALF_EVEN to the decimals of its currency. */
export const roundIn = (currency: string, amount: DecimalValue): Decimal =>
  new Decimal(amount).toDecimalPlaces(decimalsOf(currency), Decimal.ROUND_HALF_EVEN)

/** Sum of the fees that are due in this way, of the amount lent. */
export function feesDue({ fees, currency }: LoanTerms, principal: DecimalValue, due: LoanTerms['fees'][number]['due']): Decimal {
  return fees
    .filter((fee) => fee.due === due)
    .reduce(
      (sum, fee) => sum.plus(roundIn(currency, fee.kind === 'flat' ? fee.amount : new Decimal(principal).times(fee.amount).dividedBy(100))),
      zero,
    )
}

/** What the borrower owes at the payout: the amount lent and the fees that are financed. */
export const owedAtPayout = (terms: LoanTerms, principal: DecimalValue): Decimal =>
  roundIn(terms.currency, principal).plus(feesDue(terms, principal, 'financed'))

/** What is paid out: the amount lent less the fees that are deducted. */
export const paidOut = (terms: LoanTerms, principal: DecimalValue): Decimal =>
  roundIn(terms.currency, principal).minus(feesDue(terms, principal, 'deducted'))

/**
 * The schedule of a loan of `principal` paid out on a day. The principal of the rows adds up to `owedAtPayout` exactly; no instalment is below its
 * interest; the last one absorbs what rounding left. `daysOff` are days on which nothing falls due.
 */
export const scheduleOf = (terms: LoanTerms, principal: DecimalValue, disbursedOn: string, daysOff?: DaysOff): Instalment[] =>
  roundedSchedule(terms, principal, disbursedOn, daysOff).rows

/** The same, and to what its instalments are rounded: a multiple of `step`, but for the last one and those without principal; null is the smallest unit. */
export function roundedSchedule(
  terms: LoanTerms,
  principal: DecimalValue,
  disbursedOn: string,
  daysOff?: DaysOff,
): { rows: Instalment[]; step: Decimal | null } {
  const due = dueDates(terms, disbursedOn, daysOff)
  const rates = periodRates(terms, disbursedOn, due)
  return roundedRows(terms, (step) => rowsOf({ terms, principal, due, rates }, step))
}

interface Period {
  terms: LoanTerms
  principal: DecimalValue
  due: readonly string[]
  rates: Decimal[]
}
function rowsOf({ terms, principal, due, rates }: Period, step: Decimal | null): Instalment[] {
  const loan = owedAtPayout(terms, principal)
  const interestOf = interestPlan(terms, loan, rates)
  const principalOf = principalPlan(terms, loan, rates)
  const extras = extrasOf(terms, principal)
  let balance = loan
  let held = zero
  return due.map((dueOn, index) => {
    const accrued = interestOf(index, balance)
    const isHeld = index < terms.graceOnInterest && index < due.length - 1
    const interest = isHeld ? zero : accrued.plus(held)
    held = isHeld ? held.plus(accrued) : zero
    const { fee, insurance } = extras(index, balance)
    const beside = interest.plus(fee).plus(insurance)
    const planned = roundedPart(atLeastZero(principalOf(index, accrued)), beside, step)
    const paidPrincipal = index === due.length - 1 ? balance : smallest(planned, balance)
    balance = balance.minus(paidPrincipal)
    return { number: index + 1, dueOn, principal: paidPrincipal, interest, fee, insurance, total: paidPrincipal.plus(beside), balance }
  })
}

/** Interest of a period: on what is owed, or, flat, on the loan as it was, evenly. */
function interestPlan({ method, currency, instalments }: LoanTerms, loan: Decimal, rates: Decimal[]) {
  if (method !== 'flat') return (index: number, balance: Decimal) => roundIn(currency, balance.times(rates[index] ?? zero))
  const total = roundIn(currency, loan.times(rates.reduce((sum, rate) => sum.plus(rate), zero)))
  return evenly(currency, total, instalments)
}

/** Principal of a period before it is cut to what is owed; the last period takes what is left. */
function principalPlan(terms: LoanTerms, loan: Decimal, rates: Decimal[]): (index: number, interest: Decimal) => Decimal {
  const { method, currency, instalments, graceOnPrincipal: grace } = terms
  if (method === 'interestOnly') return () => zero
  if (method === 'flat' || method === 'equalPrincipal') {
    const each = roundIn(currency, loan.dividedBy(instalments - grace))
    return (index) => (index < grace ? zero : each)
  }
  const left = method === 'balloon' ? smallest(terms.balloon ?? zero, loan) : zero
  const instalment = roundIn(currency, levelInstalment(loan, left, rates.slice(grace)))
  return (index, interest) => (index < grace ? zero : instalment.minus(interest))
}

/** The instalment that pays a loan down to `left` at these rates; PMT where they are all the same. */
function levelInstalment(loan: Decimal, left: Decimal, rates: readonly Decimal[]): Decimal {
  const [rate = zero] = rates
  if (rates.every((other) => other.eq(rate)))
    return payment({ rate, periods: rates.length, present: loan, future: left.negated() }).negated()
  let discount = new Decimal(1)
  let annuity = zero
  for (const each of rates) {
    discount = discount.dividedBy(each.plus(1))
    annuity = annuity.plus(discount)
  }
  return loan.minus(left.times(discount)).dividedBy(annuity)
}

/** Fees and insurance of a period. */
function extrasOf(terms: LoanTerms, principal: DecimalValue) {
  const { currency, insurance, instalments } = terms
  const fee = feesDue(terms, principal, 'perInstalment')
  const rate = new Decimal(insurance?.rate ?? 0)
  const premium = evenly(
    currency,
    roundIn(currency, insurance?.kind === 'amount' ? rate : rate.times(principal).dividedBy(100)),
    instalments,
  )
  return (index: number, balance: Decimal) => ({
    fee,
    insurance: insurance?.kind === 'perMilleOfBalance' ? roundIn(currency, balance.times(insurance.rate).dividedBy(1_000)) : premium(index),
  })
}

/** A sum in equal parts; the last one absorbs the residue, and none is below zero. */
function evenly(currency: string, total: Decimal, parts: number): (index: number) => Decimal {
  const each = roundIn(currency, total.dividedBy(parts))
  return (index) => {
    const left = atLeastZero(total.minus(each.times(index)))
    return index === parts - 1 ? left : smallest(each, left)
  }
}
