import type { LoanTerms } from '@outpost/contract/lending'
import { creditTypes } from '@outpost/rules/products/product-terms'
import { optionalNumber } from '@outpost/contract/input'
import { z } from 'zod'
import { addComment, type CommentInput } from '../../kernel/keeps/comments.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { refuseUsersBeyondReach } from '../../kernel/session/reach.ts'
import type { ActionDefinition, AnyResource, Answer, Ctx } from '../../kernel/types.ts'
import { creditTypeOf } from './loan.caps.ts'
import { createLoan, mayDecideOn } from './loan.create.ts'
import { methods } from './loan.methods.ts'

const amount = z.union([z.string().regex(/^\d{1,15}(\.\d{1,2})?$/, 'is not an amount'), z.number().positive()])
const decimal = z.union([z.string(), z.number()]).transform(String)
export const newLoanInput = z.strictObject({
  clientId: idSchema,
  principal: amount,
  /** Whole terms, checked with their own schema so that a wrong one is named as terms.<field>; or what is usual, by the fields below. */
  terms: z.record(z.string(), z.unknown()).optional(),
  method: z.string().nullish(),
  annualRate: decimal.nullish(),
  instalments: optionalNumber(z.int()),
  unit: z.string().nullish(),
  /** What it is by law: caps on its cost go by it. */
  creditType: z.string().nullish(),
  productName: z.string().trim().max(120).nullable().optional(),
  officerUserId: idSchema.nullable().optional(),
})

type UsualInput = Pick<z.infer<typeof newLoanInput>, 'method' | 'annualRate' | 'instalments' | 'unit'>
/** Terms as they are usual where no product says them; createLoan checks them. */
export const usualTerms = ({ company }: Ctx, { method, annualRate, instalments, unit }: UsualInput): LoanTerms =>
  ({
    currency: company.currency,
    method: method ?? 'declining',
    annualRate: annualRate ?? '',
    dayCount: 'equalPeriods',
    every: { unit: unit ?? 'month', count: 1 },
    instalments: instalments ?? 0,
    brokenPeriod: 'ignore',
    graceOnPrincipal: 0,
    graceOnInterest: 0,
    fees: [],
    allocation: ['penalty', 'fee', 'interest', 'principal'],
    dueOnHoliday: 'next',
  }) as unknown as LoanTerms

/** Opens a loan account for a client. */
export async function newLoan(
  ctx: Ctx,
  { terms, method, annualRate, instalments, unit, creditType, ...input }: z.infer<typeof newLoanInput>,
): Promise<Answer> {
  await mayDecideOn(ctx, input.principal)
  if (input.officerUserId) await refuseUsersBeyondReach(ctx, [input.officerUserId], 'officerUserId')
  const record = await createLoan(ctx, {
    ...input,
    creditType: creditTypeOf(creditType ?? 'unsecured'),
    terms: terms ? (terms as unknown as LoanTerms) : usualTerms(ctx, { method, annualRate, instalments, unit }),
    prefix: terms ? 'terms.' : '',
  })
  return { data: { loan: record }, message: 'Loan account opened' }
}

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
/** What a form asks of terms that are usual. */
export const usualTermFields = {
  creditType: {
    kind: 'choice',
    label: 'Kind of credit',
    required: true,
    defaultValue: 'unsecured',
    options: [...creditTypes],
    help: 'By law: caps on its cost go by it',
  },
  method: {
    kind: 'choice',
    label: 'Method',
    required: true,
    defaultValue: 'declining',
    // A balloon needs an amount of its own.
    options: methods.filter(({ value }) => value !== 'balloon'),
  },
  annualRate: { kind: 'number', label: 'Rate a year (%)', required: true, min: 0, max: 1_000 },
  instalments: { kind: 'number', label: 'Instalments', required: true, min: 1, max: 600 },
  unit: { kind: 'choice', label: 'Every', required: true, defaultValue: 'month', options: options({ month: 'Month', week: 'Week' }) },
} satisfies ActionDefinition['form']

/** Opens a loan without an application, at the usual terms. */
export const openLoanAction: ActionDefinition = {
  route: 'loans.create',
  label: 'Open a loan',
  scope: 'page',
  form: {
    clientId: { kind: 'reference', label: 'Client', to: 'client', required: true },
    principal: { kind: 'money', label: 'Principal', required: true },
    ...usualTermFields,
  },
}

/** Adds a comment to a record that opens at a screen. */
export const commentOn =
  (resource: AnyResource, open: string) =>
  async (ctx: Ctx, input: CommentInput): Promise<Answer> => {
    const { comment } = await addComment(ctx, resource, input, { open })
    return { data: { comment }, message: 'Comment added' }
  }
