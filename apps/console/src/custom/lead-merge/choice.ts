import { fillingParts, mergePartKeys, type LeadPart } from '@outpost/rules/leads/lead-merge'
import type { Row } from '../../data/records.ts'
import { textOf, type Address } from '../../view/address.ts'
import { formatDateTime, isBlank, noValue } from '../../view/formats.ts'

export type Side = 'a' | 'b'

/** What is in the address: the lead that stays and the parts it takes. Untouched, it takes what only the other one says. */
export function readChoice(address: Address, a: Row, b: Row): { stays: Side; take: string[] } {
  const stays: Side = textOf(address.stays) === 'b' ? 'b' : 'a'
  const written = textOf(address.take)
  if (written === undefined) return { stays, take: stays === 'a' ? fillingParts(a, b) : fillingParts(b, a) }
  return { stays, take: written.split(',').filter((key) => (mergePartKeys as string[]).includes(key)) }
}

/** The parts with one more or one less, as the address holds them; nothing taken is a choice too. */
export function writeTake(take: readonly string[], part: string, isTaken: boolean): string {
  const others = take.filter((key) => key !== part)
  return (isTaken ? [...others, part] : others).join(',') || 'none'
}

/** A part of a lead in words, its fields one after the other. */
export function wordsOf(part: LeadPart, lead: Row): string {
  const texts = part.fields
    .filter((field) => !hidden.has(field))
    .map((field) => textFor(field, lead))
    .filter((text) => text !== '')
  return texts.join(', ') || noValue
}

/** Fields that say nothing to a person, or say the same as another one. */
const hidden = new Set(['trimmedPhonenumber', 'addressId', 'countryCode'])

function textFor(field: string, lead: Row): string {
  const value = field === 'assignedUserId' ? (lead.assignedUserIdLabel ?? lead.assignedUserId) : lead[field]
  if (isBlank(value)) return ''
  return field.endsWith('Date') ? formatDateTime(value) : String(value)
}

export const sameText = (part: LeadPart, a: Row, b: Row): boolean => wordsOf(part, a) === wordsOf(part, b)
export const nameOf = (lead: Row): string => `${String(lead.firstName ?? '')} ${String(lead.lastName ?? '')}`.trim()
