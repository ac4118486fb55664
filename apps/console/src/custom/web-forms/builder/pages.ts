import type { FieldError } from '@outpost/contract/errors'
import type { FormCondition, FormPage, Question, QuestionKind } from '@outpost/contract/web-forms/form'

/** A key that no other part of any form has: answers keep it through all versions, whatever the label becomes. */
const newKey = (letter: string): string => letter + crypto.randomUUID().replaceAll('-', '').slice(0, 10)

export const newOption = () => ({ value: newKey('o'), label: '' })
export const newPage = (title: string): FormPage => ({ key: newKey('p'), title, questions: [] })
export const newQuestion = (kind: QuestionKind): Question => withKind({ key: newKey('q'), kind, label: '' }, kind)

/** A question of another kind; one of a list begins with two options. */
export function withKind(question: Question, kind: QuestionKind): Question {
  const isChosen = kind === 'choice' || kind === 'multiChoice'
  return { ...question, kind, ...(isChosen && !question.options?.length ? { options: [newOption(), newOption()] } : {}) }
}

export const allQuestions = (pages: readonly FormPage[]): Question[] => pages.flatMap(({ questions }) => questions)

/** The questions before one, or before a page: what its condition may look at. */
export function questionsBefore(pages: readonly FormPage[], key: string): Question[] {
  const before: Question[] = []
  for (const page of pages) {
    if (page.key === key) return before
    for (const question of page.questions) {
      if (question.key === key) return before
      before.push(question)
    }
  }
  return before
}

export const changePage = (pages: readonly FormPage[], key: string, over: Partial<FormPage>): FormPage[] =>
  pages.map((page) => (page.key === key ? { ...page, ...over } : page))

export const changeQuestion = (pages: readonly FormPage[], key: string, next: Question): FormPage[] =>
  pages.map((page) => ({ ...page, questions: page.questions.map((question) => (question.key === key ? next : question)) }))

export const addQuestion = (pages: readonly FormPage[], pageKey: string, question: Question): FormPage[] =>
  pages.map((page) => (page.key === pageKey ? { ...page, questions: [...page.questions, question] } : page))

export const removeQuestion = (pages: readonly FormPage[], key: string): FormPage[] =>
  pages.map((page) => ({ ...page, questions: page.questions.filter((question) => question.key !== key) }))

/** A copy right behind the question; `key` is the copy's. */
export function duplicateQuestion(pages: readonly FormPage[], of: string): { pages: FormPage[]; key: string } {
  const key = newKey('q')
  const copied = (question: Question): Question => ({
    ...question,
    key,
    ...(question.options ? { options: question.options.map((option) => ({ ...option })) } : {}),
  })
  return {
    key,
    pages: pages.map((page) => ({
      ...page,
      questions: page.questions.flatMap((question) => (question.key === of ? [question, copied(question)] : [question])),
    })),
  }
}

/** Puts a question one place up or down; at the end of its page it goes over to the next one. */
export function stepQuestion(pages: readonly FormPage[], key: string, by: -1 | 1): FormPage[] {
  const at = pages.findIndex(({ questions }) => questions.some((question) => question.key === key))
  const place = pages[at]?.questions.findIndex((question) => question.key === key) ?? -1
  const count = pages[at]?.questions.length ?? 0
  if (place < 0) return [...pages]
  if (place + by >= 0 && place + by < count) return putQuestion(pages, key, { page: at, place: place + by })
  const neighbour = pages[at + by]
  return neighbour ? putQuestion(pages, key, { page: at + by, place: by === 1 ? 0 : neighbour.questions.length }) : [...pages]
}

/** Puts a question where another one is, on any page. */
export function dropQuestion(pages: readonly FormPage[], key: string, over: string): FormPage[] {
  const page = pages.findIndex(({ questions }) => questions.some((question) => question.key === over))
  const place = pages[page]?.questions.findIndex((question) => question.key === over) ?? -1
  return place < 0 ? [...pages] : putQuestion(pages, key, { page, place })
}

function putQuestion(pages: readonly FormPage[], key: string, to: { page: number; place: number }): FormPage[] {
  const question = allQuestions(pages).find((one) => one.key === key)
  if (!question) return [...pages]
  return removeQuestion(pages, key).map((page, index) =>
    index === to.page ? { ...page, questions: page.questions.toSpliced(to.place, 0, question) } : page,
  )
}

export function stepPage(pages: readonly FormPage[], key: string, by: -1 | 1): FormPage[] {
  const at = pages.findIndex((page) => page.key === key)
  const moved = pages[at]
  if (!moved || at + by < 0 || at + by >= pages.length) return [...pages]
  return pages.toSpliced(at, 1).toSpliced(at + by, 0, moved)
}

/** What is sent: without bounds that are not the kind's, without empty texts. */
export const cleaned = (pages: readonly FormPage[]): FormPage[] =>
  pages.map(({ key, title, hint, questions, showWhen }) => ({
    key,
    title: title.trim(),
    questions: questions.map(cleanedQuestion),
    ...(hint?.trim() ? { hint: hint.trim() } : {}),
    ...(showWhen ? { showWhen: cleanedCondition(showWhen) } : {}),
  }))

const bounds: Partial<Record<QuestionKind, readonly (keyof Question)[]>> = {
  text: ['min', 'maxLength', 'pattern'],
  longText: ['min', 'maxLength'],
  number: ['min', 'max'],
  money: ['min', 'max'],
  date: ['earliest', 'latest'],
  choice: ['options'],
  multiChoice: ['options', 'min', 'max'],
  photo: ['min', 'max'],
  file: ['min', 'max'],
}
/** The limits that a question of a kind may have. */
export const boundsOf = (kind: QuestionKind): readonly (keyof Question)[] => bounds[kind] ?? []

function cleanedQuestion(question: Question): Question {
  const { key, kind, label, help, required, showWhen } = question
  const own = boundsOf(kind).flatMap((name) => (question[name] === undefined || question[name] === '' ? [] : [[name, question[name]]]))
  return {
    key,
    kind,
    label: label.trim(),
    ...(help?.trim() ? { help: help.trim() } : {}),
    ...(required ? { required } : {}),
    ...(showWhen ? { showWhen: cleanedCondition(showWhen) } : {}),
    ...(Object.fromEntries(own) as Partial<Question>),
  }
}

const cleanedCondition = ({ question, is, value }: FormCondition): FormCondition => ({
  question,
  is,
  ...(is === 'equal' || is === 'different' ? (value === undefined ? {} : { value }) : {}),
})

/** Faults by the key of the question or page that they are about; what is about neither is under ''. */
export function faultsByPart(pages: readonly FormPage[], faults: readonly FieldError[]): Map<string, string[]> {
  const keyOf = ({ field }: FieldError): string => {
    const [, page, place] = /^pages\.(\d+)(?:\.questions\.(\d+)(?:\.|$))?/.exec(field) ?? []
    const found = page === undefined ? undefined : pages[Number(page)]
    return (place === undefined ? found?.key : found?.questions[Number(place)]?.key) ?? ''
  }
  return new Map([...Map.groupBy(faults, keyOf)].map(([key, own]) => [key, own.map(({ message }) => message)]))
}
