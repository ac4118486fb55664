import { ruleSetInForce, type CalculatorName, type RuleValue } from '@outpost/rules/calculators/index'
import { demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

interface OwnRules {
  calculator: CalculatorName
  values: Record<string, RuleValue>
  verified?: readonly string[]
  verifiedBy?: string
  note: string
}

const day = 86_400_000
/** What a company enters first: its products' limits and rates; the law's figures stay as they are. */
const own: readonly OwnRules[] = [
  {
    calculator: 'cs-affordability',
    values: { buffer: 1_000, minLoan: 5_000, maxLoan: 1_500_000, maxTermMonths: 72, defaultTermMonths: 36, defaultRate: 2.1 },
    note: 'Product committee: limits of the check-off loan',
  },
  {
    calculator: 'sme-affordability',
    values: { minDscr: 1.3, minLoan: 50_000, maxLoan: 5_000_000, maxTermMonths: 36, defaultRate: 2.4 },
    note: 'Credit policy: cover of 1.3',
  },
]

/** Rules a demo company has entered a quarter ago; Kenya's has had its log book figures confirmed as well. */
export function companyRules({ company, userId, now }: { company: DemoCompany; userId: string; now: number }): object[] {
  const companyId = demoId(company.key)
  const effectiveFrom = new Date(now - 90 * day).toISOString().slice(0, 10)
  const logBook: OwnRules = {
    calculator: 'lbf-affordability',
    values: { ltv: 50, ltvNewer: 65, defaultRate: 2.8 },
    verified: ['ltv', 'ltvNewer', 'newerFromYear'],
    verifiedBy: 'Head of credit, policy paper 14',
    note: 'Credit policy: loan to forced-sale value',
  }
  const rules = company.country === 'KE' ? [...own, logBook] : own
  return rules.map(({ calculator, values, verified = [], verifiedBy, note }) => {
    const base = ruleSetInForce(calculator, { country: company.country, at: effectiveFrom })
    return {
      companyId,
      id: demoId(`rules ${companyId} ${calculator}`),
      calculator,
      country: company.country,
      effectiveFrom,
      version: base.version + 1,
      values: { ...base.values, ...values },
      unverified: base.unverified.filter((key) => !verified.includes(key)),
      verifiedBy: verifiedBy ?? null,
      note,
      createdByUserId: userId,
      dateCreated: new Date(now - 91 * day),
    }
  })
}
