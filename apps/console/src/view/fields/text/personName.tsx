import { isFirstName, isPersonName } from '@outpost/rules/validation'
import { checkLength, trimmed } from '../plain.tsx'
import { text } from './text.tsx'
import type { FieldKindView } from '../types.ts'

/** A person's name: letters, spaces, hyphens and apostrophes; a first name is short. */
export const personName: FieldKindView = {
  ...text,
  width: 150,
  besideText: 0,
  toWire: trimmed,
  check: (value, field) => {
    const name = String(value).trim()
    const isGood = field.key === 'firstName' ? isFirstName(name) : isPersonName(name)
    return isGood ? checkLength(name, field) : 'may hold letters, spaces, hyphens and apostrophes only'
  },
}
