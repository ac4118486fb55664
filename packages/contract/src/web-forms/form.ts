/** What a question of a web form may ask for. Each that is no file is a kind of field of the console too. */
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
  'photo',
  'file',
  'signature',
] as const
export type QuestionKind = (typeof questionKinds)[number]

/** What the text of an answer may consist of. */
export const answerPatterns = ['digits', 'letters', 'lettersAndDigits', 'idNumber'] as const
export type AnswerPattern = (typeof answerPatterns)[number]

/** What a form is filled in about: nothing beside itself, or one record. */
export const formSubjects = ['nothing', 'lead', 'client', 'activity'] as const
export type FormSubject = (typeof formSubjects)[number]

/** How many parts a form may have; `files` of one question. */
export const formLimits = { pages: 20, questions: 200, options: 100, files: 10 } as const

/** A file of an answer. It travels by itself, before or after the answer, under the Id that whoever took it gave it. */
export interface AnswerFile {
  Id: string
  name: string
  mimeType: string
  size: number
}

/** When a part is shown: by the answer to a question before it. */
export interface FormCondition {
  /** Key of that question. */
  question: string
  is: 'equal' | 'different' | 'filled' | 'empty'
  value?: string | number | boolean
}
export interface Question {
  key: string
  kind: QuestionKind
  label: string
  help?: string
  required?: boolean
  /** Of numbers and money: the bounds; of texts: the fewest characters; of several choices and of files: how many. */
  min?: number
  max?: number
  maxLength?: number
  pattern?: AnswerPattern
  earliest?: string
  latest?: string
  options?: { value: string; label: string }[]
  showWhen?: FormCondition
}
export interface FormPage {
  key: string
  title: string
  hint?: string
  questions: Question[]
  showWhen?: FormCondition
}
export type Answers = Readonly<Record<string, unknown>>
