import { constants } from 'node:os'

/** The kinds of database errors, in the program's own names. */
export type PgErrorKind =
  | 'unique'
  | 'foreignKey'
  | 'check'
  | 'notNull'
  | 'invalidValue'
  | 'lockTimeout'
  | 'statementTimeout'
  | 'deadlock'
  | 'serialization'
  | 'denied'
  | 'readOnly'
  | 'full'
  | 'busy'
  | 'unreachable'
  | 'other'

const kindByCode: ReadonlyMap<string, PgErrorKind> = new Map(
  Object.entries({
    '23505': 'unique',
    '23503': 'foreignKey',
    '23001': 'foreignKey',
    '23514': 'check',
    '23502': 'notNull',
    '55P03': 'lockTimeout',
    '57014': 'statementTimeout',
    '40P01': 'deadlock',
    '40001': 'serialization',
    '42501': 'denied',
    '25006': 'readOnly',
    '53100': 'full',
    '53300': 'busy',
    // Prisma's own codes, where it hides Postgres's.
    P2002: 'unique',
    P2003: 'foreignKey',
    P2011: 'notNull',
    P2034: 'serialization',
    // The server is going down or coming up.
    '57P01': 'unreachable',
    '57P02': 'unreachable',
    '57P03': 'unreachable',
    '08006': 'unreachable',
    '08003': 'unreachable',
  }),
)

// pg gives these without a code.
const kindByMessage: readonly [RegExp, PgErrorKind][] = [
  [/timeout exceeded when trying to connect/, 'busy'],
  [/Query read timeout/, 'statementTimeout'],
  [/Connection terminated|Client has encountered a connection error|Client was closed/, 'unreachable'],
]

/** The kind of a database error, thrown by pg or by Prisma; undefined when it is none. */
export function pgErrorKind(error: unknown): PgErrorKind | undefined {
  if (isNetworkError(error)) return 'unreachable'
  const code = pgErrorCode(error)
  if (code !== undefined) return kindByCode.get(code) ?? kindByClass(code)
  const message = error instanceof Error ? error.message : ''
  return kindByMessage.find(([pattern]) => pattern.test(message))?.[1]
}

/** The SQLSTATE (or the socket's or Prisma's code) of a database error. */
export function pgErrorCode(error: unknown): string | undefined {
  const cause = prismaCause(error)
  if (typeof cause?.originalCode === 'string') return cause.originalCode
  const code = fieldOf(error, 'code')
  if (typeof code !== 'string') return undefined
  // EPERM looks like an SQLSTATE.
  if (isSystemCode(code)) return isNetworkError(error) ? code : undefined
  return Object.hasOwn(kindByCode, code) || /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/**
 * True when Postgres refuses the row itself for good: an invalid value (class 22), or a violated constraint (class 23). Every other
 * error may be temporary; an unknown one never refuses a row.
 */
export function isRowRefused(error: unknown): boolean {
  const code = pgErrorCode(error)
  if (code === undefined || !/^2[23][0-9A-Z]{3}$/.test(code)) return false
  // A missing partition is a check violation too, but one without a constraint.
  return code !== '23514' || pgConstraint(error) !== undefined
}

/** Name of the constraint or unique index that refused a row, if Postgres reports it. */
export function pgConstraint(error: unknown): string | undefined {
  const constraint = fieldOf(error, 'constraint')
  if (typeof constraint === 'string') return constraint
  const message = prismaCause(error)?.originalMessage
  return typeof message === 'string' ? /constraint "([^"]+)"/.exec(message)?.[1] : undefined
}

/** Name of the column that a row left empty and may not, if Postgres reports it. */
export function missingColumn(error: unknown): string | undefined {
  const column = fieldOf(error, 'column')
  return typeof column === 'string' ? column : undefined
}

/** Errors of the operating system or the resolver while a connection is opened or used: EHOSTUNREACH, EAI_AGAIN, EMFILE ... */
function isNetworkError(error: unknown): boolean {
  const code = fieldOf(error, 'code')
  const isOfALine = ['connect', 'read', 'write', 'writev', 'shutdown', 'getaddrinfo', 'socket'].includes(String(fieldOf(error, 'syscall')))
  return typeof code === 'string' && (connectionCodes.has(code) || (isOfALine && isSystemCode(code)))
}

/** These are connection errors, whoever reports them. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'EAI_AGAIN',
])

const isSystemCode = (code: string) => Object.hasOwn(constants.errno, code) || /^EAI_[A-Z]+$/.test(code) || code === 'ENOTFOUND'

function kindByClass(code: string): PgErrorKind {
  if (code.startsWith('22')) return 'invalidValue'
  return code.startsWith('08') ? 'unreachable' : 'other'
}

function prismaCause(error: unknown): Record<string, unknown> | undefined {
  const adapterError = fieldOf(fieldOf(error, 'meta'), 'driverAdapterError') ?? error
  const cause = fieldOf(adapterError, 'cause')
  return typeof cause === 'object' && cause !== null ? (cause as Record<string, unknown>) : undefined
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined
}
