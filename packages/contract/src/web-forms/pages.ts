import { z } from 'zod'
import { answerPatterns, formLimits, questionKinds, type FormPage } from './form.ts'

const key = z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/, 'is no key: a small letter, then letters and digits')
const day = z.iso.date('is not a date (YYYY-MM-DD)')
/** Text that Postgres can hold. */
const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `may hold ${most} characters at most`)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), 'holds a character that cannot be stored')
const bound = z.number().min(-999_999_999_999).max(999_999_999_999)

const condition = z.strictObject({
  question: key,
  is: z.enum(['equal', 'different', 'filled', 'empty']),
  value: z.union([text(500), z.number(), z.boolean()]).optional(),
})
const question = z.strictObject({
  key,
  kind: z.enum(questionKinds),
  label: text(120),
  help: text(300).optional(),
  required: z.boolean().optional(),
  min: bound.optional(),
  max: bound.optional(),
  maxLength: z.int().min(1).max(10_000).optional(),
  pattern: z.enum(answerPatterns).optional(),
  earliest: day.optional(),
  latest: day.optional(),
  options: z
    .array(z.strictObject({ value: text(60), label: text(120) }))
    .max(formLimits.options)
    .optional(),
  showWhen: condition.optional(),
})
const page = z.strictObject({
  key,
  title: text(120),
  hint: text(500).optional(),
  questions: z.array(question).max(formLimits.questions),
  showWhen: condition.optional(),
})

/** The pages of a form. What contradicts itself in them says rules/forms. */
export const formPages = z.array(page).max(formLimits.pages) as z.ZodType<FormPage[]>
