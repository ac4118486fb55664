import { fillingParts, type MergePart } from '@outpost/rules/merge'
import type { Row } from '../../data/records.ts'
import { textOf, type Address } from '../../view/address.ts'
import { formatDate, formatDateTime, isBlank, noValue } from '../../view/formats.ts'

export type Side = 'a' | 'b'

/** What is in the address: the record that stays and the parts it takes. Untouched, it takes what only the other one says. */
export function readChoice(
  parts: readonly MergePart[],
  { address, a, b }: { address: Address; a: Row; b: Row },
): { stays: Side; take: string[] } {
  const stays: Side = textOf(address.stays) === 'b' ? 'b' : 'a'
  const written = textOf(address.take)
  if (written === undefined) return { stays, take: stays === 'a' ? fillingParts(parts, a, b) : fillingParts(parts, b, a) }
  return { stays, take: written.split(',').filter((key) => parts.some((part) => part.key === key)) }
}

/** The parts with one more or one less, as the address holds them; nothing taken is a choice too. */
export function writeTake(take: readonly string[], part: string, isTaken: boolean): string {
  const others = take.filter((key) => key !== part)
  return (isTaken ? [...others, part] : others).join(',') || 'none'
}

/** A part of a person in words, its fields one after the other. */
export function wordsOf(part: MergePart, person: Row): string {
  const texts = part.fields
    .filter((field) => !hidden.has(field))
    .map((field) => textFor(field, person))
    .filter((text) => text !== '')
  return texts.join(', ') || noValue
}

/** Fields that say nothing to a person, or say the same as another one. */
const hidden = new Set(['trimmedPhonenumber', 'addressId', 'countryCode'])

const days = new Set(['dateOfBirth', 'employedSince'])

function textFor(field: string, person: Row): string {
  const value = field === 'assignedUserId' ? (person.assignedUserIdLabel ?? person.assignedUserId) : person[field]
  if (isBlank(value)) return ''
  if (days.has(field)) return formatDate(value)
  return field.endsWith('Date') ? formatDateTime(value) : String(value)
}

export const sameText = (part: MergePart, a: Row, b: Row): boolean => wordsOf(part, a) === wordsOf(part, b)
export const nameOf = (person: Row): string => `${String(person.firstName ?? '')} ${String(person.lastName ?? '')}`.trim()
