import type { FieldView } from '@outpost/contract/fields'
import type { Answers, FormPage, FormSubject, Question, QuestionKind } from '@outpost/contract/web-forms/form'
import { holdsFiles, longest } from '@outpost/rules/forms/form-faults'
import { pathOf } from '../../data/calls.ts'
import { fieldKindView } from '../../view/fields/index.ts'

/** The name of a question among the fields of a form: no other field has one like it. */
export const fieldKey = (question: Pick<Question, 'key'>): string => `q_${question.key}`

const yesNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

function kindOf(kind: QuestionKind): FieldView['kind'] {
  if (kind === 'boolean') return 'choice'
  return kind === 'photo' || kind === 'file' || kind === 'signature' ? 'json' : kind
}

/** A question as a field of the console. Yes or no is a choice, for not answered is neither; files have inputs of their own. */
export function fieldOf(question: Question): FieldView {
  const { kind, label, help, required, min, max, options } = question
  const isText = kind === 'text' || kind === 'longText'
  const isCounted = kind === 'multiChoice' || holdsFiles(question)
  return {
    key: fieldKey(question),
    kind: kindOf(kind),
    label,
    ...(help ? { help } : {}),
    ...(required ? { required } : {}),
    ...(min !== undefined && !isCounted ? { min } : {}),
    ...(max !== undefined && !isText && !isCounted ? { max } : {}),
    ...(isText ? { maxLength: question.maxLength ?? longest(question) } : {}),
    ...(kind === 'boolean' ? { options: yesNo } : options ? { options: [...options] } : {}),
    ...(kind === 'money' ? { currency: 'company' } : {}),
  }
}

/** What the fields of a form hold, as answers to its questions; what is empty is left out. */
export function answersOf(pages: readonly FormPage[], record: Readonly<Record<string, unknown>>): Answers {
  const given = pages
    .flatMap(({ questions }) => questions)
    .map((question) => {
      const field = fieldOf(question)
      const value = record[field.key] ?? null
      const toWire = holdsFiles(question) ? undefined : fieldKindView(field.kind).toWire
      return [question.key, value !== null && toWire ? toWire(value, field) : value] as const
    })
  return Object.fromEntries(given.filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)))
}

/** Answers as the fields of a form hold them. */
export const recordOf = (pages: readonly FormPage[], answers: Answers): Record<string, unknown> =>
  Object.fromEntries(
    pages.flatMap(({ questions }) =>
      questions
        .filter(({ key }) => Object.hasOwn(answers, key))
        .map((question) => [fieldKey(question), question.kind === 'boolean' ? String(answers[question.key]) : answers[question.key]]),
    ),
  )

/** The record that a form is about, as a field of it. */
export const subjectFields: Partial<Record<FormSubject, () => FieldView>> = {
  lead: () => referenceTo({ key: 'leadId', label: 'Lead', to: 'lead', path: pathOf('leads.list'), many: 'leads', labelKey: 'fullName' }),
  client: () =>
    referenceTo({ key: 'clientId', label: 'Client', to: 'client', path: pathOf('clients.list'), many: 'clients', labelKey: 'fullName' }),
  activity: () =>
    referenceTo({
      key: 'activityId',
      label: 'Activity',
      to: 'activity',
      path: pathOf('activities.list'),
      many: 'activities',
      labelKey: 'name',
    }),
}

interface Target {
  key: string
  label: string
  to: string
  path: string
  many: string
  labelKey: string
}
const referenceTo = ({ key, label, ...reference }: Target): FieldView => ({
  key,
  kind: 'reference',
  label,
  required: true,
  reference: { ...reference, idKey: 'Id' },
})

export const kindLabels: Record<QuestionKind, string> = {
  text: 'Text',
  longText: 'Long text',
  number: 'Number',
  money: 'Money',
  date: 'Date',
  choice: 'One of a list',
  multiChoice: 'Several of a list',
  boolean: 'Yes or no',
  phone: 'Phone',
  email: 'E-mail',
  location: 'Place',
  photo: 'Photo',
  file: 'File',
  signature: 'Signature',
}
export const subjectLabels: Record<FormSubject, string> = {
  nothing: 'Nothing else',
  lead: 'A lead',
  client: 'A client',
  activity: 'An activity',
}
