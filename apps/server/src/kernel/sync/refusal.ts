import { Failure } from '@outpost/contract/errors'
import type { RejectCode } from '@outpost/contract/sync'

/** The reject code that tells a device why a rule refused; undefined when it was no rule. */
export function rejectCode(error: unknown): RejectCode | undefined {
  if (!(error instanceof Failure)) return undefined
  if (error.failure === 'DUPLICATE_LEAD') return 'DUPLICATE_LEAD'
  if (error.failure === 'ILLEGAL_TRANSITION') return 'STATUS'
  if (error.failure === 'FORBIDDEN' || error.failure === 'TENANT_FORBIDDEN') return 'FORBIDDEN'
  if (['NOT_FOUND', 'ACTIVITY_NOT_FOUND', 'LEAD_NOT_FOUND'].includes(error.failure)) return 'GONE'
  return 'VALIDATION'
}

/** The rule's words, by field where it names fields. */
export const wordOf = (failure: Failure) => failure.more.fields?.map(({ field, message }) => `${field}: ${message}`).join('; ') ?? failure.message
