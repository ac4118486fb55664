import { trimPhone } from '@outpost/rules/phone'
import { idNumberLength, isEmail, isFirstName, isIdNumber, isPersonName } from '@outpost/rules/validation'
import { z } from 'zod'

// The content policy forbids code made from text, and zod's mere asking whether it may is reported as a breach.
z.config({ jitless: true })

export type StepKey = 'person' | 'contact' | 'employment' | 'address' | 'affordability' | 'consent'
export type StepValues = Record<string, unknown>
export type WizardData = Partial<Record<StepKey, StepValues>>

export interface StepField {
  name: string
  label: string
  kind: 'text' | 'phone' | 'email' | 'money' | 'number' | 'choice'
  isNeeded?: boolean
  help?: string
  autoComplete?: string
  options?: readonly string[]
}
export interface StepDefinition {
  key: StepKey
  title: string
  hint: string
  fields: readonly StepField[]
}

const text = (name: string, label: string, more: Partial<StepField> = {}): StepField => ({ name, label, kind: 'text', ...more })
const money = (name: string, label: string, more: Partial<StepField> = {}): StepField => ({ name, label, kind: 'money', ...more })

/** The six steps of digital onboarding, in their order; keys and field names are those of the call that ends it. */
export const steps: readonly StepDefinition[] = [
  {
    key: 'person',
    title: 'Person',
    hint: 'Who is applying? Use the names as the identity document writes them.',
    fields: [
      text('firstName', 'First name', { isNeeded: true, autoComplete: 'off' }),
      text('lastName', 'Last name', { isNeeded: true, autoComplete: 'off' }),
      text('idNumber', 'ID number', { help: 'Digits only' }),
      { name: 'type', label: 'Type of client', kind: 'choice', options: ['Individual', 'Civil servant', 'Log book', 'SME'] },
    ],
  },
  {
    key: 'contact',
    title: 'Contact',
    hint: 'The consent request goes to this phone.',
    fields: [
      { name: 'phonenumber', label: 'Phone', kind: 'phone', isNeeded: true, help: 'A leading 0 and 9 digits, or an international number' },
      { name: 'emailAddress', label: 'E-mail', kind: 'email' },
      { name: 'contactNumber', label: 'Other phone', kind: 'phone' },
    ],
  },
  {
    key: 'employment',
    title: 'Employment',
    hint: 'Income a month, as the payslip shows it.',
    fields: [
      text('employer', 'Employer'),
      text('empNumber', 'Employee number'),
      money('grossIncome', 'Gross income'),
      money('netIncome', 'Net income', { help: 'What reaches the account' }),
    ],
  },
  {
    key: 'address',
    title: 'Address',
    hint: 'Where the client lives.',
    fields: [
      text('lineone', 'Street'),
      text('city', 'Town'),
      text('state', 'Province or county'),
      text('postcode', 'Postcode'),
      text('country', 'Country'),
    ],
  },
  {
    key: 'affordability',
    title: 'Affordability',
    hint: 'Basics for a first look; the full assessment follows.',
    fields: [
      money('livingExpenses', 'Living expenses a month'),
      money('existingObligations', 'Existing instalments a month'),
      money('requestedAmount', 'Amount asked for'),
      { name: 'termMonths', label: 'Months', kind: 'number', help: '1 to 120' },
    ],
  },
  { key: 'consent', title: 'Consent and confirm', hint: 'Read it through with the client, then send.', fields: [] },
]

const phoneRule = 'A phone number is 0 and 9 digits, or + with the country code.'
const optional = (most: number) => z.string().trim().max(most, `At most ${most} characters.`).nullish().or(z.literal(''))
const amount = z.number('Enter an amount.').min(0, 'Not below 0.').max(999_999_999, 'This is too much.').nullish()
const phone = (country: string) =>
  z
    .string()
    .trim()
    .refine((value) => trimPhone(value, country) !== null, phoneRule)

/** One schema a step. What a step accepts, the server accepts; only duplicates need the server. */
export function schemaOf(key: StepKey, country: string): z.ZodType {
  switch (key) {
    case 'person':
      return z.object({
        firstName: z
          .string('Enter the first name.')
          .trim()
          .min(1, 'Enter the first name.')
          .refine(isFirstName, '1 to 20 letters, no digits or special symbols.'),
        lastName: z
          .string('Enter the last name.')
          .trim()
          .min(1, 'Enter the last name.')
          .refine(isPersonName, '1 to 60 letters, no digits or special symbols.'),
        idNumber: optional(20).refine(
          (value) => !value || isIdNumber(value, country),
          `An ID number has ${idNumberLength(country).words}.`,
        ),
        type: optional(40),
      })
    case 'contact':
      return z.object({
        phonenumber: z.string('Enter the phone number.').min(1, 'Enter the phone number.').pipe(phone(country)),
        emailAddress: optional(254).refine((value) => !value || isEmail(value), 'An e-mail address looks like name@example.com.'),
        contactNumber: z.union([z.literal(''), z.null(), phone(country)], phoneRule).optional(),
      })
    case 'employment':
      return z
        .object({ employer: optional(120), empNumber: optional(40), grossIncome: amount, netIncome: amount })
        .refine(({ grossIncome, netIncome }) => !grossIncome || !netIncome || netIncome <= grossIncome, {
          path: ['netIncome'],
          message: 'Net income is above gross income.',
        })
    case 'address':
      return z.object({ lineone: optional(120), city: optional(80), state: optional(80), postcode: optional(12), country: optional(60) })
    case 'affordability':
      return z.object({
        livingExpenses: amount,
        existingObligations: amount,
        requestedAmount: amount,
        termMonths: z.int('Enter whole months.').min(1, 'At least 1 month.').max(120, 'At most 120 months.').nullish(),
      })
    case 'consent':
      return z.object({})
  }
}

export interface StepError {
  field: string
  message: string
}

/** What is wrong with the values of a step, by field; nothing when it is right. */
export function checkStep(key: StepKey, values: StepValues, country: string): StepError[] {
  const result = schemaOf(key, country).safeParse(values)
  if (result.success) return []
  const seen = new Set<string>()
  return result.error.issues.flatMap(({ path, message }) => {
    const field = String(path[0] ?? '')
    if (seen.has(field)) return []
    seen.add(field)
    return [{ field, message }]
  })
}

/** What is left of the net income a month; null while income is not known. */
export function leftOver({ employment = {}, affordability = {} }: WizardData): number | null {
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  if (typeof employment.netIncome !== 'number') return null
  return employment.netIncome - number(affordability.livingExpenses) - number(affordability.existingObligations)
}
