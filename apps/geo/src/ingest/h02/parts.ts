import type { Attributes } from '../../positions/fix.ts'
import type { CellTower } from '../network.ts'
import { statusOf } from './status.ts'

/** A sentence `*maker,identity,kind,fields#`, split into its parts. */
export interface Sentence {
  uniqueId?: string
  kind: string
  fields: readonly string[]
  now: number
}

/** The device of a message; nothing when the sentence does not name it. */
export function who(sentence: Pick<Sentence, 'uniqueId'>): { uniqueId?: string } {
  return sentence.uniqueId ? { uniqueId: sentence.uniqueId } : {}
}

/** The server's reply to a kind of sentence, with its time (UTC); none for a sentence without an identity. */
export function replyTo(sentence: Sentence): Uint8Array | null {
  const stamp = new Date(sentence.now).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return sentence.uniqueId ? new TextEncoder().encode(`*HQ,${sentence.uniqueId},V4,${sentence.kind},${stamp}#`) : null
}

/** A cell tower of decimal fields; null when one is missing or 0. */
export function tower(fields: readonly (string | undefined)[], signal?: string): CellTower | null {
  if (!fields.every((field) => /^\d+$/.test(field ?? ''))) return null
  const [mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId] = fields.map(Number) as [number, number, number, number]
  if (locationAreaCode === 0 || cellId === 0) return null
  return {
    mobileCountryCode,
    mobileNetworkCode,
    locationAreaCode,
    cellId,
    ...(/^-?\d+$/.test(signal ?? '') ? { signalStrength: Number(signal) } : {}),
  }
}

/** The status, when the field is one. */
export function statusIf(field: string): Attributes {
  return /^[0-9a-f]{8}$/i.test(field) ? statusOf(field) : {}
}

/** The number in a field; null when it is none. */
export function numberOf(field: string | undefined): number | null {
  return field && Number.isFinite(Number(field)) ? Number(field) : null
}
