import { errorTable, Failure, type ErrorName } from '@outpost/contract/errors'
import { rejectCodes, type RejectCode } from '@outpost/contract/sync'
import type { AnyResource } from '../types.ts'

/** Errors of duplicate rules that devices know by name; those of other rules are sent as a general refusal. */
const duplicateCodes: ReadonlySet<string> = new Set(rejectCodes)

/** The reject code that tells a device why a rule refused; undefined when it was no rule. */
export function rejectCode(error: unknown, { duplicates }: Pick<AnyResource, 'duplicates'> = {}): RejectCode | undefined {
  if (!(error instanceof Failure)) return undefined
  if (error.failure === duplicates?.error && duplicateCodes.has(error.failure)) return error.failure as RejectCode
  if (error.failure === 'ILLEGAL_TRANSITION') return 'STATUS'
  if (error.failure === 'FORBIDDEN' || error.failure === 'TENANT_FORBIDDEN') return 'FORBIDDEN'
  return errorTable[error.failure].status === 404 ? 'GONE' : 'VALIDATION'
}

/** The rule's words, by field where it names fields. */
export const wordOf = (failure: Failure) => failure.more.fields?.map(({ field, message }) => `${field}: ${message}`).join('; ') ?? failure.message

export interface Refused { outcome: 'rejected', code: RejectCode, message: string, conflicts: [], existingId?: string }

/** The verdict that a rule's refusal is; anything else is thrown on. */
export function refusedBy(error: unknown, resource: Pick<AnyResource, 'duplicates'>): Refused {
  const code = rejectCode(error, resource)
  if (!code || !(error instanceof Failure)) throw error
  const existingId = error.more.details?.['existingId']
  return { outcome: 'rejected', code, message: messageOf(error, resource.duplicates?.error), conflicts: [], ...(typeof existingId === 'string' ? { existingId } : {}) }
}

function messageOf(failure: Failure, duplicate: ErrorName | undefined): string {
  if (failure.failure === 'ALREADY_EXISTS') return 'A record with these values exists already.'
  return failure.failure === duplicate ? failure.message : wordOf(failure)
}
