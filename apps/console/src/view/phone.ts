import { getSession } from '../session/store.ts'

/** Calling codes of the countries with nine digits after the leading 0 (specification 5). */
const callingCodes: Readonly<Record<string, string>> = { KE: '254', TZ: '255', UG: '256', ZM: '260', ZA: '27' }

/** A telephone number as every screen writes it, however it was typed: +254 712 345 678. Others than these countries' are left as they are. */
export function formatPhone(value: unknown, country = getSession().layout?.company.country ?? ''): string {
  const typed = String(value ?? '').trim()
  const digits = typed.replace(/\D/g, '').replace(/^00(?=[1-9])/, '')
  const full = /^0\d{9}$/.test(digits) && callingCodes[country] ? `${callingCodes[country]}${digits.slice(1)}` : digits
  const code = Object.values(callingCodes).find((one) => full.startsWith(one) && full.length === one.length + 9)
  return code ? `+${code} ${full.slice(code.length).replace(/(\d{3})(?=\d)/g, '$1 ')}` : typed
}
