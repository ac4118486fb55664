import { readFormats, separatorsOf, weekStartOf, type Formats } from '@outpost/rules/formats'
import type { ConsoleLayout } from '@outpost/contract/console'

let formats: Formats = readFormats()
let timeZone: string | undefined
let separators = separatorsOf(formats)

/** How the company worked in writes days, numbers and amounts. */
export const getFormats = (): Formats => formats

/** The company's time zone; the device's own where nobody is in. */
export const companyZone = (): string => timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** Takes up the formats of a company and its time zone; what is drawn from then on is written in them. */
export function setFormats(given: ConsoleLayout['company']['formats'], zone?: string): void {
  timeZone = zone
  formats = readFormats(given)
  separators = separatorsOf(formats)
}

/** The first day of the week; 0 is Sunday. */
export const weekStart = (): 0 | 1 | 6 => weekStartOf(formats)

/** A number as the company writes it, by a format of the language. */
export function writeNumber(format: Intl.NumberFormat, value: number): string {
  if (!separators) return format.format(value)
  const { group, decimal } = separators
  return format
    .formatToParts(value)
    .map((part) => (part.type === 'group' ? group : part.type === 'decimal' ? decimal : part.value))
    .join('')
}
