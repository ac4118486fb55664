import { currentOffline } from '../../offline/current.ts'
import { isCall, isEntered, keptKind } from '../../offline/kinds.ts'
import type { Attention } from '../../offline/store/shapes.ts'
import { t } from '../../session/labels.ts'
import { sentence } from '../../view/kinds/form/useFieldForm.ts'

/** What happened to a change, in the words of the person who made it. */
export interface AttentionText {
  title: string
  advice: string
}

const byCode: Readonly<Record<string, AttentionText>> = {
  VALIDATION: { title: 'Some values are not valid', advice: 'Correct them and send the change again.' },
  FORBIDDEN: {
    title: 'You may not make this change any more',
    advice: 'Your rights or your branch changed since. Ask your manager, or give the change up.',
  },
  GONE: { title: 'The record was removed meanwhile', advice: 'Restore it with your values as a new record, or give the change up.' },
  STALE_DELETE: { title: 'Somebody changed the record you deleted', advice: 'Look at it before you delete it again.' },
  STATUS: {
    title: 'The status cannot follow the present one',
    advice: 'The record moved on since. Choose another status, or give the change up.',
  },
  MERGED: {
    title: 'Saved, but some fields were changed by somebody else too',
    advice: 'The office\u2019s values were kept. Take yours where they are right.',
  },
  TOO_LARGE: { title: 'The change is too large to send', advice: 'Shorten it and send it again, or export it.' },
  ERROR: {
    title: 'The server could not take this change',
    advice: 'It failed several times; the office was told. Try again later, or export it.',
  },
}

/** The kind's own word for a record that exists already, else what such a refusal means everywhere. */
export function attentionText({ code, entityType }: Pick<Attention, 'code' | 'entityType'>): AttentionText {
  const same = keptKind(entityType)?.errors.same
  if (same?.code === code)
    return {
      title: same.title ?? same.message,
      advice: `${same.message} Open the existing one, add your values to it, or correct the number and send again.`,
    }
  return byCode[code] ?? { title: 'The change was refused', advice: 'Correct it and send it again, or give it up.' }
}

export const labelOf = ({ entityType }: Pick<Attention, 'entityType'>, field: string): string =>
  keptKind(entityType)?.labels[field] ?? field

/** Why the office refused, in the language: field by field where it names fields ("amount: may not be over 5; term: is required"). */
export function reasonText({ entityType, message }: Pick<Attention, 'entityType' | 'message'>): string {
  const labels = keptKind(entityType)?.labels ?? {}
  const parts = message.split('; ').map((part) => {
    const [, field = '', why = ''] = /^([\w.]+): (.+)$/.exec(part) ?? []
    return Object.hasOwn(labels, field) ? sentence(t(labels[field] ?? field), why) : undefined
  })
  return parts.every((part) => part !== undefined) ? parts.join('; ') : t(message)
}

/** A value as text; nothing as a dash. */
export function textOf({ entityType }: Pick<Attention, 'entityType'>, field: string, value: unknown): string {
  const { words } = (typeof value === 'object' && value !== null ? value : {}) as { words?: string }
  if (isCall(field) && words) return words
  const callWords = isCall(field) && value ? currentOffline()?.additions?.[entityType]?.callWords : undefined
  if (callWords) return callWords(value)
  if (value === null || value === undefined || value === '') return '–'
  if (keptKind(entityType)?.lines.includes(field) && Array.isArray(value)) return value.map(lineText).join('; ') || '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What is in a line; references by their names. */
function lineText(line: Readonly<Record<string, unknown>>): string {
  const values = Object.keys(line)
    .filter((key) => key !== 'Id' && !key.endsWith('Label'))
    .map((key) => line[`${key}Label`] ?? line[key])
  return values.filter((value) => (value ?? '') !== '').join(', ')
}

/** Fields of a change that a person may correct one by one, in the order of the kind; lines are corrected in the record's form. */
export function editableFields({ entityType, change }: Pick<Attention, 'entityType' | 'change'>): string[] {
  const touched = change.snapshot ?? change.patch
  const { form = [], lines = [] } = keptKind(entityType) ?? {}
  return form.filter((field) => field in touched && !lines.includes(field))
}

export interface Difference {
  field: string
  mine: unknown
  theirs: unknown
}

/** Where my values and the server's differ; every value of mine when there is no server copy. */
export function differencesOf(attention: Pick<Attention, 'entityType' | 'conflicts' | 'change' | 'mine' | 'theirs'>): Difference[] {
  const { entityType, conflicts, change, mine, theirs } = attention
  const labels = keptKind(entityType)?.labels ?? {}
  if (conflicts.length > 0) return conflicts.map(({ field, mine: my, theirs: their }) => ({ field, mine: my, theirs: their }))
  const shows = currentOffline()?.additions?.[entityType]?.shows
  const fields = Object.keys(change.snapshot ?? change.patch).filter(
    (field) => field in labels && (!change.snapshot || isEntered(entityType, field)) && (shows?.includes(field) ?? true),
  )
  return fields
    .map((field) => ({ field, mine: wordsIn(mine, field), theirs: theirs && wordsIn(theirs, field) }))
    .filter(({ field, mine: my, theirs: their }) => textOf(attention, field, my) !== textOf(attention, field, their))
}

/** A record that another one refers to is shown by its name. */
const wordsIn = (row: Readonly<Record<string, unknown>>, field: string): unknown => row[`${field}Label`] ?? row[field]
