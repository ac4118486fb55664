import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

const secretKeys = [
  'password', 'newPassword', 'oldPassword', 'currentPassword', 'passwordHash',
  'token', 'accessToken', 'refreshToken', 'ticket', 'code', 'secret',
  'authorization', 'cookie', '["set-cookie"]',
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

/** The log: JSON lines, with passwords, tokens and cookies struck out down to three levels deep. */
export function createLog({ level = 'info', name, destination }: LogOptions = {}): Log {
  const options = { level, name, redact: { paths: redacted, censor: '[struck out]' }, base: { pid: process.pid } }
  return destination ? pino(options, destination) : pino(options)
}
