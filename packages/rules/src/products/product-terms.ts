import { allocationParts, type AllocationPart, type LoanTerms } from '@outpost/contract/lending'
import { Decimal } from '../money.ts'
import { roundIn } from '../lending/terms.ts'

/** What kind of credit it is by law: caps on its cost go by it. */
export const creditTypes = [
  { value: 'unsecured', label: 'Unsecured' },
  { value: 'shortTerm', label: 'Short-term' },
  { value: 'developmental', label: 'Developmental, small business' },
  { value: 'facility', label: 'Credit facility' },
  { value: 'mortgage', label: 'Mortgage' },
  { value: 'incidental', label: 'Incidental' },
  { value: 'other', label: 'Other, e.g. secured by a vehicle' },
] as const
export type CreditType = (typeof creditTypes)[number]['value']

/** To what instalments may be rounded; the last one absorbs what that leaves. */
export const roundings = [
  { value: 'none', label: 'To the smallest coin' },
  { value: '1', label: 'To 1' },
  { value: '5', label: 'To 5' },
  { value: '10', label: 'To 10' },
  { value: '50', label: 'To 50' },
  { value: '100', label: 'To 100' },
  { value: '500', label: 'To 500' },
  { value: '1000', label: 'To 1,000' },
] as const

/** What a fee is for: an initiation fee and a service fee have caps of their own. */
export const feeRoles = [
  { value: 'initiation', label: 'Initiation' },
  { value: 'service', label: 'Service' },
  { value: 'other', label: 'Other' },
] as const
export type FeeRole = (typeof feeRoles)[number]['value']

export interface ProductFee {
  name: string
  role: FeeRole
  kind: LoanTerms['fees'][number]['kind']
  /** Money, or percent of the amount lent; text or number. */
  amount: string | number
  due: LoanTerms['fees'][number]['due']
}

/** The terms of a version of a product: ranges that an application chooses from. Amounts and percents as text or number. */
export interface ProductTerms {
  creditType: CreditType
  method: LoanTerms['method']
  annualRate: string | number
  dayCount: LoanTerms['dayCount']
  everyUnit: LoanTerms['every']['unit']
  everyCount: number
  minAmount: string | number
  maxAmount: string | number
  minInstalments: number
  maxInstalments: number
  brokenPeriod: LoanTerms['brokenPeriod']
  graceOnPrincipal: number
  graceOnInterest: number
  /** Method balloon: percent of the amount lent that is left for the last instalment. */
  balloonPercent: string | number | null
  dueOnHoliday: LoanTerms['dueOnHoliday']
  /** The parts of a payment in their order, with commas. */
  allocation: string
  penaltyKind: 'none' | 'flat' | 'percentOfOverdue'
  penaltyAmount: string | number | null
  penaltyPer: 'month' | 'instalment'
  penaltyGraceDays: number
  /** In duplum: left out, no. */
  penaltyInDuplum?: boolean
  insuranceKind: 'none' | 'perMilleOfBalance' | 'percentOfPrincipal'
  insuranceRate: string | number | null
  /** To a multiple of what instalments are rounded; left out: none, to the smallest unit of the currency. */
  instalmentRounding?: (typeof roundings)[number]['value']
  fees: readonly ProductFee[]
}

/** What an application chooses within a product's ranges. */
export interface LoanChoice {
  currency: string
  amount: string | number | Decimal
  instalments: number
  /** YYYY-MM-DD; left out, one period after the payout. */
  firstDueAt?: string | null
}

const text = (value: string | number | null) => new Decimal(value ?? 0).toFixed()

/** The terms of one loan of a product; `pinned` by the loan, so that later versions of the product leave it as it was agreed. */
export function loanTermsOf(product: ProductTerms, { currency, amount, instalments, firstDueAt }: LoanChoice): LoanTerms {
  const { penaltyKind, insuranceKind, instalmentRounding = 'none' } = product
  return {
    currency,
    method: product.method,
    annualRate: text(product.annualRate),
    dayCount: product.dayCount,
    every: { unit: product.everyUnit, count: product.everyCount },
    instalments,
    ...(firstDueAt ? { firstDueAt } : {}),
    brokenPeriod: product.brokenPeriod,
    graceOnPrincipal: product.graceOnPrincipal,
    graceOnInterest: product.graceOnInterest,
    ...(product.method === 'balloon'
      ? { balloon: roundIn(currency, new Decimal(amount).times(product.balloonPercent ?? 0).dividedBy(100)).toFixed() }
      : {}),
    fees: product.fees.map(({ name, kind, amount: fee, due }) => ({ name, kind, amount: text(fee), due })),
    ...(penaltyKind === 'none'
      ? {}
      : {
          penalty: {
            kind: penaltyKind,
            amount: text(product.penaltyAmount),
            per: product.penaltyPer,
            graceDays: product.penaltyGraceDays,
            ...(product.penaltyInDuplum ? { inDuplum: true } : {}),
          },
        }),
    ...(insuranceKind === 'none' ? {} : { insurance: { kind: insuranceKind, rate: text(product.insuranceRate) } }),
    ...(instalmentRounding === 'none' ? {} : { roundTo: instalmentRounding }),
    allocation: product.allocation.split(',') as AllocationPart[],
    dueOnHoliday: product.dueOnHoliday,
  }
}

/** Every order in which a payment may settle what is due, the usual one first; `label` in words. */
export const allocationOrders: readonly { value: string; label: string }[] = ordersOf(allocationParts).map((order) => ({
  value: order.join(','),
  label: order.map((part) => ({ penalty: 'Penalties', fee: 'Fees', interest: 'Interest', principal: 'Principal' })[part]).join(' → '),
}))

function ordersOf(parts: readonly AllocationPart[]): AllocationPart[][] {
  if (parts.length === 0) return [[]]
  return parts.flatMap((part) => ordersOf(parts.filter((other) => other !== part)).map((rest) => [part, ...rest]))
}

/** What is wrong with an amount or a number of instalments for a product, by field, in words after its label. */
export function rangeProblems(product: ProductTerms, { amount, instalments }: Pick<LoanChoice, 'amount' | 'instalments'>) {
  const wanted = new Decimal(amount)
  const outside: { field: 'amount' | 'instalments'; message: string }[] = []
  if (wanted.lt(product.minAmount) || wanted.gt(product.maxAmount))
    outside.push({ field: 'amount', message: `is ${text(product.minAmount)} to ${text(product.maxAmount)} for this product` })
  if (instalments < product.minInstalments || instalments > product.maxInstalments)
    outside.push({
      field: 'instalments',
      message:
        product.minInstalments === product.maxInstalments
          ? `is ${product.minInstalments} for this product`
          : `is ${product.minInstalments} to ${product.maxInstalments} for this product`,
    })
  return outside
}
