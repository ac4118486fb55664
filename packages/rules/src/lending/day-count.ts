import type { LoanTerms } from '@outpost/contract/lending'
import { Decimal } from '../money.ts'
import { addPeriods } from './due-dates.ts'

/** Whole days from one day to another (YYYY-MM-DD); negative when the second lies before the first. */
export const daysFrom = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

/** Part of a year of one whole period: a month is a twelfth, a week a fifty-second. */
export const periodYears = ({ unit, count }: LoanTerms['every']): Decimal => new Decimal(count).dividedBy(unit === 'month' ? 12 : 52)

/** Days by the 30/360 rule (US): each month has 30 days. */
function days360(from: string, to: string): number {
  const [fromYear = 0, fromMonth = 0, fromDate = 0] = from.split('-').map(Number)
  const [toYear = 0, toMonth = 0, toDate = 0] = to.split('-').map(Number)
  const first = Math.min(fromDate, 30)
  const last = toDate === 31 && first === 30 ? 30 : toDate
  return (toYear - fromYear) * 360 + (toMonth - fromMonth) * 30 + last - first
}

/** Interest of each period as a fraction of the balance; one for each of the due days. */
export function periodRates(
  terms: Pick<LoanTerms, 'annualRate' | 'dayCount' | 'every' | 'brokenPeriod'>,
  disbursedOn: string,
  due: readonly string[],
): Decimal[] {
  const annual = new Decimal(terms.annualRate).dividedBy(100)
  return due.map((to, index) => annual.times(yearsOf({ terms, disbursedOn, from: due[index - 1], to })))
}

function yearsOf({
  terms,
  disbursedOn,
  from,
  to,
}: {
  terms: Pick<LoanTerms, 'dayCount' | 'every' | 'brokenPeriod'>
  disbursedOn: string
  from: string | undefined
  to: string
}): Decimal {
  const wholeFrom = addPeriods(to, terms.every, -1)
  const start = from ?? (terms.brokenPeriod === 'charge' ? disbursedOn : wholeFrom)
  switch (terms.dayCount) {
    case 'actual/365':
      return new Decimal(daysFrom(start, to)).dividedBy(365)
    case 'actual/360':
      return new Decimal(daysFrom(start, to)).dividedBy(360)
    case '30/360':
      return new Decimal(days360(start, to)).dividedBy(360)
    case 'equalPeriods': {
      const whole = periodYears(terms.every)
      if (from !== undefined || terms.brokenPeriod === 'ignore' || addPeriods(disbursedOn, terms.every, 1) === to) return whole
      // The days beyond or short of one whole period; a first due day right after the payout leaves some, never less than none.
      return Decimal.max(whole.plus(new Decimal(daysFrom(disbursedOn, wholeFrom)).dividedBy(365)), 0)
    }
  }
}
