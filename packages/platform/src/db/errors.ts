/** What went wrong in the database, in the words of this program. */
export type PgErrorKind =
  | 'unique' | 'foreignKey' | 'check' | 'notNull' | 'invalidValue'
  | 'lockTimeout' | 'statementTimeout' | 'deadlock' | 'serialization'
  | 'denied' | 'readOnly' | 'full' | 'busy' | 'unreachable' | 'other'

const kindByCode: Record<string, PgErrorKind> = {
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
  // The connection was refused, cut, or the server is going down or coming up.
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EPIPE: 'unreachable',
  ENOTFOUND: 'unreachable',
  ETIMEDOUT: 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '08006': 'unreachable',
  '08003': 'unreachable',
}

// pg gives these without a code.
const kindByMessage: readonly [RegExp, PgErrorKind][] = [
  [/timeout exceeded when trying to connect/, 'busy'],
  [/Query read timeout/, 'statementTimeout'],
  [/Connection terminated|Client has encountered a connection error|Client was closed/, 'unreachable'],
]

/** Names a database error, thrown by pg or by Prisma; undefined when it is none. */
export function pgErrorKind(error: unknown): PgErrorKind | undefined {
  const code = pgErrorCode(error)
  if (code !== undefined) return kindByCode[code] ?? kindByClass(code)
  const message = error instanceof Error ? error.message : ''
  return kindByMessage.find(([pattern]) => pattern.test(message))?.[1]
}

/** The SQLSTATE (or the socket's or Prisma's code) of a database error. */
export function pgErrorCode(error: unknown): string | undefined {
  const cause = prismaCause(error)
  if (typeof cause?.originalCode === 'string') return cause.originalCode
  const code = fieldOf(error, 'code')
  if (typeof code !== 'string') return undefined
  return code in kindByCode || /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Name of the constraint or unique index that refused a row, where Postgres says it. */
export function pgConstraint(error: unknown): string | undefined {
  const constraint = fieldOf(error, 'constraint')
  if (typeof constraint === 'string') return constraint
  const message = prismaCause(error)?.originalMessage
  return typeof message === 'string' ? /constraint "([^"]+)"/.exec(message)?.[1] : undefined
}

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
