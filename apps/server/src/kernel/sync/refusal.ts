import { Failure } from '@outpost/contract/errors'
import { failureText } from '@outpost/platform/failures'
import type { RejectCode } from '@outpost/contract/sync/protocol'
import type { DuplicateRule } from '../resource/duplicate-rule.ts'
import type { AnyResource } from '../types.ts'

/** The reject code by which a device learns why a rule refused; undefined when it was no rule. */
export function rejectCode(error: unknown, { duplicates }: Pick<AnyResource, 'duplicates'> = {}): RejectCode | undefined {
  if (!(error instanceof Failure)) return undefined
  if (error.failure === nameOf(duplicates?.error)) return error.failure
  if (error.failure === 'ILLEGAL_TRANSITION') return 'STATUS'
  if (error.failure === 'FORBIDDEN' || error.failure === 'TENANT_FORBIDDEN') return 'FORBIDDEN'
  return error.error.status === 404 ? 'GONE' : 'VALIDATION'
}

const nameOf = (error: DuplicateRule['error'] | undefined) => (typeof error === 'string' ? error : error?.name)

export interface Refused {
  outcome: 'rejected'
  code: RejectCode
  message: string
  conflicts: []
  existingId?: string
}

/** The verdict that a rule's refusal is; anything else is thrown on. */
export function refusedBy(error: unknown, resource: Pick<AnyResource, 'duplicates'>): Refused {
  const code = rejectCode(error, resource)
  if (!code || !(error instanceof Failure)) throw error
  const existingId = error.more.details?.['existingId']
  return {
    outcome: 'rejected',
    code,
    message: messageOf(error, nameOf(resource.duplicates?.error)),
    conflicts: [],
    ...(typeof existingId === 'string' ? { existingId } : {}),
  }
}

function messageOf(failure: Failure, duplicate: string | undefined): string {
  if (failure.failure === 'ALREADY_EXISTS') return 'A record with these values exists already.'
  return failure.failure === duplicate ? failure.message : failureText(failure)
}
