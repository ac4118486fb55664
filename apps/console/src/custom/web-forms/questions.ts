import type { FieldView } from '@outpost/contract/fields'
import type { Answers, FormPage, FormSubject, Question, QuestionKind } from '@outpost/contract/web-forms/form'
import { longest } from '@outpost/rules/forms/form-faults'
import { pathOf } from '../../data/calls.ts'
import { fieldKindView } from '../../view/fields/index.ts'

/** The name of a question among the fields of a form: no other field has one like it. */
export const fieldKey = (question: Pick<Question, 'key'>): string => `q_${question.key}`

const yesNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** A question as a field of the console. Yes or no is a choice, for not answered is neither. */
export function fieldOf(question: Question): FieldView {
  const { kind, label, help, required, min, max, options } = question
  const isText = kind === 'text' || kind === 'longText'
  return {
    key: fieldKey(question),
    kind: kind === 'boolean' ? 'choice' : kind,
    label,
    ...(help ? { help } : {}),
    ...(required ? { required } : {}),
    ...(min !== undefined && kind !== 'multiChoice' ? { min } : {}),
    ...(max !== undefined && !isText && kind !== 'multiChoice' ? { max } : {}),
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
      const { toWire } = fieldKindView(field.kind)
      return [question.key, value !== null && toWire ? toWire(value, field) : value] as const
    })
  return Object.fromEntries(given.filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)))
}

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
}
export const subjectLabels: Record<FormSubject, string> = {
  nothing: 'Nothing else',
  lead: 'A lead',
  client: 'A client',
  activity: 'An activity',
}
