import { z } from 'zod'

/** What a question of a web form may ask for. Each is a kind of field of the console too. */
export const questionKinds = [
  'text',
  'longText',
  'number',
  'money',
  'date',
  'choice',
  'multiChoice',
  'boolean',
  'phone',
  'email',
  'location',
] as const
export type QuestionKind = (typeof questionKinds)[number]

/** What the text of an answer may consist of. */
export const answerPatterns = ['digits', 'letters', 'lettersAndDigits', 'idNumber'] as const
export type AnswerPattern = (typeof answerPatterns)[number]

/** What a form is filled in about: nothing beside itself, or one record. */
export const formSubjects = ['nothing', 'lead', 'client', 'activity'] as const
export type FormSubject = (typeof formSubjects)[number]

/** How many parts a form may have. */
export const formLimits = { pages: 20, questions: 200, options: 100 } as const

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
  /** Key of an earlier question. */
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
  /** Of numbers and money: the bounds; of texts: the fewest characters; of several choices: how many. */
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
export const formPages = z.array(page).max(formLimits.pages)

export type FormCondition = z.infer<typeof condition>
export type Question = z.infer<typeof question>
export type FormPage = z.infer<typeof page>
export type Answers = Readonly<Record<string, unknown>>
