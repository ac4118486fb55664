import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min'

/**
 * Digits of the international number without plus, the form in which duplicates are compared. Accepts common forms (0712 345 678,
 * +254712345678, 254712345678, 00254712345678); null when the country's numbering plan has no such number.
 */
export function trimPhone(typed: string, country: string): string | null {
  const cleaned = typed.replace(/[\s().-]/g, '').replace(/^00(?=[1-9])/, '+')
  const candidates = cleaned.startsWith('+') ? [cleaned] : [cleaned, `+${cleaned}`]
  for (const candidate of candidates) {
    const number = parsePhoneNumberFromString(candidate, country as CountryCode)
    if (number?.isValid()) return number.number.slice(1)
  }
  return null
}
