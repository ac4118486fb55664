import type { FieldView } from '@outpost/contract/fields'
import { atLeastZero, Decimal, moneyText, roundMoney, smallest, zero } from '../money.ts'
import { loanFigures } from './loan-figures.ts'
import { loanFields, moneyField, wholeTerms } from './loan-terms.ts'
import { assessLoan } from './offer.ts'
import { smeRules } from './rule-definitions.ts'
import { shown } from './trace.ts'
import type { Calculator, Job, Assessment } from './types.ts'
import { refer } from './verdict.ts'

const columns: readonly FieldView[] = [
  moneyField('sales', 'Sales', { required: true }),
  moneyField('costOfSales', 'Cost of sales'),
  moneyField('operatingCosts', 'Operating costs'),
  moneyField('otherIncome', 'Other income'),
  moneyField('drawings', 'Drawings of the household'),
]

/** Business loans: the weakest season must still cover all instalments with a margin. */
export const business: Calculator = {
  name: 'sme-affordability',
  title: 'SME affordability',
  permission: 'SALES/AFFORDABILITY/SME',
  description: 'The largest loan that the income of 3 to 12 months covers, with the cover a lender asks for.',
  about: 'Business',
  rules: smeRules,
  whole: wholeTerms,
  grid: { key: 'months', label: 'Months of the business', columns, min: 3, max: 12 },
  figures: [
    ...loanFigures,
    { key: 'netOperatingIncome', label: 'Net operating income a month', unit: 'money' },
    { key: 'dscr', label: 'Debt service cover (DSCR)', unit: 'number' },
  ],
  fields: (rules) => [moneyField('existingDebtService', 'Instalments already paid a month'), ...loanFields(rules)],
  run: (job) => {
    const income = incomeOf(job)
    const assessment = assessLoan(job, { affordability: roomFor(job, income) })
    return cover(job, income, assessment)
  },
}

/** The lower of the average month and the average of the weakest consecutive months. */
function incomeOf({ inputs, rules, trace }: Job): Decimal {
  const months = inputs.rows().map((row) => net(row))
  const season = Math.min(months.length, Math.max(1, rules.amount('seasonMonths').toNumber()))
  const average = trace.note({
    label: 'Average month',
    formula: 'Σ (sales − cost of sales − operating costs + other income − drawings) ÷ months',
    figures: `${shown(sum(months))} ÷ ${months.length}`,
    value: mean(months),
  })
  const windows = months.slice(season - 1).map((_, index) => mean(months.slice(index, index + season)))
  const weakest = trace.note({
    label: 'Weakest season',
    formula: `the lowest average of ${season} months in a row`,
    value: smallest(average, ...windows),
    uses: ['seasonMonths'],
  })
  return trace.note({
    label: 'Net operating income a month',
    formula: 'the lower of average and weakest season',
    figures: `min(${shown(average)}; ${shown(weakest)})`,
    value: smallest(average, weakest),
  })
}

const net = (row: Readonly<Record<string, Decimal>>): Decimal => {
  const at = (key: string) => row[key] ?? zero
  return at('sales').minus(at('costOfSales')).minus(at('operatingCosts')).plus(at('otherIncome')).minus(at('drawings'))
}
const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), zero)
const mean = (values: readonly Decimal[]) => sum(values).dividedBy(values.length)

function roomFor({ inputs, rules, trace }: Job, income: Decimal): Decimal {
  const [least, existing] = [rules.amount('minDscr'), inputs.amount('existingDebtService')]
  return trace.note({
    label: 'Affordable a month',
    formula: 'net operating income ÷ least cover − instalments already paid',
    figures: `${shown(income)} ÷ ${least.toFixed()} − ${shown(existing)}`,
    value: roundMoney(atLeastZero(income.dividedBy(least).minus(existing))),
    uses: ['minDscr'],
  })
}

/** The cover with the offered loan, existing instalments included. */
function cover({ inputs, rules, trace }: Job, income: Decimal, assessment: Assessment): Assessment {
  const service = inputs.amount('existingDebtService').plus(assessment.result['instalment'] ?? 0)
  if (!service.gt(0)) return { ...assessment, result: { ...assessment.result, netOperatingIncome: moneyText(income), dscr: null } }
  const dscr = trace.note({
    label: 'Debt service cover (DSCR)',
    formula: 'net operating income ÷ all instalments',
    figures: `${shown(income)} ÷ ${shown(service)}`,
    value: income.dividedBy(service).toDecimalPlaces(4, Decimal.ROUND_DOWN),
    unit: 'number',
  })
  const result = { ...assessment.result, netOperatingIncome: moneyText(income), dscr: dscr.toFixed(4) }
  const watched = rules.limit('referDscr')
  return watched && dscr.lt(watched)
    ? refer({ ...assessment, result }, `Cover below ${watched.toFixed()}: somebody has to decide.`)
    : { ...assessment, result }
}
