import type { AnswerFile, Answers, FormPage, Question } from '@outpost/contract/web-forms/form'
import { filesIn } from './answer-files.ts'

export interface AnsweredQuestion {
  page: string
  question: string
  answer: string
  files: AnswerFile[]
}

/** The answers in words with their questions, in the order of the form; questions without an answer are left out. */
export function answeredQuestions(pages: readonly FormPage[], answers: Answers): AnsweredQuestion[] {
  return pages.flatMap(({ title, questions }) =>
    questions
      .filter(({ key }) => Object.hasOwn(answers, key))
      .map((question) => ({
        page: title,
        question: question.label,
        answer: answerText(question, answers[question.key]),
        files: filesIn(answers[question.key]),
      })),
  )
}

/** The same as one text, a line each. */
export const answersText = (pages: readonly FormPage[], answers: Answers): string =>
  answeredQuestions(pages, answers)
    .map(({ question, answer }) => `${question}: ${answer}`)
    .join('\n')

function answerText({ kind, options = [] }: Question, value: unknown): string {
  const labelOf = (one: unknown) => options.find((option) => option.value === one)?.label ?? String(one)
  if (kind === 'boolean') return value === true ? 'Yes' : 'No'
  if (kind === 'choice') return labelOf(value)
  if (kind === 'signature') return typeof value === 'string' ? `Signed as ${value}` : 'Signed by hand'
  if (kind === 'photo' || kind === 'file')
    return filesIn(value)
      .map(({ name }) => name)
      .join(', ')
  return Array.isArray(value) ? value.map(labelOf).join(', ') : String(value)
}
