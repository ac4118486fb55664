import type { Fix } from '../positions/fix.ts'
import type { DeviceLabels, ForwardedEvent } from './store.ts'

/** What one request, or one item of it, reports for one device. */
export interface Report {
  uniqueId: string
  fixes: Fix[]
  /** The secret in the message itself, when its format has a field for one. */
  token?: string
  device?: DeviceLabels
  events?: ForwardedEvent[]
  pushToken?: string
}

/** Why a message is malformed: the field to fix, by its wire name. */
export interface Malformed {
  field: string
  message: string
}

export type Reading = { report: Report } | { malformed: Malformed }

export const malformed = (field: string, message: string): { malformed: Malformed } => ({ malformed: { field, message } })

/** Maximum length of an identifier; the longest real ones are topics of OwnTracks. */
const maxIdLength = 128

/** An identifier as text (JSON senders also write numbers); null when it is missing, too long or holds control characters. */
export function readUniqueId(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string') return null
  const id = text.trim().toWellFormed()
  return id !== '' && id.length <= maxIdLength && !/\p{Cc}/u.test(id) ? id : null
}

/** The error for an identifier that readUniqueId refuses. */
export function badUniqueId(field: string, value: unknown): { malformed: Malformed } {
  return malformed(
    field,
    value === undefined || value === null || value === '' ? `${field} is missing` : `${field} must be 1 to ${maxIdLength} characters`,
  )
}
