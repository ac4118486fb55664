import { z } from 'zod'

/** An amount or percent as text: digits, at most six decimals. Never a binary number. */
export const decimalText = z.string().regex(/^\d{1,15}(\.\d{1,6})?$/, 'is not a number of at most six decimals')

const loanFee = z.strictObject({
  name: z.string().trim().min(1).max(60),
  kind: z.enum(['flat', 'percentOfPrincipal']),
  /** Money, or percent of the amount lent. */
  amount: decimalText,
  /** Kept back from the payout, added to the principal, or asked with every instalment. */
  due: z.enum(['deducted', 'financed', 'perInstalment']),
})
const loanPenalty = z.strictObject({
  kind: z.enum(['flat', 'percentOfOverdue']),
  amount: decimalText,
  per: z.enum(['month', 'instalment']),
  graceDays: z.number().int().min(0).max(365),
  /** No penalty once what accrued in arrears is as much as the principal that was unpaid when they began. */
  inDuplum: z.boolean().optional(),
})
const loanInsurance = z.strictObject({
  /** Per mille of what is owed before each instalment; or percent of the amount lent, or an amount, spread over the instalments. */
  kind: z.enum(['perMilleOfBalance', 'percentOfPrincipal', 'amount']),
  rate: decimalText,
})
export const allocationParts = ['penalty', 'fee', 'interest', 'principal'] as const
export type AllocationPart = (typeof allocationParts)[number]

const terms = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, 'is not a currency code'),
  method: z.enum(['declining', 'flat', 'equalPrincipal', 'interestOnly', 'balloon']),
  /** Percent a year. */
  annualRate: decimalText.refine((rate) => Number(rate) <= 1_000, 'may be 1000 at most'),
  dayCount: z.enum(['equalPeriods', 'actual/365', 'actual/360', '30/360']),
  every: z.strictObject({ unit: z.enum(['week', 'month']), count: z.number().int().min(1).max(52) }),
  instalments: z.number().int().min(1).max(600),
  /** YYYY-MM-DD; left out, one period after the payout. */
  firstDueAt: z.iso.date().optional(),
  /** Days of the first period beyond or short of a whole one: charged, or not. */
  brokenPeriod: z.enum(['ignore', 'charge']),
  /** First instalments without principal. */
  graceOnPrincipal: z.number().int().min(0).max(120),
  /** First instalments without interest; it is held over, without interest on it, to the first one after them. */
  graceOnInterest: z.number().int().min(0).max(120),
  /** Method balloon: principal left for the end of the last instalment. */
  balloon: decimalText.optional(),
  fees: z.array(loanFee).max(20),
  penalty: loanPenalty.optional(),
  insurance: loanInsurance.optional(),
  /** Instalments are rounded to a multiple of it; left out, to the smallest unit of the currency. */
  roundTo: decimalText.refine((step) => Number(step) > 0, 'must be more than 0').optional(),
  /** In which order a payment settles what is due, the oldest instalment first. */
  allocation: z.array(z.enum(allocationParts)).length(4),
  dueOnHoliday: z.enum(['keep', 'next', 'previous']),
})

/** What a loan was agreed at. Amounts, rates and percents are decimal text, days YYYY-MM-DD. */
export type LoanTerms = z.infer<typeof terms>

/** The terms as a body or a stored document holds them; what contradicts itself is refused with its field. */
export const loanTerms = terms.superRefine((value, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (new Set(value.allocation).size !== allocationParts.length) refuse('allocation', 'must name each part once')
  if (value.graceOnPrincipal > 0 && value.graceOnPrincipal >= value.instalments)
    refuse('graceOnPrincipal', 'must be less than the instalments')
  if (value.graceOnInterest > 0 && value.graceOnInterest >= value.instalments)
    refuse('graceOnInterest', 'must be less than the instalments')
  if (value.method === 'balloon' && value.balloon === undefined) refuse('balloon', 'is required by this method')
  if (value.method !== 'balloon' && value.balloon !== undefined) refuse('balloon', 'belongs to the method balloon')
})
