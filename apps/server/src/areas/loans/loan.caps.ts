import { fail } from '@outpost/contract/errors'
import type { LoanTerms } from '@outpost/contract/lending'
import type { DecimalValue } from '@outpost/rules/money'
import { capsBrokenByLoan, type BrokenLoanCap } from '@outpost/rules/products/loan-caps'
import { creditTypes, type CreditType } from '@outpost/rules/products/product-terms'
import { companyDay } from '../../kernel/days.ts'
import type { Ctx } from '../../kernel/types.ts'
import { referenceRateOf } from '../calculators/index.ts'

export interface Capped {
  terms: LoanTerms
  principal: DecimalValue
  creditType: CreditType
}

/** The kind of credit that a record or a body names. INVALID for one there is not. */
export function creditTypeOf(value: unknown): CreditType {
  const found = creditTypes.find((type) => type.value === value)
  return found ? found.value : fail('INVALID', { fields: [{ field: 'creditType', message: 'is not a kind of credit' }] })
}

/** The caps of the company's country that a loan would break today, as errors of its fields, each naming its rule and source. */
export async function capFaults(
  ctx: Ctx,
  { terms, principal, creditType }: Capped,
  only?: BrokenLoanCap['field'],
): Promise<{ field: BrokenLoanCap['field']; message: string }[]> {
  const { country, currency } = ctx.company
  const at = companyDay(ctx)
  const referenceRate = await referenceRateOf(ctx, { calculator: 'cs-affordability', at })
  const broken = capsBrokenByLoan(terms, {
    principal,
    creditType,
    country: country ?? '',
    currency,
    at,
    ...(referenceRate === null ? {} : { referenceRate }),
  })
  return broken
    .filter(({ field }) => only === undefined || field === only)
    .map(({ field, rule, source, message }) => ({ field, message: `${rule} (${source}): ${message}` }))
}
