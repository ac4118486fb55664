import { allocationOrders } from '@outpost/rules/products/product-terms'
import { termWords } from '@outpost/rules/products/term-words'
import type { FieldDefinition } from '../../../kernel/types.ts'

/** Read from the terms that the loan was agreed at, which later versions of its product leave as they are. */
const term = { readOnly: true, detailOnly: true } as const
const at = (...path: readonly string[]) => `t."terms" #>> '{${path.join(',')}}'`
const insuranceKinds = [...termWords.insuranceKind, { value: 'amount', label: 'An amount, spread over the instalments' }]

/** The terms of a loan as its page says them: why it asks what it asks. */
export const termFields = {
  everyUnit: { ...term, kind: 'choice', label: 'Instalments by', sql: at('every', 'unit'), options: termWords.everyUnit },
  everyCount: { ...term, kind: 'number', label: 'Every so many', sql: `(${at('every', 'count')})::int` },
  dayCount: { ...term, kind: 'choice', label: 'Day count', sql: at('dayCount'), options: termWords.dayCount },
  brokenPeriod: {
    ...term,
    kind: 'choice',
    label: 'First period that is not whole',
    sql: at('brokenPeriod'),
    options: termWords.brokenPeriod,
  },
  graceOnPrincipal: { ...term, kind: 'number', label: 'First instalments without principal', sql: `(${at('graceOnPrincipal')})::int` },
  graceOnInterest: { ...term, kind: 'number', label: 'First instalments without interest', sql: `(${at('graceOnInterest')})::int` },
  balloon: { ...term, kind: 'money', label: 'Balloon at the end', currency: 'company', sql: `(${at('balloon')})::numeric` },
  dueOnHoliday: { ...term, kind: 'choice', label: 'Due on a holiday', sql: at('dueOnHoliday'), options: termWords.dueOnHoliday },
  allocation: {
    ...term,
    kind: 'choice',
    label: 'A payment settles',
    sql: `(select string_agg(a.part, ',' order by a.place) from jsonb_array_elements_text(t."terms" -> 'allocation') with ordinality a(part, place))`,
    options: [...allocationOrders],
  },
  penaltyKind: {
    ...term,
    kind: 'choice',
    label: 'Penalty',
    sql: `coalesce(${at('penalty', 'kind')}, 'none')`,
    options: termWords.penaltyKind,
  },
  penaltyAmount: { ...term, kind: 'number', label: 'Penalty, amount or percent', sql: `(${at('penalty', 'amount')})::numeric` },
  penaltyPer: { ...term, kind: 'choice', label: 'Penalty for each', sql: at('penalty', 'per'), options: termWords.penaltyPer },
  penaltyGraceDays: { ...term, kind: 'number', label: 'Days without penalty', sql: `(${at('penalty', 'graceDays')})::int` },
  penaltyInDuplum: {
    ...term,
    kind: 'boolean',
    label: 'Penalties stop in duplum',
    sql: `coalesce((${at('penalty', 'inDuplum')})::boolean, false)`,
  },
  insuranceKind: {
    ...term,
    kind: 'choice',
    label: 'Insurance',
    sql: `coalesce(${at('insurance', 'kind')}, 'none')`,
    options: insuranceKinds,
  },
  insuranceRate: { ...term, kind: 'number', label: 'Insurance rate', sql: `(${at('insurance', 'rate')})::numeric` },
} as const satisfies Record<string, FieldDefinition>

/** Their section on the page of a loan. */
export const termsSection = {
  title: 'Terms',
  rows: [
    ['everyUnit', 'everyCount'],
    ['dayCount', 'brokenPeriod'],
    ['graceOnPrincipal', 'graceOnInterest'],
    ['dueOnHoliday', 'roundTo'],
    ['allocation', 'balloon'],
    ['penaltyKind', 'penaltyAmount'],
    ['penaltyPer', 'penaltyGraceDays'],
    ['penaltyInDuplum'],
    ['insuranceKind', 'insuranceRate'],
  ],
}
