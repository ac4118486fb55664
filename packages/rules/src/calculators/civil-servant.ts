import type { FieldView } from '@outpost/contract/fields'
import { atLeastZero, roundMoney, smallest, type Decimal } from '../money.ts'
import { affordable, incomeByNorm, incomeLimits, normFields } from './income.ts'
import { loanFigures } from './loan-figures.ts'
import { loanFields, moneyField, wholeTerms } from './loan-terms.ts'
import { assessLoan } from './offer.ts'
import { csRules } from './rule-definitions.ts'
import type { RuleReader } from './rule-reader.ts'
import { shown } from './trace.ts'
import type { Calculator, Job, Assessment } from './types.ts'
import { refer } from './verdict.ts'

const settled: readonly FieldView[] = [
  moneyField('settledDeductions', 'Deductions this loan ends', { help: 'Instalments of loans that are bought off' }),
  moneyField('settledBalance', 'Balance of the loans bought off'),
  { key: 'endDate', kind: 'date', label: 'Employment ends', help: 'Retirement or end of contract; limits the term' },
]

/** Civil servants' check-off loans: the instalment is deducted from pay, of which the law protects a part. */
export const civilServant: Calculator = {
  name: 'cs-affordability',
  title: 'Civil servant affordability',
  permission: 'SALES/AFFORDABILITY/CS',
  description: 'The largest check-off loan that leaves the pay which must stay.',
  about: 'Pay',
  rules: csRules,
  figures: loanFigures,
  whole: wholeTerms,
  atMost: [...incomeLimits, ['netPay', 'grossPay'], ['basicPay', 'grossPay']],
  fields: (rules) => [...payFields(rules), ...settled, ...loanFields(rules)],
  run: (job) => {
    const { inputs } = job
    if (job.rules.text('method') !== 'norms')
      return assessLoan(job, { affordability: fromPayslip(job), upfront: inputs.amount('settledBalance') })
    const { affordability, isBelowNorm } = incomeByNorm(job)
    const assessment = assessLoan(job, { affordability: withSettled(job, affordability), upfront: inputs.amount('settledBalance') })
    return isBelowNorm ? belowNorm(assessment) : assessment
  },
}

const belowNorm = (assessment: Assessment) => refer(assessment, 'Living expenses below the norm: check the signed disclosure.')

function payFields(rules: RuleReader): readonly FieldView[] {
  if (rules.text('method') === 'norms') return normFields
  const isBasic = rules.text('method') === 'basic'
  return [
    ...(isBasic ? [moneyField('basicPay', 'Basic pay', { required: true })] : []),
    ...(rules.has('deductionsShare')
      ? [moneyField('grossPay', 'Gross pay', { help: 'Left empty: the limit on all deductions is not checked' })]
      : []),
    moneyField('netPay', 'Net pay', { required: true, help: 'As on the payslip, after all deductions' }),
  ]
}

/** The maximum deduction: net pay less the protected part less the buffer, and within the limit of all deductions. */
function fromPayslip(job: Job): Decimal {
  const { inputs, rules, trace } = job
  const net = withSettled(job, inputs.amount('netPay'))
  const isBasic = rules.text('method') === 'basic'
  const base = isBasic ? inputs.amount('basicPay') : inputs.amount('netPay')
  const share = rules.share('floorShare')
  const floor = trace.note({
    label: 'Pay that must stay',
    formula: `${isBasic ? 'basic' : 'net'} pay × ${share.text}`,
    figures: `${shown(base)} × ${share.text}`,
    value: share.of(base),
    uses: ['floorShare', 'method'],
  })
  const room = affordable(job, {
    label: 'net pay − pay that must stay − buffer',
    amount: trace.note({
      label: 'Net pay above it',
      formula: 'net pay − pay that must stay',
      figures: `${shown(net)} − ${shown(floor)}`,
      value: net.minus(floor),
    }),
    buffer: rules.amount('buffer'),
  })
  return withinDeductions(job, { net, room })
}

function withinDeductions({ inputs, rules, trace }: Job, { net, room }: { net: Decimal; room: Decimal }): Decimal {
  if (!rules.has('deductionsShare') || !inputs.has('grossPay')) return room
  const gross = inputs.amount('grossPay')
  const share = rules.share('deductionsShare')
  const left = trace.note({
    label: 'Room under the limit of all deductions',
    formula: `gross pay × ${share.text} − deductions made already`,
    figures: `${shown(gross)} × ${share.text} − (${shown(gross)} − ${shown(net)})`,
    value: roundMoney(atLeastZero(share.of(gross).minus(gross.minus(net)))),
    uses: ['deductionsShare'],
  })
  return trace.note({
    label: 'Affordable a month',
    formula: 'the lesser of both limits',
    figures: `min(${shown(room)}; ${shown(left)})`,
    value: smallest(room, left),
  })
}

/** Deductions that the new loan settles become available again. */
function withSettled({ inputs, trace }: Job, amount: Decimal): Decimal {
  const ended = inputs.amount('settledDeductions')
  if (ended.isZero()) return amount
  return trace.note({
    label: 'With the deductions this loan ends',
    formula: 'amount + deductions that end',
    figures: `${shown(amount)} + ${shown(ended)}`,
    value: amount.plus(ended),
  })
}
