import type { FieldError } from '@outpost/contract/errors'
import { readNumber } from '@outpost/contract/read-number'
import type { AnswerPattern, Answers, FormCondition, FormPage, Question } from '@outpost/contract/web-forms/form'
import { amountFault } from '../currency.ts'
import { isEmail, isIdNumber, isPosition } from '../validation.ts'
import { filesFault, readFiles } from './answer-files.ts'
import { holdsFiles, longest } from './form-faults.ts'

/** What answers are checked by beside the form: the company's country and currency. */
export interface AnswerPlace {
  country: string
  currency: string
}
export interface CheckedAnswers {
  /** What is stored: of each question that is asked, in the order of the form; empty ones are left out. */
  values: Record<string, unknown>
  faults: FieldError[]
}

/** The questions that are asked, given the answers so far; each hangs only on questions before it, and a hidden one counts as empty. */
export function askedPages(pages: readonly FormPage[], answers: Answers): FormPage[] {
  const shown = new Map<string, unknown>()
  return pages.flatMap((page) => {
    if (!holds(page.showWhen, shown)) return []
    const questions = page.questions.filter((question) => {
      if (!holds(question.showWhen, shown)) return false
      shown.set(question.key, read(question, own(answers, question.key)))
      return true
    })
    return questions.length === 0 ? [] : [{ ...page, questions }]
  })
}

/**
 * Checks answers against the pages of a version; server, sync and devices alike. A question that is not asked is neither required
 * nor stored. Faults name the question by its key (`answers.income`) and in words by its label.
 */
export function checkAnswers(pages: readonly FormPage[], answers: Answers, place: AnswerPlace): CheckedAnswers {
  const known = new Set(pages.flatMap(({ questions }) => questions.map(({ key }) => key)))
  const faults: FieldError[] = Object.keys(answers)
    .filter((key) => !known.has(key))
    .map((key) => ({ field: `answers.${key.slice(0, 60)}`, message: 'is no question of this form' }))
  const values: Record<string, unknown> = {}
  for (const question of askedPages(pages, answers).flatMap(({ questions }) => questions)) {
    const value = read(question, own(answers, question.key))
    const fault = answerFault(question, value, place)
    if (fault) faults.push({ field: `answers.${question.key}`, message: `“${question.label}” ${fault}` })
    else if (!isEmpty(value)) values[question.key] = value
  }
  return { values, faults }
}

/** Why an answer does not do, in words after the label of its question. */
export function answerFault(question: Question, value: unknown, place: AnswerPlace): string | undefined {
  if (isEmpty(value)) return question.required ? 'is required' : undefined
  return checks[question.kind](value, question, place)
}

const own = (answers: Answers, key: string): unknown => (Object.hasOwn(answers, key) ? answers[key] : undefined)
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** An answer as it is stored: texts trimmed, numbers and yes or no read from text, as every body of the API has them. */
function read(question: Question, value: unknown): unknown {
  const { kind } = question
  if (holdsFiles(question) && Array.isArray(value)) return readFiles(value)
  if (kind === 'number' || kind === 'money') return readNumber(value)
  if (kind === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  // The console sends options that are whole numbers as numbers.
  if (kind === 'choice' && typeof value === 'number') return String(value)
  if (typeof value !== 'string') return value
  return kind === 'email' ? value.trim().toLowerCase() : value.trim()
}

function holds(condition: FormCondition | undefined, shown: ReadonlyMap<string, unknown>): boolean {
  if (!condition) return true
  const value = shown.get(condition.question)
  if (condition.is === 'filled') return !isEmpty(value)
  if (condition.is === 'empty') return isEmpty(value)
  const isEqual = Array.isArray(value) ? value.includes(condition.value) : value === condition.value
  return condition.is === 'equal' ? isEqual : !isEqual
}

type Check = (value: unknown, question: Question, place: AnswerPlace) => string | undefined

const checks: Record<Question['kind'], Check> = {
  text: textFault,
  longText: textFault,
  number: (value, question) => numberFault(value, question),
  money: (value, question, { currency }) => numberFault(value, question) ?? amountFault(value, currency),
  date: (value, { earliest, latest }) => {
    if (typeof value !== 'string' || !isDay(value)) return 'is not a date (YYYY-MM-DD)'
    if (earliest !== undefined && value < earliest) return `may not be before ${earliest}`
    return latest !== undefined && value > latest ? `may not be after ${latest}` : undefined
  },
  choice: (value, { options = [] }) => (options.some((option) => option.value === value) ? undefined : 'is not one of the options'),
  multiChoice: severalFault,
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'is neither yes nor no'),
  phone: (value) => (typeof value === 'string' && /^\+?[\d ()-]{6,25}$/.test(value) ? undefined : 'is not a phone number'),
  email: (value) => (typeof value === 'string' && isEmail(value) ? undefined : 'is not an e-mail address'),
  location: placeFault,
  photo: filesFault,
  file: filesFault,
  signature: (value, question, place) => (typeof value === 'string' ? textFault(value, question, place) : filesFault(value, question)),
}

function isDay(value: string): boolean {
  if (!/^(19|20|21)\d\d-\d\d-\d\d$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === value
}

function numberFault(value: unknown, { min, max }: Question): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'is not a number'
  if (Math.abs(value) > 999_999_999_999) return 'is too large'
  if (min !== undefined && value < min) return `may not be under ${min}`
  return max !== undefined && value > max ? `may not be over ${max}` : undefined
}

function severalFault(value: unknown, { options = [], min, max }: Question): string | undefined {
  if (!Array.isArray(value) || value.some((one) => !options.some((option) => option.value === one))) return 'is not one of the options'
  if (new Set(value).size < value.length) return 'names an option twice'
  if (min !== undefined && value.length < min) return `needs ${min} options at least`
  return max !== undefined && value.length > max ? `may have ${max} options at most` : undefined
}

const storable = (value: string) => !value.includes('\0') && value.isWellFormed()

function textFault(value: unknown, question: Question, { country }: AnswerPlace): string | undefined {
  if (typeof value !== 'string') return 'is not a text'
  const { min, maxLength = longest(question), pattern } = question
  if (!storable(value)) return 'holds a character that cannot be stored'
  if (value.length > maxLength) return `may hold ${maxLength} characters at most`
  if (min !== undefined && value.length < min) return `needs at least ${min} characters`
  return pattern === undefined ? undefined : patternFault(pattern, value, country)
}

function patternFault(pattern: AnswerPattern, value: string, country: string): string | undefined {
  switch (pattern) {
    case 'digits':
      return /^\d+$/.test(value) ? undefined : 'may hold digits only'
    case 'letters':
      return /^[\p{L}\p{M}' -]+$/u.test(value) ? undefined : 'may hold letters only'
    case 'lettersAndDigits':
      return /^[\p{L}\p{M}\d ]+$/u.test(value) ? undefined : 'may hold letters and digits only'
    case 'idNumber':
      return isIdNumber(value, country) ? undefined : 'is not an identity number'
  }
}

/** A place in words, or as a position. */
function placeFault(value: unknown): string | undefined {
  if (typeof value !== 'string' || !storable(value)) return 'is not a place'
  if (value.length > 200) return 'may hold 200 characters at most'
  const [, latitude, longitude] = /^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/.exec(value) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  return isPosition(Number(latitude), Number(longitude))
    ? undefined
    : 'is no position: latitude up to 90, longitude up to 180, neither zero'
}
