import { decimalsOf } from './currency.ts'
import { separatorsOf, type Formats } from './formats.ts'
import { dayOf, formatDay, formatMoment } from './time-zone.ts'

/** Days, numbers and amounts as a company writes them where nobody's language decides: on papers, in mails, messages and files. */
export interface Wording {
  /** A day (YYYY-MM-DD); what is none stays as it is. */
  day(day: string): string
  /** The day of a moment in the company's time zone. */
  dayOf(moment: Date): string
  /** A moment on the company's clock, or that of a place: "22 Nov 2026 08:30". */
  moment(moment: Date, timeZone?: string): string
  /** A number with its thousands set off; its decimals as they came, text of any length exactly. */
  number(value: number | string): string
  /** An amount with at least the decimals of its currency, without a sign: for columns. */
  plainMoney(value: number | string, currency?: string): string
  /** An amount with the sign or code of its currency, the company's where none is named. */
  money(value: number | string, currency?: string): string
}

export interface WordingOf {
  currency: string
  timeZone: string
  formats: Formats
}

/** The language of papers; a format that was chosen replaces its separators. */
const language = 'en-GB'
const mostDecimals = 6

/** How a company writes. */
export function wordingOf({ currency: own, timeZone, formats }: WordingOf): Wording {
  const separators = separatorsOf(formats)
  const write = (options: Intl.NumberFormatOptions, value: number | string): string => {
    if (value === '' || !Number.isFinite(Number(value))) return String(value)
    // Texts are formatted digit by digit, so that no amount passes through binary fractions.
    const parts = new Intl.NumberFormat(language, options).formatToParts(value as Intl.StringNumericLiteral)
    return parts
      .map(({ type, value: part }) =>
        type === 'group' ? (separators?.group ?? part) : type === 'decimal' ? (separators?.decimal ?? part) : part,
      )
      .join('')
  }
  const decimals = (currency: string): Intl.NumberFormatOptions => ({
    minimumFractionDigits: decimalsOf(currency),
    maximumFractionDigits: Math.max(2, decimalsOf(currency)),
  })
  const plainMoney = (value: number | string, currency = own) => write(decimals(currency), value)
  return {
    day: (day) => (/^\d{4}-\d{2}-\d{2}/.test(day) ? formatDay(day.slice(0, 10), formats.date) : day),
    dayOf: (moment) => formatDay(dayOf(moment.getTime(), timeZone), formats.date),
    moment: (moment, zone = timeZone) => formatMoment(moment.getTime(), zone, formats.date),
    number: (value) => write({ maximumFractionDigits: mostDecimals }, value),
    plainMoney,
    money: (value, currency = own) =>
      /^[A-Z]{3}$/.test(currency)
        ? write(
            { ...decimals(currency), style: 'currency', currency, currencyDisplay: formats.currency === 'code' ? 'code' : 'narrowSymbol' },
            value,
          )
        : `${currency} ${plainMoney(value)}`,
  }
}
