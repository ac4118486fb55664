import type { FieldView } from '@outpost/contract/fields'
import { atLeastZero, moneyText, roundMoney, smallest, zero, type Decimal } from '../money.ts'
import { affordable, incomeByNorm, incomeLimits, normFields, type Income } from './income.ts'
import { loanFigures } from './loan-figures.ts'
import { loanFields, moneyField, wholeTerms } from './loan-terms.ts'
import { assessLoan } from './offer.ts'
import { lbfRules } from './rule-definitions.ts'
import type { RuleReader } from './rule-reader.ts'
import { minus, shown } from './trace.ts'
import type { Calculator, Job, Assessment } from './types.ts'
import { refer, refuse } from './verdict.ts'

const onlyRefinance = { eq: ['isRefinance', true] as [string, boolean] }

const incomeFields: readonly FieldView[] = [
  moneyField('netIncome', 'Net income a month', { required: true }),
  moneyField('livingExpenses', 'Living expenses', { required: true }),
  moneyField('obligations', 'Instalments already owed'),
]

const vehicleFields: readonly FieldView[] = [
  moneyField('marketValue', 'Market value of the vehicle', { required: true }),
  moneyField('forcedSaleValue', 'Forced-sale value', { help: 'Left empty: a share of the market value' }),
  { key: 'modelYear', kind: 'number', label: 'Model year', required: true, min: 1950, max: 2100 },
]

function costFields(rules: RuleReader): FieldView[] {
  return [
    moneyField('searchCost', 'Log book search', rules.has('searchCost') ? { defaultValue: rules.amount('searchCost').toNumber() } : {}),
    moneyField('valuationCost', 'Valuation'),
    moneyField('trackerCost', 'Tracker'),
    moneyField('insuranceCost', 'Comprehensive insurance'),
    { key: 'isFinanced', kind: 'boolean', label: 'The loan pays these costs', defaultValue: true },
  ]
}

const refinanceFields: readonly FieldView[] = [
  { key: 'isRefinance', kind: 'boolean', label: 'Refinances a running loan on this vehicle', defaultValue: false },
  {
    key: 'monthsRepaid',
    kind: 'number',
    label: 'Months repaid',
    min: 0,
    max: 360,
    visibleIf: onlyRefinance,
    requiredIf: onlyRefinance,
    required: true,
  },
  {
    key: 'runningTerm',
    kind: 'number',
    label: 'Term of the running loan',
    min: 1,
    max: 360,
    visibleIf: onlyRefinance,
    requiredIf: onlyRefinance,
    required: true,
  },
  moneyField('settledBalance', 'Balance to settle', { visibleIf: onlyRefinance, requiredIf: onlyRefinance, required: true }),
]

/** Log book finance: a loan on a vehicle, limited by income and forced-sale value. */
export const logBook: Calculator = {
  name: 'lbf-affordability',
  title: 'Log book affordability',
  permission: 'SALES/AFFORDABILITY/LBF',
  description: 'The largest loan on a vehicle that its forced-sale value and the client’s income carry.',
  about: 'Income and vehicle',
  rules: lbfRules,
  whole: [...wholeTerms, 'modelYear', 'monthsRepaid', 'runningTerm'],
  atMost: [...incomeLimits, ['forcedSaleValue', 'marketValue'], ['monthsRepaid', 'runningTerm']],
  figures: [
    ...loanFigures,
    { key: 'security', label: 'The vehicle carries', unit: 'money' },
    { key: 'quickcash', label: 'Quickcash overdraft', unit: 'money' },
  ],
  fields: (rules) => [
    ...(rules.text('method') === 'norms' ? normFields : incomeFields),
    ...vehicleFields,
    ...costFields(rules),
    ...refinanceFields,
    ...loanFields(rules),
  ],
  run: (job) => {
    const { affordability, isBelowNorm } = job.rules.text('method') === 'norms' ? incomeByNorm(job) : incomeByExpenses(job)
    const security = securityOf(job)
    const assessment = assessLoan(job, { affordability, security, upfront: upfrontOf(job) })
    const checked = refinance(
      job,
      isBelowNorm ? refer(assessment, 'Living expenses below the norm: check the signed disclosure.') : assessment,
    )
    return { ...checked, result: { ...checked.result, security: moneyText(security), quickcash: quickcash(job, checked) } }
  },
}

function incomeByExpenses(job: Job): Income {
  const { inputs, rules, trace } = job
  const [net, expenses, obligations] = [inputs.amount('netIncome'), inputs.amount('livingExpenses'), inputs.amount('obligations')]
  const left = trace.note({
    label: 'Left after expenses',
    formula: 'net income − living expenses − instalments already owed',
    figures: minus(net, expenses, obligations),
    value: net.minus(expenses).minus(obligations),
  })
  return {
    affordability: affordable(job, { label: 'left after expenses − buffer', amount: left, buffer: rules.amount('buffer') }),
    isBelowNorm: false,
  }
}

/** The loan-to-value for the vehicle's age, of the forced-sale value after the haircut. */
function securityOf({ inputs, rules, trace }: Job): Decimal {
  const market = inputs.amount('marketValue')
  const share = rules.share('fsvShare')
  const value = inputs.has('forcedSaleValue')
    ? inputs.amount('forcedSaleValue')
    : trace.note({
        label: 'Forced-sale value',
        formula: `market value × ${share.text}`,
        figures: `${shown(market)} × ${share.text}`,
        value: roundMoney(share.of(market)),
        uses: ['fsvShare'],
      })
  const isNewer = inputs.amount('modelYear').gte(rules.amount('newerFromYear'))
  const ltv = rules.amount(isNewer ? 'ltvNewer' : 'ltv')
  const haircut = rules.amount('haircut')
  return trace.note({
    label: 'The vehicle carries',
    formula: 'forced-sale value less haircut × loan to value',
    figures: `${shown(value)} × (100 − ${haircut.toFixed()}) % × ${ltv.toFixed()} %`,
    value: roundMoney(value.times(haircut.negated().plus(100)).times(ltv).dividedBy(10_000)),
    uses: [isNewer ? 'ltvNewer' : 'ltv', 'newerFromYear', 'haircut'],
  })
}

function upfrontOf({ inputs, trace }: Job): Decimal {
  const costs = ['searchCost', 'valuationCost', 'trackerCost', 'insuranceCost'].map((key) => inputs.amount(key))
  const financed = inputs.flag('isFinanced') ? costs.reduce((sum, cost) => sum.plus(cost), zero) : zero
  const settled = inputs.amount('settledBalance')
  if (financed.isZero() && settled.isZero()) return zero
  return trace.note({
    label: 'Costs and debt the loan pays',
    formula: 'search + valuation + tracker + insurance + balance to settle',
    figures: [...(financed.isZero() ? [] : costs), settled].map(shown).join(' + '),
    value: financed.plus(settled),
  })
}

/** A running loan may be refinanced once a share of its term is repaid. */
function refinance({ inputs, rules, trace }: Job, assessment: Assessment): Assessment {
  if (!inputs.flag('isRefinance')) return assessment
  const share = rules.share('minRepaidShare')
  const needed = trace.note({
    label: 'Months to repay before a refinance',
    formula: `term of the running loan × ${share.text}`,
    figures: `${inputs.text('runningTerm')} × ${share.text}`,
    value: share.of(inputs.amount('runningTerm')),
    unit: 'months',
    uses: ['minRepaidShare'],
  })
  return inputs.amount('monthsRepaid').lt(needed)
    ? refuse(assessment, `A refinance needs ${share.text} of the running term repaid.`)
    : assessment
}

/** An overdraft of one instalment, within the country's cap. */
function quickcash({ rules }: Job, { result }: Assessment): string {
  const instalment = atLeastZero(result['instalment'] ?? 0)
  const cap = rules.limit('quickcashCap')
  return moneyText(cap ? smallest(instalment, cap) : instalment)
}
