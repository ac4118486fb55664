import { payment, type Terms } from './loan-maths.ts'
import { atLeastZero, roundMoney, smallest, zero, type Decimal, type DecimalValue } from '../money.ts'

/** One instalment, rounded; amounts with two decimals. */
export interface ScheduleRow {
  /** 1 is the first instalment. */
  number: number
  instalment: Decimal
  interest: Decimal
  principal: Decimal
  /** Principal still owed after the instalment. */
  balance: Decimal
}

export interface Schedule {
  /** The equal instalment, HALF_EVEN to two decimals. */
  instalment: Decimal
  rows: ScheduleRow[]
  totalInterest: Decimal
  totalPaid: Decimal
}

/**
 * Equal instalments with interest on the rounded balance. Each instalment is rounded HALF_EVEN; the last one absorbs the residue, so
 * that the principal adds up to the loan to the cent. `principal` has two decimals.
 */
export function loanSchedule({ principal, ...terms }: Terms & { principal: DecimalValue }): Schedule {
  const loan = roundMoney(principal)
  const instalment = roundMoney(payment({ ...terms, present: loan }).negated())
  const rows: ScheduleRow[] = []
  let balance = loan
  for (let number = 1; number <= terms.periods; number++) {
    const row = rowOf({ number, balance, instalment, terms })
    rows.push(row)
    balance = row.balance
  }
  const total = (key: 'interest' | 'instalment') => rows.reduce((sum, row) => sum.plus(row[key]), zero)
  return { instalment, rows, totalInterest: total('interest'), totalPaid: total('instalment') }
}

function rowOf({
  number,
  balance,
  instalment,
  terms,
}: {
  number: number
  balance: Decimal
  instalment: Decimal
  terms: Terms
}): ScheduleRow {
  // An instalment at the start of the first period bears no interest yet.
  const isInterestFree = terms.when === 'begin' && number === 1
  const interest = isInterestFree ? zero : roundMoney(balance.times(terms.rate))
  // Loans of a few cents: rounded up, instalments pay them off early; rounded down, only the interest is paid.
  const principal = number === terms.periods ? balance : smallest(atLeastZero(instalment.minus(interest)), balance)
  return { number, instalment: principal.plus(interest), interest, principal, balance: balance.minus(principal) }
}
