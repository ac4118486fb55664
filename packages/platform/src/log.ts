import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'

import { requestId } from './request-id.ts'

export type Log = Logger

const secretKeys = [
  'password',
  'newPassword',
  'oldPassword',
  'currentPassword',
  'passwordHash',
  'token',
  'accessToken',
  'refreshToken',
  'ticket',
  'code',
  'secret',
  'authorization',
  'cookie',
  '["set-cookie"]',
]

const redacted = secretKeys.flatMap((key) => {
  const at = (parent: string) => (key.startsWith('[') ? `${parent}${key}` : `${parent}.${key}`)
  const own = key.startsWith('[') ? key : [key]
  return [own, at('*'), at('*.*'), at('*.*.*')].flat()
})

export interface LogOptions {
  level?: string
  /** Added to every line, e.g. the role of the process. */
  name?: string
  destination?: DestinationStream
}

/** Creates the log: JSON lines, with passwords, tokens and cookies redacted down to three levels deep. */
export function createLog({ level = 'info', name, destination }: LogOptions = {}): Log {
  const options = {
    level,
    name,
    redact: { paths: redacted, censor: '[struck out]' },
    base: { pid: process.pid },
    mixin: requestOf,
    serializers: { err: plainError },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Lines of a log that knows its request already are left alone: a name twice in a line is read by nobody. */
function requestOf(line: object, _level: number, log: Logger): object {
  const id = requestId()
  const isNamed = id === undefined || Object.hasOwn(line, 'requestId') || Object.hasOwn(log.bindings(), 'requestId')
  return isNamed ? {} : { requestId: id }
}

/** pg attaches the whole connection to its errors: kilobytes in every line, and useless in a log. */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { client: _, ...rest } = stdSerializers.err(error) as Record<string, unknown>
  return rest
}
