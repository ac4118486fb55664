import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min'

/**
 * Digits of the international number without plus, the form that duplicates are compared in.
 * Takes what people type (0712 345 678, +254712345678, 254712345678); null when no country reads it as a number.
 */
export function trimPhone(typed: string, country: string): string | null {
  const cleaned = typed.replace(/[\s().-]/g, '')
  const candidates = cleaned.startsWith('+') ? [cleaned] : [cleaned, `+${cleaned}`]
  for (const candidate of candidates) {
    const number = parsePhoneNumberFromString(candidate, country as CountryCode)
    if (number?.isPossible()) return number.number.slice(1)
  }
  return null
}
