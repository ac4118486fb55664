import { capsInForce } from '@outpost/rules/products/cap-check'
import { Decimal } from '@outpost/rules/money'
import type { CostCaps } from '@outpost/rules/calculators/packs/cost-of-credit'
import { companyDay } from '../../kernel/days.ts'
import type { Ctx } from '../../kernel/types.ts'
import type { Moving } from '../../kernel/workflow/types.ts'

/** Highest credit life premium a month for each 1,000 owed, as the country of the company has it; undefined for other covers and where we hold none. */
export function capOf(
  ctx: Ctx,
  { coverType, hasDisability }: { coverType: unknown; hasDisability: unknown },
  creditType: CostCaps['creditType'],
): string | undefined {
  if (coverType !== 'Credit life') return undefined
  const caps = capsInForce({ country: ctx.company.country, at: companyDay(ctx) }, creditType)
  if (caps?.creditLifeMax === undefined) return undefined
  return new Decimal(caps.creditLifeMax).plus(hasDisability === true ? (caps.creditLifeDisability ?? 0) : 0).toFixed()
}

/** An offer per 1,000 owed that is above the cap of every kind of credit is above it for each loan. Levies count. */
export function capRefusal(ctx: Ctx, { before }: Moving): string | undefined {
  const cap = capOf(ctx, { coverType: before['coverType'], hasDisability: before['hasDisability'] }, 'unsecured')
  if (cap === undefined || before['premiumRule'] !== 'perMille') return undefined
  const asked = new Decimal(String(before['rate'])).times(new Decimal(1).plus(new Decimal(String(before['levies'])).dividedBy(100)))
  return asked.gt(cap) ? `${asked.toFixed()} with levies is above ${cap}, the cap on credit life a month for each 1,000 owed.` : undefined
}
