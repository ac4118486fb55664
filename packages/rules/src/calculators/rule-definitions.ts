import type { Option, FieldView } from '@outpost/contract/fields'
import type { RuleDefinition, RuleSet } from './types.ts'

/** Rules of every loan calculator: its limits, its costs and the cap on its rate. */
export const loanRules: readonly RuleDefinition[] = [
  { key: 'minLoan', label: 'Smallest loan', kind: 'money', optional: true },
  { key: 'maxLoan', label: 'Largest loan', kind: 'money', optional: true },
  { key: 'maxTermMonths', label: 'Longest term in months', kind: 'number', optional: true, min: 1, max: 360 },
  { key: 'defaultTermMonths', label: 'Term suggested', kind: 'number', optional: true, min: 1, max: 360 },
  { key: 'defaultRate', label: 'Interest a month suggested', kind: 'percent', optional: true },
  { key: 'serviceFeeMax', label: 'Highest monthly service fee', kind: 'money', optional: true },
  { key: 'creditLifeMax', label: 'Highest credit life premium per 1,000 a month', kind: 'money', optional: true },
  { key: 'initiationBase', label: 'Initiation fee: base', kind: 'money', optional: true, help: 'Empty: no initiation fee' },
  { key: 'initiationThreshold', label: 'Initiation fee: percent above', kind: 'money', optional: true },
  { key: 'initiationPercent', label: 'Initiation fee: percent', kind: 'percent', optional: true },
  { key: 'initiationMax', label: 'Initiation fee: maximum', kind: 'money', optional: true },
  { key: 'initiationShareCap', label: 'Initiation fee: at most this share of the loan', kind: 'percent', optional: true },
  { key: 'vatOnFees', label: 'VAT on fees', kind: 'percent', optional: true },
  {
    key: 'referenceRate',
    label: 'Reference rate of the central bank',
    kind: 'percent',
    optional: true,
    help: 'Empty: the cap on the interest rate is not checked',
  },
  { key: 'rateMargin', label: 'Interest cap: points above the reference rate', kind: 'percent', optional: true },
]

const norms: RuleDefinition = {
  key: 'norms',
  label: 'Least living expenses by gross income',
  kind: 'bands',
  methods: ['norms'],
  optional: true,
  help: 'Bands as [{"from": 0, "factor": 0, "percent": 100}, …]',
}
const buffer: RuleDefinition = { key: 'buffer', label: 'Buffer left to the client a month', kind: 'money' }

export const csRules: readonly RuleDefinition[] = [
  {
    key: 'method',
    label: 'What the client must keep',
    kind: 'choice',
    options: [
      { value: 'basic', label: 'A share of basic pay' },
      { value: 'net', label: 'A share of net pay' },
      { value: 'norms', label: 'Living expenses, at least the norm' },
    ],
  },
  { key: 'floorShare', label: 'Share of pay that stays', kind: 'share', methods: ['basic', 'net'], optional: true },
  { key: 'deductionsShare', label: 'Highest share of gross pay deducted', kind: 'share', methods: ['basic', 'net'], optional: true },
  norms,
  buffer,
  ...loanRules,
]

export const lbfRules: readonly RuleDefinition[] = [
  {
    key: 'method',
    label: 'How income is judged',
    kind: 'choice',
    options: [
      { value: 'expenses', label: 'Net income less expenses' },
      { value: 'norms', label: 'Living expenses, at least the norm' },
    ],
  },
  norms,
  buffer,
  { key: 'fsvShare', label: 'Forced-sale value when not assessed, share of market value', kind: 'share' },
  { key: 'ltv', label: 'Loan to forced-sale value, older vehicles', kind: 'percent', max: 100 },
  { key: 'ltvNewer', label: 'Loan to forced-sale value, newer vehicles', kind: 'percent', max: 100 },
  { key: 'newerFromYear', label: 'Newer vehicles: from model year', kind: 'number' },
  { key: 'haircut', label: 'Haircut on the forced-sale value', kind: 'percent', max: 100 },
  { key: 'searchCost', label: 'Log book search', kind: 'money', optional: true },
  { key: 'minRepaidShare', label: 'Refinance after this share of the term', kind: 'share' },
  { key: 'quickcashCap', label: 'Quickcash: highest overdraft', kind: 'money', optional: true },
  ...loanRules,
]

export const smeRules: readonly RuleDefinition[] = [
  { key: 'minDscr', label: 'Least debt service cover (DSCR)', kind: 'number', min: 0.1, max: 100 },
  { key: 'referDscr', label: 'Cover below which somebody decides', kind: 'number', optional: true },
  { key: 'seasonMonths', label: 'Months of the weakest season', kind: 'number', min: 1, max: 12 },
  ...loanRules,
]

export const premiumRules: readonly RuleDefinition[] = [
  { key: 'premiumRate', label: 'Premium a year, percent of the insured value', kind: 'percent' },
  { key: 'minPremium', label: 'Least premium a year', kind: 'money' },
  { key: 'levies', label: 'Levies, percent of the premium', kind: 'percent' },
  { key: 'stamp', label: 'Stamp duty', kind: 'money' },
  { key: 'maxTermMonths', label: 'Longest term in months', kind: 'number', optional: true, min: 1, max: 360 },
  { key: 'defaultTermMonths', label: 'Term suggested', kind: 'number', optional: true, min: 1, max: 360 },
  { key: 'defaultRate', label: 'Interest a month suggested', kind: 'percent', optional: true },
]

type Sources = Readonly<Record<string, string>>
const kinds = { money: 'money', percent: 'percent', number: 'number', share: 'text', choice: 'choice', bands: 'json' } as const

/** The field of a form that enters a figure, filled with the one in force. */
export function ruleField(
  { key, label, kind, options, optional, min, max, help, methods }: RuleDefinition,
  inForce: RuleSet,
  sources: Sources,
): FieldView {
  const value = inForce.values[key]
  const isUnverified = inForce.unverified.some((one) => one.split('.')[0] === key)
  const words = [
    help,
    kind === 'share' ? 'A fraction such as 1/3, or 0.4' : undefined,
    isUnverified ? 'Not confirmed yet' : sources[key],
  ].filter((part) => part !== undefined)
  return {
    key,
    kind: kinds[kind],
    label,
    required: !optional,
    ...(value === null || value === undefined ? {} : { defaultValue: value }),
    ...(options ? { options: [...options] } : {}),
    ...(methods ? { visibleIf: { in: ['method', [...methods]] } } : {}),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? (kind === 'percent' ? { max: 1_000 } : {}) : { max }),
    ...(words.length > 0 ? { help: words.join('. ') } : {}),
  }
}

/** The figures somebody may confirm: those without a source, and those of a source that are changed. */
export function confirmable(rules: readonly RuleDefinition[], { unverified }: RuleSet, sources: Sources): Option[] {
  const keys = new Set([...unverified.map((key) => key.split('.')[0]), ...Object.keys(sources)])
  return rules.filter(({ key }) => keys.has(key)).map(({ key, label }) => ({ value: key, label }))
}
