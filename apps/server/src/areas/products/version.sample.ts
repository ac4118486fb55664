import { Failure } from '@outpost/contract/errors'
import { calculators, isCalculator } from '@outpost/rules/calculators/index'
import { aMonth, type SampleBorrower, type SampleLoan } from '@outpost/rules/products/sample-borrower'
import { Decimal, moneyText } from '@outpost/rules/money'
import { z } from 'zod'
import type { Ctx } from '../../kernel/types.ts'
import { runOnSample } from '../calculators/index.ts'

const money = z.string()
/** What the product's own rules of affordability say of the sample borrower. */
export const affordabilityAnswer = z.strictObject({
  calculator: z.string(),
  /** The rules it was made under; null where it could not be made. */
  ruleSet: z.string().nullable(),
  outcome: z.enum(['PASS', 'REFER', 'FAIL']),
  reasons: z.array(z.string()),
  /** What the borrower can pay a month, and what the loan takes. */
  affordable: money.nullable(),
  instalment: money,
})
type Affordability = z.infer<typeof affordabilityAnswer>

/**
 * Runs the calculator that applications of the product need on a sample borrower. The sum is the calculator's; what the loan takes is the product's own largest
 * instalment, fees and insurance within: where that is more than what is affordable it is a FAIL, whatever the calculator makes of the rate alone.
 */
export async function affordabilityOf(
  ctx: Ctx,
  calculator: string | null,
  { instalment: largest, ...sample }: SampleBorrower & SampleLoan & { instalment: string },
): Promise<Affordability | null> {
  if (calculator === null || !isCalculator(calculator)) return null
  const instalment = moneyText(aMonth(largest, sample.every))
  const common = { calculator: calculators[calculator].title, instalment }
  try {
    const { outcome, reasons, result, ruleSet } = await runOnSample(ctx, calculator, sample)
    const affordable = result['affordability'] ?? null
    const isOver = affordable !== null && new Decimal(instalment).gt(affordable)
    const over =
      isOver && outcome !== 'FAIL'
        ? [`The largest instalment of this product, ${instalment} a month, is above the affordable ${affordable}.`]
        : []
    return {
      ...common,
      ruleSet: `${ruleSet.id} v${ruleSet.version}`,
      outcome: isOver ? 'FAIL' : outcome === 'NONE' ? 'REFER' : outcome,
      reasons: [...reasons, ...over],
      affordable,
    }
  } catch (error) {
    // Terms that the calculator does not take at all are nothing that it passes.
    if (!(error instanceof Failure) || error.failure !== 'INVALID') throw error
    const reasons = (error.more.fields ?? []).map(({ field, message }) => `${field} ${message}`)
    return { ...common, ruleSet: null, outcome: 'FAIL', reasons, affordable: null }
  }
}
