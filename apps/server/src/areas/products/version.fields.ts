import { allocationOrders, creditTypes, feeRoles, roundings } from '@outpost/rules/products/product-terms'
import { termWords } from '@outpost/rules/products/term-words'
import { calculators } from '@outpost/rules/calculators/index'
import { defineResource } from '../../kernel/resource/define.ts'
import type { FieldDefinition } from '../../kernel/types.ts'

const of = (...options: readonly (readonly [value: string, label: string])[]) => options.map(([value, label]) => ({ value, label }))
/** A choice that begins with its first option. */
const choice = (label: string, options: readonly { value: string; label: string }[], more: Partial<FieldDefinition> = {}) =>
  ({ kind: 'choice', label, required: true, options, ...(options[0] ? { defaultValue: options[0].value } : {}), ...more }) as const
const count = (label: string, more: Partial<FieldDefinition> = {}) =>
  ({ kind: 'number', label, required: true, min: 0, max: 120, ...more }) as const

/** A fee as a line of a version. */
export const productFee = defineResource({
  model: 'productFee',
  one: 'productFee',
  many: 'productFees',
  label: 'Fee',
  labelMany: 'Fees',
  title: 'name',
  fields: {
    name: { kind: 'text', label: 'Fee', required: true, maxLength: 60 },
    role: choice('What it is for', [...feeRoles]),
    kind: choice('Counted', termWords.feeKind),
    amount: { kind: 'number', label: 'Amount or percent', required: true, min: 0, max: 1_000_000_000 },
    due: choice('Due', termWords.feeDue),
    position: { kind: 'number', label: 'Position', readOnly: true, detailOnly: true },
  },
  list: { columns: ['name', 'role', 'kind', 'amount', 'due'], sort: ['position', 'ASC'], size: 100 },
})

/** What a version says of the loan, as its form shows it. */
export const termFields = {
  creditType: choice('Kind of credit', [...creditTypes], { help: 'By law: caps on its cost go by it' }),
  method: choice(
    'Method',
    of(
      ['declining', 'Equal instalments'],
      ['flat', 'Flat interest'],
      ['equalPrincipal', 'Equal principal'],
      ['interestOnly', 'Interest only'],
      ['balloon', 'With a balloon'],
    ),
  ),
  annualRate: { kind: 'percent', label: 'Interest a year', required: true, min: 0, max: 1_000 },
  dayCount: choice('Day count', termWords.dayCount),
  everyUnit: choice('Instalments by', termWords.everyUnit),
  everyCount: count('Every so many', { min: 1, max: 52, defaultValue: 1 }),
  minAmount: { kind: 'money', label: 'Amount from', currency: 'company', required: true, min: 0.01, max: 999_999_999_999 },
  maxAmount: { kind: 'money', label: 'Amount to', currency: 'company', required: true, min: 0.01, max: 999_999_999_999 },
  minInstalments: count('Instalments from', { min: 1, max: 600 }),
  maxInstalments: count('Instalments to', { min: 1, max: 600 }),
  brokenPeriod: choice('First period that is not whole', termWords.brokenPeriod),
  graceOnPrincipal: count('First instalments without principal', { defaultValue: 0 }),
  graceOnInterest: count('First instalments without interest', { defaultValue: 0 }),
  balloonPercent: {
    kind: 'percent',
    label: 'Balloon, percent of the loan',
    min: 0,
    max: 100,
    visibleIf: { eq: ['method', 'balloon'] },
    requiredIf: { eq: ['method', 'balloon'] },
  },
  dueOnHoliday: choice('Due on a holiday', termWords.dueOnHoliday),
  instalmentRounding: choice('Instalments are rounded', [...roundings], {
    help: 'To the nearest multiple, fees and insurance within; the last one absorbs what that leaves. Where it is too coarse for a loan, to a tenth of it',
  }),
  allocation: choice('A payment settles', [...allocationOrders]),
  penaltyKind: choice('Penalty', termWords.penaltyKind),
  penaltyAmount: {
    kind: 'number',
    label: 'Penalty, amount or percent',
    min: 0,
    max: 1_000_000_000,
    visibleIf: { not: { eq: ['penaltyKind', 'none'] } },
    requiredIf: { not: { eq: ['penaltyKind', 'none'] } },
  },
  penaltyPer: choice('Penalty for each', termWords.penaltyPer, {
    visibleIf: { not: { eq: ['penaltyKind', 'none'] } },
  }),
  penaltyGraceDays: count('Days without penalty', { max: 365, defaultValue: 0, visibleIf: { not: { eq: ['penaltyKind', 'none'] } } }),
  penaltyInDuplum: {
    kind: 'boolean',
    label: 'Penalties stop in duplum',
    defaultValue: false,
    visibleIf: { not: { eq: ['penaltyKind', 'none'] } },
    help: 'Once interest, fees and penalties of the arrears are as much as the principal unpaid when they began',
  },
  insuranceKind: choice('Insurance', termWords.insuranceKind),
  insuranceRate: {
    kind: 'number',
    label: 'Insurance rate',
    min: 0,
    max: 1_000,
    visibleIf: { not: { eq: ['insuranceKind', 'none'] } },
    requiredIf: { not: { eq: ['insuranceKind', 'none'] } },
  },
  calculator: {
    kind: 'choice',
    label: 'Affordability by',
    options: Object.values(calculators)
      .filter(({ figures }) => figures.some(({ key }) => key === 'affordability'))
      .map(({ name, title }) => ({ value: name, label: title })),
    help: 'An application needs an assessment under the rules of this calculator. Empty: none is asked for',
  },
  papers: { kind: 'tags', label: 'Papers an application needs', maxLength: 60 },
  effectiveFrom: { kind: 'date', label: 'Offered from', required: true },
  effectiveUntil: { kind: 'date', label: 'Offered until' },
} as const satisfies Record<string, FieldDefinition>
