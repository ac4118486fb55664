import type { LoanTerms } from '@outpost/contract/lending'
import { decimalsOf } from '../currency.ts'
import { periodYears } from '../lending/day-count.ts'
import { scheduleOf, type Instalment } from '../lending/terms.ts'
import { Decimal, largest, zero, type DecimalValue } from '../money.ts'

/** A line of a table of premiums; what is empty fits everybody. */
export interface Band {
  ageTo: number | null
  monthsTo: number | null
  vehicleAgeTo: number | null
  /** Percent of the sum insured. */
  rate: string
}
/** How an insurer counts the premium. Pinned by whoever accepts the offer. */
export interface PremiumRule {
  kind: 'flat' | 'percent' | 'perMille' | 'table'
  /** Money, percent of the sum insured, or per 1,000 owed a month; of a table none. */
  rate: string | null
  bands: readonly Band[]
  /** Lowest premium over the term, before levies. */
  minimum: string | null
  /** Percent on top of the premium. */
  levies: string
  /** Stamp duty: an amount on top, once, after the levies; not with a premium per mille. Left out: none. */
  stamp?: string
  /** Percent of the premium before levies that the lender keeps; it is within the premium. */
  commission: string
  /** Highest premium a month for each 1,000 owed, by the law of the country; left out where there is none. */
  cap?: string
}
export interface Insured {
  /** Terms of the loan without insurance. */
  terms: LoanTerms
  amount: DecimalValue
  /** YYYY-MM-DD of the payout. */
  on: string
  age: number | null
  vehicleAge: number | null
}
export interface Premium {
  insurance: NonNullable<LoanTerms['insurance']>
  /** Over the whole term, and with the first instalment; levies and stamp duty within. */
  total: string
  first: string
  levies: string
  stamp: string
  commission: string
  rows: readonly Instalment[]
}
/** What the table goes by and nobody has said: with it the offer may fit. */
type Needed = 'age' | 'vehicleAge'
interface Unfit {
  reason: string
  needs?: Needed
}
export type PremiumResult = { premium: Premium; reason?: undefined; needs?: undefined } | (Unfit & { premium?: undefined })

/**
 * What an offer costs on a loan: per mille on what is owed before each instalment, everything else as an amount spread over the instalments, to the cent:
 * max(minimum, sum x rate) + levies % + stamp duty (domain 4.7).
 * `reason` says why it is not for this loan: no line of its table fits, or it is above the cap of the country.
 */
export function premiumOf(rule: PremiumRule, insured: Insured): PremiumResult {
  const found = rateOf(rule, insured)
  if ('reason' in found) return found
  const gross = new Decimal(1).plus(new Decimal(rule.levies).dividedBy(100))
  const least = new Decimal(rule.minimum ?? 0)
  const stamp = new Decimal(rule.kind === 'perMille' ? 0 : (rule.stamp ?? 0))
  const made = rule.kind === 'perMille' ? byBalance(insured, found.times(gross)) : undefined
  const once = rule.kind === 'flat' ? found : found.times(insured.amount).dividedBy(100)
  const insurance =
    made && totalOf(made.rows).gte(least.times(gross))
      ? made.insurance
      : asAmount(insured, (made ? least : largest(once, least)).times(gross).plus(stamp))
  const rows = rowsOf(insured, insurance)
  const total = totalOf(rows)
  const reason = aboveCap(rule, insured, rows)
  if (reason !== undefined) return { reason }
  const net = total.minus(stamp).dividedBy(gross)
  const text = (value: Decimal) => value.toDecimalPlaces(decimalsOf(insured.terms.currency)).toFixed(decimalsOf(insured.terms.currency))
  return {
    premium: {
      insurance,
      rows,
      total: text(total),
      first: text(rows[0]?.insurance ?? zero),
      levies: text(total.minus(stamp).minus(net)),
      stamp: text(stamp),
      commission: text(net.times(rule.commission).dividedBy(100)),
    },
  }
}

function rateOf({ kind, rate, bands }: PremiumRule, { terms, age, vehicleAge }: Insured): Decimal | Unfit {
  if (kind !== 'table') return new Decimal(rate ?? 0)
  const months = monthsOf(terms).times(terms.instalments)
  const fits = (limit: number | null, value: Decimal | number | null) => limit === null || (value !== null && new Decimal(value).lte(limit))
  const inTerm = bands.filter((one) => fits(one.monthsTo, months))
  const ofAge = inTerm.filter((one) => fits(one.ageTo, age))
  const band = ofAge.find((one) => fits(one.vehicleAgeTo, vehicleAge))
  if (band) return new Decimal(band.rate)
  if (vehicleAge === null && ofAge.length > 0)
    return { reason: 'No line of its table fits while the vehicle’s years are not known.', needs: 'vehicleAge' }
  if (age === null && inTerm.some((one) => vehicleAge === null || fits(one.vehicleAgeTo, vehicleAge)))
    return { reason: 'No line of its table fits while the date of birth is not known.', needs: 'age' }
  return { reason: 'No line of its table fits the age, the term or the vehicle.' }
}

const monthsOf = ({ every }: LoanTerms) => periodYears(every).times(12)
const totalOf = (rows: readonly Instalment[]) => rows.reduce((sum, row) => sum.plus(row.insurance), zero)
const rowsOf = ({ terms, amount, on }: Insured, insurance: Premium['insurance']) => scheduleOf({ ...terms, insurance }, amount, on)

function byBalance(insured: Insured, perMonth: Decimal) {
  const insurance = { kind: 'perMilleOfBalance' as const, rate: perMonth.times(monthsOf(insured.terms)).toDecimalPlaces(6).toFixed() }
  return { insurance, rows: rowsOf(insured, insurance) }
}
const asAmount = ({ terms }: Insured, amount: Decimal): Premium['insurance'] => ({
  kind: 'amount',
  rate: amount.toDecimalPlaces(decimalsOf(terms.currency)).toFixed(),
})

/** Each premium is rounded by half a cent at most. */
function aboveCap({ cap }: PremiumRule, { terms }: Insured, rows: readonly Instalment[]): string | undefined {
  if (cap === undefined) return undefined
  const most = rows
    .reduce((sum, row) => sum.plus(row.balance).plus(row.principal), zero)
    .times(monthsOf(terms))
    .times(cap)
    .dividedBy(1_000)
  const asked = totalOf(rows)
  if (asked.lte(most.plus(new Decimal('0.005').times(rows.length)))) return undefined
  return `${asked.toFixed(2)} is above ${most.toFixed(2)}, the cap of ${cap} a month for each 1,000 owed.`
}

/** What an application holds of its insurance: an offer with its rule as it was accepted, or the client's own policy, which the loan does not charge for. */
export type ChosenInsurance =
  | { kind: 'offer'; name: string; rule: PremiumRule; age: number | null; vehicleAge: number | null }
  | { kind: 'own'; name: string }

/** Terms with the insurance that was chosen in place of the product's; `reason` where the offer does not fit the loan any more. */
export function insuredTerms(
  terms: LoanTerms,
  chosen: ChosenInsurance | null | undefined,
  { amount, on }: Pick<Insured, 'amount' | 'on'>,
): { terms: LoanTerms; reason?: string } {
  if (!chosen) return { terms }
  const { insurance: _, ...bare } = terms
  if (chosen.kind === 'own') return { terms: bare }
  const result = premiumOf(chosen.rule, { terms: bare, amount, on, age: chosen.age, vehicleAge: chosen.vehicleAge })
  return result.premium ? { terms: { ...bare, insurance: result.premium.insurance } } : { terms: bare, reason: result.reason }
}
