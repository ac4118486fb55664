import { ApiError, isNetworkError } from '../../data/api.ts'
import { call } from '../../data/calls.ts'
import { checkStep, steps, type StepError, type StepKey, type WizardData } from './steps.ts'

/** What prevents leaving a step: a sentence for the whole step, words at fields, and the lead that is in the way. */
export interface Block {
  error: string
  fields: StepError[]
  existingId?: string
  step?: StepKey
}

const duplicate = 'Duplicate email or phone number.'
const asked: Partial<Record<StepKey, readonly string[]>> = { person: ['idNumber'], contact: ['phonenumber', 'emailAddress'] }

/** Checks one step: its schema here, duplicates at the server. Null lets it through. */
export async function blockOf(
  key: StepKey,
  data: WizardData,
  { country, leadId }: { country: string; leadId?: string },
): Promise<Block | null> {
  const values = data[key] ?? {}
  const fields = checkStep(key, values, country)
  if (fields.length > 0)
    return { error: fields.length === 1 ? 'One field is not right yet.' : `${fields.length} fields are not right yet.`, fields }
  const question = Object.fromEntries((asked[key] ?? []).map((field) => [field, values[field]]).filter(([, value]) => value))
  if (Object.keys(question).length === 0) return null
  try {
    const { data: found } = await call('leads.exist', { body: { ...question, ...(leadId ? { Id: leadId } : {}) } })
    if (!found.exists) return null
    const named = found.fields.length > 0 ? found.fields : Object.keys(question)
    return {
      error: key === 'person' ? 'A lead with this ID number exists already.' : duplicate,
      fields: named.map((field) => ({ field, message: 'Another lead has this.' })),
      existingId: found.existingId,
    }
  } catch (error) {
    return {
      error: isNetworkError(error) ? 'The check for duplicates needs a connection. Your entries are kept.' : wordsOf(error),
      fields: [],
    }
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : 'That did not work.')

/** Reads a refusal of the last call as words at the step it is about. */
export function blockOfRefusal(error: unknown): Block {
  if (!(error instanceof ApiError)) return { error: wordsOf(error), fields: [] }
  const named = (error.fields ?? []).map(({ field, message }) => ({ parts: field.split('.'), message }))
  const first = named.map(({ parts }) => stepOf(parts)).find((step) => step !== undefined)
  const existingId = error.details?.existingId ?? error.details?.id
  return {
    error: error.title ? `${error.title} ${error.message}` : error.message,
    fields: named.filter(({ parts }) => stepOf(parts) === first).map(({ parts, message }) => ({ field: parts.at(-1) ?? '', message })),
    ...(typeof existingId === 'string' ? { existingId } : {}),
    ...(error.code === 'DUPLICATE_LEAD' ? { step: 'contact' as const } : first ? { step: first } : {}),
  }
}

/** The server names a field alone or below its step. */
const stepOf = (parts: readonly string[]): StepKey | undefined =>
  steps.find((step) => (parts.length > 1 ? step.key === parts[0] : step.fields.some((field) => field.name === parts[0])))?.key
