import { formLimits, type AnswerFile, type Answers, type Question } from '@outpost/contract/web-forms/form'
import { isIdentifier } from '../validation.ts'

/** Files of a question where the form names no number: one signature, as many photos and papers as any. */
export const mostFiles = ({ kind, max }: Pick<Question, 'kind' | 'max'>): number =>
  kind === 'signature' ? 1 : Math.min(max ?? formLimits.files, formLimits.files)

/** What is stored of files: nothing beside their Id, name, type and size. What is no file stays as it is, to be refused. */
export function readFiles(value: readonly unknown[]): unknown[] {
  return value.map((one) => {
    if (!isFile(one)) return one
    const { Id, name, mimeType, size } = one
    return { Id: Id.toLowerCase(), name: name.trim(), mimeType, size }
  })
}

/** Why an answer is no set of files, in words after the label of its question. */
export function filesFault(value: unknown, question: Question): string | undefined {
  if (!Array.isArray(value) || !value.every(isFile)) return 'is no list of files'
  const { kind, min } = question
  if (new Set(value.map(({ Id }) => Id)).size < value.length) return 'names a file twice'
  if (kind !== 'file' && value.some(({ mimeType }) => !mimeType.startsWith('image/'))) return 'is not a picture'
  const most = mostFiles(question)
  if (value.length > most) return most === 1 ? 'may have one file only' : `may have ${most} files at most`
  return min !== undefined && value.length < min ? `needs ${min} files at least` : undefined
}

/** The files that answers name. */
export const filesOf = (answers: Answers): AnswerFile[] => Object.values(answers).flatMap(filesIn)

/** The files of one answer; none of a signature that was typed. */
export const filesIn = (value: unknown): AnswerFile[] => (Array.isArray(value) ? value.filter(isFile) : [])

function isFile(value: unknown): value is AnswerFile {
  if (typeof value !== 'object' || value === null) return false
  const { Id, name, mimeType, size } = value as Partial<Record<keyof AnswerFile, unknown>>
  return (
    typeof Id === 'string' &&
    isIdentifier(Id) &&
    isWord(name, 200) &&
    isWord(mimeType, 100) &&
    typeof size === 'number' &&
    Number.isSafeInteger(size) &&
    size >= 0
  )
}

const isWord = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most && !value.includes('\0') && value.isWellFormed()
