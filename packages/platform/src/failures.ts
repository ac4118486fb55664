import { z } from 'zod'
import { Failure, type ErrorName, type FieldError } from '@outpost/contract/errors'
import { pgErrorCode, pgErrorKind, type PgErrorKind } from './db/errors.ts'
import type { Log } from './log.ts'

const names: Partial<Record<PgErrorKind, ErrorName>> = {
  unique: 'ALREADY_EXISTS', foreignKey: 'STILL_IN_USE', check: 'INVALID', notNull: 'INVALID', invalidValue: 'INVALID',
  lockTimeout: 'UNAVAILABLE', statementTimeout: 'UNAVAILABLE', deadlock: 'UNAVAILABLE', serialization: 'UNAVAILABLE',
  denied: 'FORBIDDEN', full: 'NO_SPACE', busy: 'UNAVAILABLE', unreachable: 'UNAVAILABLE',
}

/**
 * Every error as one of the table: input errors name their fields, database errors their kind. What has no name is
 * logged and becomes UNKNOWN; nothing of it leaves the server.
 */
export function toFailure(error: unknown, log: Log): Failure {
  if (error instanceof Failure) return error
  if (error instanceof z.ZodError) return new Failure('INVALID', { fields: fieldErrors(error) })
  const kind = pgErrorKind(error)
  const name = kind && names[kind]
  if (!name) {
    log.error({ err: error }, 'a call failed')
    return new Failure('UNKNOWN')
  }
  log.warn({ err: error, kind, code: pgErrorCode(error) }, 'the database refused a call')
  return new Failure(name)
}

/** The wrong fields of a zod error; each unknown property is named. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.flatMap((issue) => {
    const at = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [{ field: at, message: wording(issue) }]
    return issue.keys.map((key) => ({ field: at ? `${at}.${key}` : key, message: 'is not known or may not be set here' }))
  })
}

function wording(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message
  return issue.message.endsWith('received undefined') ? 'is required' : `must be ${article(issue.expected)}`
}

const article = (type: string) => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
