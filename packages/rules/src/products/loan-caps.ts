import type { LoanTerms } from '@outpost/contract/lending'
import { Decimal, type DecimalValue } from '../money.ts'
import { brokenCaps, type BrokenCap, type CapChoice } from './cap-check.ts'
import type { CreditType, ProductTerms } from './product-terms.ts'

/** A cap that a loan breaks, with the part of its terms that breaks it. */
export interface BrokenLoanCap extends BrokenCap {
  field: 'annualRate' | 'fees' | 'insurance' | 'creditType'
}

const fieldOf: ReadonlyMap<string, BrokenLoanCap['field']> = new Map([
  ['Interest cap', 'annualRate'],
  ['Initiation fee', 'fees'],
  ['Service fee', 'fees'],
  ['Fees allowed', 'fees'],
  ['Credit life premium', 'insurance'],
])

/** Which caps of its country one loan breaks: those of a product whose ranges hold this loan and nothing else. */
export function capsBrokenByLoan(
  terms: LoanTerms,
  { principal, creditType, ...choice }: CapChoice & { principal: DecimalValue; creditType: CreditType },
): BrokenLoanCap[] {
  return brokenCaps(asProduct(terms, { principal, creditType }), choice).map((cap) => ({
    ...cap,
    field: fieldOf.get(cap.rule) ?? 'creditType',
  }))
}

/** A fee that is taken once is for opening the loan, one with each instalment for keeping it. */
function asProduct(terms: LoanTerms, { principal, creditType }: { principal: DecimalValue; creditType: CreditType }): ProductTerms {
  const { every, insurance, balloon, penalty: _, allocation, fees, ...rest } = terms
  const amount = new Decimal(principal)
  const shareOf = (part: string) => new Decimal(part).times(100).dividedBy(amount).toFixed()
  return {
    ...rest,
    creditType,
    everyUnit: every.unit,
    everyCount: every.count,
    minAmount: amount.toFixed(),
    maxAmount: amount.toFixed(),
    minInstalments: terms.instalments,
    maxInstalments: terms.instalments,
    balloonPercent: balloon === undefined ? null : shareOf(balloon),
    allocation: allocation.join(','),
    penaltyKind: 'none',
    penaltyAmount: null,
    penaltyPer: 'month',
    penaltyGraceDays: 0,
    insuranceKind: insurance === undefined ? 'none' : insurance.kind === 'amount' ? 'percentOfPrincipal' : insurance.kind,
    insuranceRate: insurance === undefined ? null : insurance.kind === 'amount' ? shareOf(insurance.rate) : insurance.rate,
    fees: fees.map((fee) => ({ ...fee, role: fee.due === 'perInstalment' ? ('service' as const) : ('initiation' as const) })),
  }
}
