import type { FieldError } from '@outpost/contract/errors'
import { formLimits, type FormCondition, type FormPage, type Question } from '@outpost/contract/web-forms/form'

/** Kinds whose answers are one of a list, or several. */
export const isChosen = ({ kind }: Pick<Question, 'kind'>): boolean => kind === 'choice' || kind === 'multiChoice'
/** Kinds whose answers are files. */
export const holdsFiles = ({ kind }: Pick<Question, 'kind'>): boolean => kind === 'photo' || kind === 'file' || kind === 'signature'
/** Kinds of which a form says how many. */
const isCounted = ({ kind }: Question) => kind === 'multiChoice' || kind === 'photo' || kind === 'file'
const hasBounds = ({ kind }: Question) =>
  kind === 'number' || kind === 'money' || kind === 'multiChoice' || kind === 'photo' || kind === 'file'
const isText = ({ kind }: Question) => kind === 'text' || kind === 'longText'

/**
 * What contradicts itself in the pages of a form, by the path of the part (`pages.0.questions.2.label`), each in words with the name
 * of the question. None: the form can be filled in.
 */
export function formFaults(pages: readonly FormPage[]): FieldError[] {
  const faults: FieldError[] = []
  const earlier = new Map<string, Question>()
  const pageKeys = new Set<string>()
  const count = pages.reduce((sum, { questions }) => sum + questions.length, 0)
  if (count > formLimits.questions) faults.push({ field: 'pages', message: `A form may ask ${formLimits.questions} questions at most.` })
  for (const [pagePlace, page] of pages.entries()) {
    const at = `pages.${pagePlace}`
    const name = `Page ${pagePlace + 1}`
    const refuse = (field: string, message: string) => faults.push({ field: `${at}.${field}`, message: `${name}: ${message}` })
    if (page.title.trim() === '') refuse('title', 'it needs a title')
    if (pageKeys.has(page.key)) refuse('key', 'another page has its key')
    pageKeys.add(page.key)
    if (page.questions.length === 0) refuse('questions', 'it asks nothing')
    const wrong = page.showWhen && conditionFault(page.showWhen, earlier)
    if (wrong) refuse('showWhen', wrong)
    for (const [place, question] of page.questions.entries()) {
      for (const { field, message } of questionFaults(question, earlier))
        faults.push({ field: `${at}.questions.${place}.${field}`, message: `${nameOf(question, pagePlace, place)}: ${message}` })
      earlier.set(question.key, question)
    }
  }
  return faults
}

/** How people find a question: by its label, or by its place while it has none. */
const nameOf = ({ label }: Question, page: number, place: number) =>
  label.trim() === '' ? `Question ${place + 1} of page ${page + 1}` : `“${label.trim()}”`

function questionFaults(question: Question, earlier: ReadonlyMap<string, Question>): FieldError[] {
  const { label, key, min, max, maxLength, earliest, latest, showWhen } = question
  const faults: FieldError[] = []
  const refuse = (field: string, message: string) => faults.push({ field, message })
  if (label.trim() === '') refuse('label', 'it needs a label')
  if (earlier.has(key)) refuse('key', 'another question has its key')
  if (isChosen(question)) faults.push(...optionFaults(question))
  if (hasBounds(question) && min !== undefined && max !== undefined && min > max) refuse('max', 'the largest is under the smallest')
  if (isCounted(question) && [min, max].some((one) => one !== undefined && !(Number.isInteger(one) && one >= 0)))
    refuse('min', 'how many there may be is a whole number')
  if (holdsFiles(question) && [min, max].some((one) => one !== undefined && one > formLimits.files))
    refuse('max', `it may have ${formLimits.files} files at most`)
  if (holdsFiles(question) && max === 0) refuse('max', 'it may have no file at all')
  if (isText(question) && min !== undefined && !(Number.isInteger(min) && min >= 0))
    refuse('min', 'how many characters it needs is a whole number')
  if (isText(question) && min !== undefined && min > (maxLength ?? longest(question)))
    refuse('maxLength', 'the longest is under the shortest')
  if (earliest !== undefined && latest !== undefined && earliest > latest) refuse('latest', 'the last day is before the first')
  const wrong = showWhen && conditionFault(showWhen, earlier)
  if (wrong) refuse('showWhen', wrong)
  return faults
}

/** Characters of a text where the form says nothing. */
export const longest = ({ kind }: Pick<Question, 'kind'>): number => (kind === 'longText' ? 5_000 : 200)

function optionFaults({ options = [], kind, min }: Question): FieldError[] {
  if (options.length < 2) return [{ field: 'options', message: 'it needs two options at least' }]
  const faults: FieldError[] = []
  for (const [place, { label, value }] of options.entries()) {
    if (label.trim() === '' || value.trim() === '')
      faults.push({ field: `options.${place}.label`, message: `option ${place + 1} needs a text` })
    else if (options.findIndex((one) => one.value === value || one.label.trim() === label.trim()) < place)
      faults.push({ field: `options.${place}.label`, message: `“${label.trim()}” is there twice` })
  }
  if (kind === 'multiChoice' && min !== undefined && min > options.length)
    faults.push({ field: 'min', message: 'there are not so many options' })
  return faults
}

/** A condition looks at an earlier question, and at a value that its answer may have. */
function conditionFault({ question, is, value }: FormCondition, earlier: ReadonlyMap<string, Question>): string | undefined {
  const watched = earlier.get(question)
  if (!watched) return 'its condition names no question before it'
  if (is === 'filled' || is === 'empty') return undefined
  if (value === undefined || value === '') return 'its condition needs a value'
  const fits = {
    number: typeof value === 'number',
    money: typeof value === 'number',
    boolean: typeof value === 'boolean',
    choice: isOption(watched, value),
    multiChoice: isOption(watched, value),
    photo: false,
    file: false,
    signature: false,
  } as Partial<Record<Question['kind'], boolean>>
  return (fits[watched.kind] ?? typeof value === 'string')
    ? undefined
    : `its condition asks for a value that “${watched.label}” cannot have`
}

const isOption = ({ options = [] }: Question, value: unknown) => options.some((option) => option.value === value)
