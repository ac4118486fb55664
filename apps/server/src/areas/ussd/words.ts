import { separatorsOf, type Formats } from '@outpost/rules/formats'
import { decimalsOf } from '@outpost/rules/currency'
import { Decimal } from '@outpost/rules/money'
import { typedAmount } from '@outpost/rules/typed-amount'

/** A screen of a phone holds so many characters (GSM 03.38). */
const longest = 182

/** Words without special characters: gateways end a session at some of them. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[^\n\x20-\x7e]/g, '')

/** Whole lines as far as they fit. */
export function clip(text: string): string {
  if (text.length <= longest) return text
  const at = text.lastIndexOf('\n', longest)
  return text.slice(0, at > 0 ? at : longest)
}

/** KES 1,234.50, or as the company sets off thousands and decimals; always with the code, which every phone shows. */
export function moneyOf(amount: string, { currency, formats }: { currency: string; formats: Pick<Formats, 'number'> }): string {
  const { group, decimal } = separatorsOf(formats) ?? { group: ',', decimal: '.' }
  const [whole = '', rest] = new Decimal(amount).toFixed(decimalsOf(currency)).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, plain(group))
  return `${currency} ${grouped}${rest === undefined || /^0+$/.test(rest) ? '' : `${decimal}${rest}`}`
}

/** The amount that somebody typed; undefined for what is none in the currency. */
export function asked(token: string, currency: string): string | undefined {
  const text = typedAmount(token) ?? ''
  const [, , decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text) ?? ['', '', 'none']
  return decimals.length <= decimalsOf(currency) && decimals !== 'none' ? text : undefined
}

/** PINs that are guessed first: one digit four times, and digits that follow each other. */
export function isWeak(pin: string): boolean {
  return /^(\d)\1{3}$/.test(pin) || '01234567890'.includes(pin) || '09876543210'.includes(pin)
}
