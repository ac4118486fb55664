import { z } from 'zod'
import { Failure, type ErrorName } from '@outpost/contract/errors'
import { pgErrorCode, pgErrorKind, type PgErrorKind } from '@outpost/platform/db/errors'
import type { Log } from '@outpost/platform/log'
import { fieldErrors } from './resource/schema.ts'

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
