import { costCaps, type CostCaps } from '../calculators/packs/cost-of-credit.ts'
import { periodYears } from '../lending/day-count.ts'
import { scheduleOf } from '../lending/terms.ts'
import { Decimal, largest, smallest, zero, type DecimalValue } from '../money.ts'
import { quoteOf } from './quote.ts'
import { loanTermsOf, type ProductFee, type ProductTerms } from './product-terms.ts'

/** A rule that a product breaks: its name, where it is written, and what is wrong in a sentence. */
export interface BrokenCap {
  rule: string
  source: string
  message: string
}
export interface CapChoice {
  country: string
  currency: string
  /** YYYY-MM-DD from which the product is offered. */
  at: string
  /** Percent a year; undefined when nobody has entered it. */
  referenceRate?: DecimalValue
}

/** The caps on a kind of credit in a country on a day; undefined where we hold none. */
export const capsInForce = ({ country, at }: Pick<CapChoice, 'country' | 'at'>, creditType: CostCaps['creditType']): CostCaps | undefined =>
  costCaps
    .filter((caps) => caps.country === country && caps.creditType === creditType && caps.effectiveFrom <= at)
    .toSorted((a, b) => b.effectiveFrom.localeCompare(a.effectiveFrom))[0]

/** Which caps of its country a product breaks anywhere in its ranges; none where we hold no caps. */
export function brokenCaps(product: ProductTerms, choice: CapChoice): BrokenCap[] {
  const caps = capsInForce(choice, product.creditType)
  if (!caps) return []
  return [
    ...brokenRate(product, caps, choice),
    ...brokenInitiation(product, caps),
    ...brokenService(product, caps),
    ...otherFees(product, caps),
    ...brokenInsurance(product, caps, choice),
    ...brokenKind(product, caps),
  ]
}

const monthsOf = ({ everyUnit, everyCount }: ProductTerms) => periodYears({ unit: everyUnit, count: everyCount }).times(12)
const plain = (value: Decimal) => value.toDecimalPlaces(2).toFixed()

/** The rate on what is owed. Flat interest bears on the whole amount to the end: it counts as the rate that costs as much, the higher of the shortest and the longest term. */
function rateOnBalance(product: ProductTerms, { currency, at }: CapChoice): Decimal {
  if (product.method !== 'flat') return new Decimal(product.annualRate)
  const rates = [product.minInstalments, product.maxInstalments].map((instalments) => {
    const terms = loanTermsOf({ ...product, fees: [], insuranceKind: 'none' }, { currency, amount: product.maxAmount, instalments })
    return quoteOf({ terms, amount: product.maxAmount, disbursedOn: at }).aprNominal ?? 0
  })
  return new Decimal(Math.max(...rates))
}

function brokenRate(product: ProductTerms, { rateMargin, monthlyRateMax, sources }: CostCaps, choice: CapChoice): BrokenCap[] {
  const { referenceRate } = choice
  const broken = (message: string): BrokenCap[] => [{ rule: 'Interest cap', source: sources.rate ?? '', message }]
  const asked = rateOnBalance(product, choice)
  const flat = product.method === 'flat' ? ` flat, ${plain(asked)} % on what is owed,` : ''
  const words = `${plain(new Decimal(product.annualRate))} % a year${flat}`
  if (monthlyRateMax !== undefined) return asked.gt(monthlyRateMax * 12) ? broken(`${words} is above ${monthlyRateMax} % a month.`) : []
  if (rateMargin === undefined) return []
  if (referenceRate === undefined)
    return broken(
      'The reference rate of the central bank is not entered: enter it under Calculator rules, so that the cap on interest can be checked.',
    )
  const most = new Decimal(referenceRate).plus(rateMargin)
  return asked.gt(most)
    ? broken(
        `${words} is above ${plain(most)} % a year, the reference rate of ${plain(new Decimal(referenceRate))} % and ${rateMargin} points.`,
      )
    : []
}

/** The fee of an amount, flat parts and percents together. */
const feeOf = (fees: readonly ProductFee[], amount: Decimal) =>
  fees.reduce((sum, fee) => sum.plus(fee.kind === 'flat' ? fee.amount : amount.times(fee.amount).dividedBy(100)), zero)

/** Fee and cap are straight lines between their corners: what holds at each corner within the range holds everywhere in it. */
function brokenInitiation(product: ProductTerms, { initiation, sources }: CostCaps): BrokenCap[] {
  const fees = product.fees.filter(({ role }) => role === 'initiation')
  if (fees.length === 0) return []
  if (!initiation) return [{ rule: 'Initiation fee', source: sources.initiation ?? '', message: 'This kind of credit has none.' }]
  const { base, threshold, percent, max } = initiation
  const capOf = (amount: Decimal) => smallest(max, largest(0, amount.minus(threshold)).times(percent).dividedBy(100).plus(base))
  const corners = [product.minAmount, product.maxAmount, threshold, threshold + ((max - base) * 100) / percent]
    .map((corner) => new Decimal(corner))
    .filter((corner) => corner.gte(product.minAmount) && corner.lte(product.maxAmount))
  const total = (amount: Decimal) =>
    feeOf(fees, amount).plus(
      feeOf(
        fees.filter(({ due }) => due === 'perInstalment'),
        amount,
      ).times(product.maxInstalments - 1),
    )
  const worst = corners.find((corner) => total(corner).gt(capOf(corner)))
  if (!worst) return []
  const message = `${plain(total(worst))} on a loan of ${plain(worst)} is above ${plain(capOf(worst))}.`
  return [{ rule: 'Initiation fee', source: sources.initiation ?? '', message }]
}

/** A fee that is taken at once counts as spread over the shortest term. */
function brokenService(product: ProductTerms, { serviceFeeMax, sources }: CostCaps): BrokenCap[] {
  const fees = product.fees.filter(({ role }) => role === 'service')
  if (serviceFeeMax === undefined || fees.length === 0) return []
  const months = monthsOf(product)
  const monthly = (fee: ProductFee) =>
    feeOf([fee], new Decimal(product.maxAmount)).dividedBy(fee.due === 'perInstalment' ? months : months.times(product.minInstalments))
  const asked = fees.reduce((sum, fee) => sum.plus(monthly(fee)), zero)
  if (asked.lte(serviceFeeMax)) return []
  return [{ rule: 'Service fee', source: sources.serviceFeeMax ?? '', message: `${plain(asked)} a month is above ${serviceFeeMax}.` }]
}

function otherFees({ fees }: ProductTerms, { onlyNamedFees, sources }: CostCaps): BrokenCap[] {
  const others = fees.filter(({ role }) => role === 'other')
  if (!onlyNamedFees || others.length === 0) return []
  const names = others.map(({ name }) => `“${name}”`).join(', ')
  return [
    { rule: 'Fees allowed', source: sources.onlyNamedFees ?? '', message: `Only initiation and service fees may be asked, not ${names}.` },
  ]
}

/** The premium against the cap on what is owed before each instalment, over the shortest and the longest term. */
function brokenInsurance(product: ProductTerms, { creditLifeMax, sources }: CostCaps, { currency, at }: CapChoice): BrokenCap[] {
  if (creditLifeMax === undefined || product.insuranceKind === 'none') return []
  const months = monthsOf(product)
  for (const instalments of new Set([product.minInstalments, product.maxInstalments])) {
    const rows = scheduleOf(loanTermsOf(product, { currency, amount: product.maxAmount, instalments }), product.maxAmount, at)
    const asked = rows.reduce((sum, row) => sum.plus(row.insurance), zero)
    const most = rows
      .reduce((sum, row) => sum.plus(row.balance).plus(row.principal), zero)
      .times(months)
      .times(creditLifeMax)
      .dividedBy(1_000)
    // Each premium is rounded by half a cent at most.
    if (asked.gt(most.plus(new Decimal('0.005').times(instalments))))
      return [
        {
          rule: 'Credit life premium',
          source: sources.creditLifeMax ?? '',
          message: `${plain(asked)} over ${instalments} instalments is above ${plain(most)}: ${creditLifeMax} a month for each 1,000 owed.`,
        },
      ]
  }
  return []
}

function brokenKind(product: ProductTerms, { amountMax, monthsMax, sources }: CostCaps): BrokenCap[] {
  const months = monthsOf(product).times(product.maxInstalments)
  const broken = (message: string): BrokenCap => ({ rule: 'Kind of credit', source: sources.kind ?? '', message })
  return [
    ...(amountMax !== undefined && new Decimal(product.maxAmount).gt(amountMax)
      ? [broken(`A short-term loan is ${amountMax} at most.`)]
      : []),
    ...(monthsMax !== undefined && months.gt(monthsMax) ? [broken(`A short-term loan is repaid within ${monthsMax} months.`)] : []),
  ]
}
