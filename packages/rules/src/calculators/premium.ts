import type { FieldView } from '@outpost/contract/fields'
import { payment } from '../loans/loan-maths.ts'
import { loanSchedule } from '../loans/loan-schedule.ts'
import { largest, moneyText, roundMoney, zero, type Decimal } from '../money.ts'
import { moneyField, monthlyRate, rateFields, termOf, wholeTerms } from './loan-terms.ts'
import { planOf } from './plan.ts'
import { premiumRules } from './rule-definitions.ts'
import { shown } from './trace.ts'
import type { Calculator, Job, Assessment } from './types.ts'

const payments = [
  { value: 'upfront', label: 'At once' },
  { value: 'financed', label: 'With the loan' },
  { value: 'monthly', label: 'Monthly' },
]
const fields: readonly FieldView[] = [
  moneyField('insuredValue', 'Insured value of the vehicle', { required: true }),
  { key: 'coverMonths', kind: 'number', label: 'Cover in months', required: true, min: 1, max: 84, defaultValue: 12 },
  { key: 'payment', kind: 'choice', label: 'Premium is paid', required: true, defaultValue: 'financed', options: payments },
  moneyField('loanAmount', 'Loan', { required: true }),
]

/** The insurance premium of a log book loan and its effect on the instalment. */
export const logBookPremium: Calculator = {
  name: 'lbf-premium',
  title: 'Log book premium',
  permission: 'SALES/AFFORDABILITY/LBF',
  description: 'The premium on the vehicle, paid at once, with the loan or monthly.',
  about: 'Insurance',
  rules: premiumRules,
  whole: [...wholeTerms, 'coverMonths'],
  figures: [
    { key: 'premium', label: 'Premium', unit: 'money', isMain: true },
    { key: 'instalment', label: 'Paid a month', unit: 'money', isMain: true },
    { key: 'dueNow', label: 'Due at once', unit: 'money', isMain: true },
    { key: 'instalmentWithout', label: 'Instalment without insurance', unit: 'money' },
    { key: 'premiumShare', label: 'Insurance a month', unit: 'money' },
    { key: 'principal', label: 'Loan with the premium', unit: 'money' },
    { key: 'totalCost', label: 'Interest and premium over the term', unit: 'money' },
  ],
  fields: (rules) => [...fields, ...rateFields(rules)],
  run: assessPremium,
}

function assessPremium(job: Job): Assessment {
  const { inputs, trace } = job
  const premium = premiumOf(job)
  const [rate, periods, loan, way] = [monthlyRate(job), termOf(job), inputs.amount('loanAmount'), inputs.text('payment')]
  const principal = way === 'financed' ? loan.plus(premium) : loan
  const monthly = way === 'monthly' ? roundMoney(premium.dividedBy(inputs.amount('coverMonths'))) : zero
  const bare = instalmentOf(rate, periods, loan)
  const instalment = trace.note({
    label: 'Paid a month',
    formula:
      way === 'financed'
        ? 'PMT(rate, term, loan + premium)'
        : way === 'monthly'
          ? 'PMT(rate, term, loan) + premium ÷ months of cover'
          : 'PMT(rate, term, loan)',
    figures: `PMT(${rate.times(100).toDecimalPlaces(6).toFixed()} %, ${periods}, ${shown(principal)})${monthly.gt(0) ? ` + ${shown(monthly)}` : ''}`,
    value: instalmentOf(rate, periods, principal).plus(monthly),
  })
  const schedule = loanSchedule({ principal, rate, periods })
  const paidApart = way === 'financed' ? zero : premium
  return {
    outcome: 'NONE',
    reasons: [],
    schedule: planOf(schedule, { fee: zero, perThousand: zero, opening: principal }),
    result: {
      premium: moneyText(premium),
      instalment: moneyText(instalment),
      dueNow: moneyText(way === 'upfront' ? premium : zero),
      instalmentWithout: moneyText(bare),
      premiumShare: moneyText(instalment.minus(bare)),
      principal: moneyText(principal),
      totalCost: moneyText(schedule.totalPaid.plus(paidApart).minus(loan)),
    },
  }
}

const instalmentOf = (rate: Decimal, periods: number, principal: Decimal) =>
  roundMoney(payment({ rate, periods, present: principal }).negated())

/** premium = max(minimum, insured value × rate) × months ÷ 12, plus levies on it and the stamp duty. */
function premiumOf({ inputs, rules, trace }: Job): Decimal {
  const [value, rate, least, months] = [
    inputs.amount('insuredValue'),
    rules.amount('premiumRate'),
    rules.amount('minPremium'),
    inputs.amount('coverMonths'),
  ]
  const yearly = trace.note({
    label: 'Premium a year',
    formula: 'insured value × rate, at least the least premium',
    figures: `max(${shown(least)}; ${shown(value)} × ${rate.toFixed()} %)`,
    value: roundMoney(largest(least, value.times(rate).dividedBy(100))),
    uses: ['premiumRate', 'minPremium'],
  })
  const cover = trace.note({
    label: 'Premium for the cover',
    formula: 'premium a year × months ÷ 12',
    figures: `${shown(yearly)} × ${months.toFixed()} ÷ 12`,
    value: roundMoney(yearly.times(months).dividedBy(12)),
  })
  const levies = trace.note({
    label: 'Levies',
    formula: 'premium × levies',
    figures: `${shown(cover)} × ${rules.amount('levies').toFixed()} %`,
    value: roundMoney(cover.times(rules.amount('levies')).dividedBy(100)),
    uses: ['levies'],
  })
  const stamp = rules.amount('stamp')
  return trace.note({
    label: 'Premium',
    formula: 'premium + levies + stamp duty',
    figures: [cover, levies, stamp].map(shown).join(' + '),
    value: cover.plus(levies).plus(stamp),
    uses: ['stamp', 'levies', 'premiumRate', 'minPremium'],
  })
}
