import type { Fix } from '../positions/fix.ts'
import type { DeviceWords, ForwardedEvent } from './store.ts'

/** What one request, or one item of it, says of one device. */
export interface Report {
  uniqueId: string
  fixes: Fix[]
  /** The secret sent in the message itself, when its form has a place for one. */
  token?: string
  device?: DeviceWords
  events?: ForwardedEvent[]
  pushToken?: string
}

/** Why a message cannot be understood: the field to mend, by its name on the wire. */
export interface Malformed { field: string, message: string }

export type Reading = { report: Report } | { malformed: Malformed }

export const malformed = (field: string, message: string): { malformed: Malformed } => ({ malformed: { field, message } })

/** Longest identifier of a device; the longest real ones are topics of OwnTracks. */
const longestId = 128

/** An identifier as text (JSON senders also write numbers); null when it is missing, too long or holds control characters. */
export function readUniqueId(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string') return null
  const id = text.trim().toWellFormed()
  return id !== '' && id.length <= longestId && !/\p{Cc}/u.test(id) ? id : null
}

/** The refusal of an identifier that readUniqueId does not take. */
export function badUniqueId(field: string, value: unknown): { malformed: Malformed } {
  return malformed(field, value === undefined || value === null || value === '' ? `${field} is missing` : `${field} must be 1 to ${longestId} characters`)
}
