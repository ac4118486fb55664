import { z } from 'zod'
import { Failure, type ErrorName, type FieldError } from '@outpost/contract/errors'
import { pgErrorCode, pgErrorKind, type PgErrorKind } from './db/errors.ts'
import type { Log } from './log.ts'

const names: Partial<Record<PgErrorKind, ErrorName>> = {
  unique: 'ALREADY_EXISTS',
  foreignKey: 'STILL_IN_USE',
  check: 'INVALID',
  notNull: 'INVALID',
  invalidValue: 'INVALID',
  lockTimeout: 'UNAVAILABLE',
  statementTimeout: 'UNAVAILABLE',
  deadlock: 'UNAVAILABLE',
  serialization: 'UNAVAILABLE',
  denied: 'FORBIDDEN',
  full: 'NO_SPACE',
  busy: 'UNAVAILABLE',
  unreachable: 'UNAVAILABLE',
}

/**
 * Maps every error to one of the table: input errors name their fields, database errors their kind. An unknown error is logged and
 * becomes UNKNOWN; nothing of it is sent to the client.
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

/** The invalid fields of a zod error; each unknown property is named. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.flatMap((issue) => {
    const at = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [{ field: at, message: wording(issue) }]
    return issue.keys.map((key) => ({ field: at ? `${at}.${key}` : key, message: 'is not known or may not be set here' }))
  })
}

/** A validator's built-in message is no sentence for people; our own messages are kept. */
const isBuiltInMessage = /^(Too small|Too big|Invalid\b)/

function wording(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return issue.message.endsWith('received undefined') ? 'is required' : typeText(issue.expected)
  if (!isBuiltInMessage.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'too_small':
      return sizeText(issue.origin, Number(issue.minimum), 'least')
    case 'too_big':
      return sizeText(issue.origin, Number(issue.maximum), 'most')
    case 'invalid_format':
      return formatText.get(issue.format) ?? 'is not valid'
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    default:
      return 'is not valid'
  }
}

const typeText = (type: string) => (type === 'int' ? 'must be a whole number' : `must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`)
const formatText: ReadonlyMap<string, string> = new Map(
  Object.entries({
    uuid: 'is not an identifier',
    guid: 'is not an identifier',
    email: 'is not an e-mail address',
    url: 'is not an address such as https://example.org',
    date: 'is not a date (YYYY-MM-DD)',
    datetime: 'is not a time (ISO 8601)',
  }),
)

function sizeText(origin: string, limit: number, side: 'least' | 'most'): string {
  if (origin === 'string' || origin === 'array' || origin === 'set') {
    const [one, many] = origin === 'string' ? ['character', 'characters'] : ['entry', 'entries']
    if (side === 'least' && limit === 1) return origin === 'string' ? 'is required' : 'needs at least one entry'
    return side === 'least'
      ? `needs at least ${limit} ${limit === 1 ? one : many}`
      : `may hold ${limit} ${limit === 1 ? one : many} at most`
  }
  return `may not be ${side === 'least' ? 'under' : 'over'} ${limit}`
}

/** A refusal as one line of text, by field where it names fields. */
export const failureText = ({ more, message }: Failure): string =>
  more.fields?.map((one) => `${one.field}: ${one.message}`).join('; ') ?? message
