import { Failure } from '@outpost/contract/errors'
import type { RuleSet } from '@outpost/contract/calculators'
import { sql } from '@outpost/platform/db/sql'
import { calculatorFields, calculators, runCalculator, type CalculatorName } from '@outpost/rules/calculators/index'
import type { Ctx } from '../../kernel/types.ts'
import { nameOf } from '../../kernel/names.ts'

/** So many of the newest assessments show what new rules change. */
const sampleSize = 20

/** What a company without assessments of its own looks at. */
const textbook: Record<CalculatorName, Record<string, unknown>> = {
  'cs-affordability': {
    basicPay: 60_000,
    grossPay: 60_000,
    netPay: 38_000,
    statutory: 12_000,
    livingExpenses: 20_000,
    rate: 2,
    termMonths: 24,
  },
  'lbf-affordability': {
    netIncome: 80_000,
    grossPay: 100_000,
    statutory: 20_000,
    livingExpenses: 30_000,
    marketValue: 1_000_000,
    modelYear: 2015,
    rate: 3,
    termMonths: 24,
  },
  'sme-affordability': {
    months: [100_000, 80_000, 90_000].map((sales) => ({ sales, costOfSales: 40_000, operatingCosts: 10_000 })),
    rate: 3,
    termMonths: 12,
  },
  'lbf-premium': { insuredValue: 1_000_000, loanAmount: 500_000, rate: 3, termMonths: 24 },
}

/** One sum under the rules before and after; texts as the calculator gives them, null where it cannot be made. */
export interface EffectRow {
  sample: string
  outcomeBefore: string | null
  outcomeAfter: string | null
  before: string | null
  after: string | null
  loanBefore: string | null
  loanAfter: string | null
}

interface Change {
  before: readonly RuleSet[]
  after: readonly RuleSet[]
  calculator: CalculatorName
  country: string
  at: string
}

/** What a change of rules does to the newest assessments of the company, or to an example of the textbook. */
export async function effectOf(ctx: Ctx, { before, after, calculator, country, at }: Change): Promise<EffectRow[]> {
  const kept = await ctx.sql.query<{ sample: string; inputs: Record<string, unknown> }>(sql`
    select ${nameOf('l')} as sample, r."inputs" from affordability_run r join lead l on l."companyId" = r."companyId" and l."id" = r."leadId"
    where r."companyId" = ${ctx.company.id} and r."calculator" = ${calculator} and r."country" = ${country} order by r."dateCreated" desc limit ${sampleSize}`)
  const samples = kept.length > 0 ? kept : [{ sample: 'Example', inputs: textbook[calculator] }]
  return samples.map(({ sample, inputs }) => {
    const [old, now] = [before, after].map((ruleSets) => sumOf(calculator, inputs, { country, at, ruleSets }))
    return {
      sample,
      outcomeBefore: old?.outcome ?? null,
      outcomeAfter: now?.outcome ?? null,
      before: old?.main ?? null,
      after: now?.main ?? null,
      loanBefore: old?.loan ?? null,
      loanAfter: now?.loan ?? null,
    }
  })
}

type Choice = Parameters<typeof runCalculator>[2]

/** The sum, or nothing where these inputs are not what the rules ask for. */
function sumOf(
  calculator: CalculatorName,
  inputs: Record<string, unknown>,
  choice: Choice,
): { outcome: string; main: string | null; loan: string | null } | undefined {
  const main = calculators[calculator].figures.some(({ key }) => key === 'affordability') ? 'affordability' : 'premium'
  try {
    const { outcome, result } = runCalculator(calculator, asked(calculator, inputs, choice), choice)
    return { outcome, main: result[main] ?? null, loan: result['maxLoan'] ?? result['instalment'] ?? null }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Of the example only what the rules ask for; rules of another method ask for other inputs. */
function asked(calculator: CalculatorName, inputs: Record<string, unknown>, choice: Choice): Record<string, unknown> {
  if (inputs !== textbook[calculator]) return inputs
  const { fields } = calculatorFields(calculator, choice)
  const known = new Set([...fields.map(({ key }) => key), calculators[calculator].grid?.key])
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => known.has(key)))
}

/** "3 of 20 samples change; 1 is no PASS any more." */
export function describeEffect(rows: readonly EffectRow[]): string {
  const changed = rows.filter(
    (row) => row.before !== row.after || row.outcomeBefore !== row.outcomeAfter || row.loanBefore !== row.loanAfter,
  )
  const lost = rows.filter((row) => row.outcomeBefore === 'PASS' && row.outcomeAfter !== 'PASS').length
  const [first] = changed
  const example = first ? ` For instance ${first.before ?? 'none'} → ${first.after ?? 'none'}.` : ''
  return `${changed.length} of ${rows.length} ${rows.length === 1 ? 'sample changes' : 'samples change'}${lost > 0 ? `, ${lost} ${lost === 1 ? 'passes' : 'pass'} no more` : ''}.${example}`
}
