import { upperFirst } from 'es-toolkit/string/upperFirst'
import dayjs from 'dayjs'
import 'dayjs/locale/en-gb.js'
import relativeTime from 'dayjs/plugin/relativeTime.js'
import { dayOf, minuteOf } from '@outpost/rules/time-zone'
import { companyZone, getFormats } from '../session/formats.ts'
import { dayjsLocale, numberFormat } from '../session/language.ts'
import { serverNow } from '../session/token.ts'

dayjs.extend(relativeTime)
dayjs.locale(dayjsLocale())

/** A day as it travels. */
export const dateShape = 'YYYY-MM-DD'
/** Days and moments as the company writes them, everywhere: "22 Nov 2026" where it did not choose. */
export const shownDate = (): string => getFormats().date
export const shownDateTime = (): string => `${getFormats().date} HH:mm`
export const noValue = '–'

const plain = { maximumFractionDigits: 6 }

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** A calendar day; a text that is no date is left as it is. */
export function formatDate(value: unknown): string {
  return formatWith(value, shownDate())
}

/** Today in a time zone; the device's own zone when it knows no better. */
export function dayIn(timeZone: string | undefined): string {
  return dayOf(Date.now(), timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
}

/** A moment in the device's own time zone. */
export function formatDateTime(value: unknown): string {
  return formatWith(value, shownDateTime())
}

/** The time on the clock of a moment, "08:30". */
export function formatTime(value: unknown): string {
  return formatWith(value, 'HH:mm')
}

/** The calendar day (YYYY-MM-DD) of a moment where the company is. */
export const companyDay = (value: string): string => dayOf(Date.parse(value), companyZone())

const isMoment = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** The day of a moment where the company is: what is counted by its days (vehicles, reports) is shown by its clock, wherever one looks from. */
export const formatCompanyDate = (value: unknown): string => formatDate(isMoment(value) ? companyDay(value) : value)

/** A moment on the company's clock, "08:30". */
export function formatCompanyTime(value: unknown): string {
  if (!isMoment(value)) return formatTime(value)
  const minute = minuteOf(Date.parse(value), companyZone())
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Day and time of a moment where the company is. */
export const formatCompanyDateTime = (value: unknown): string =>
  isMoment(value) ? `${formatCompanyDate(value)} ${formatCompanyTime(value)}` : formatDateTime(value)

function formatWith(value: unknown, shape: string): string {
  if (isBlank(value)) return ''
  const moment = dayjs(value as string)
  return moment.isValid() ? moment.format(shape) : String(value)
}

/** "3 hours ago"; the absolute time belongs beside it (title or hover). */
export function formatRelative(value: unknown): string {
  if (isBlank(value)) return ''
  const moment = dayjs(value as string)
  // By the server's clock: that of this device may be wrong.
  return moment.isValid() ? moment.from(serverNow()) : String(value)
}

export function formatNumber(value: unknown): string {
  if (isBlank(value)) return ''
  const number = Number(value)
  return Number.isFinite(number) ? numberFormat(plain).format(number) : String(value)
}

/** An amount with the company's currency, e.g. R1,250.00 for ZAR; decimals travel as numbers or text. */
export function formatMoney(value: unknown, currency: string): string {
  if (isBlank(value)) return ''
  const number = Number(value)
  return Number.isFinite(number) ? moneyFormat(currency).format(number) : String(value)
}

function moneyFormat(currency: string): ReturnType<typeof numberFormat> {
  const options = /^[A-Z]{3}$/.test(currency)
    ? ({ style: 'currency', currency, currencyDisplay: getFormats().currency === 'code' ? 'code' : 'narrowSymbol' } as const)
    : ({ minimumFractionDigits: 2, maximumFractionDigits: 2 } as const)
  return numberFormat(options)
}

/** Rows of a list in words: "1,204", or "10,000+" when the server stopped counting. */
export function formatCount(total: number, isEstimated: boolean): string {
  if (!isEstimated) return numberFormat(plain).format(total)
  return total >= 10_000 ? `${numberFormat(plain).format(10_000)}+` : `${numberFormat(plain).format(total)}+`
}

/** 'dateCreated' -> 'Date created'; for keys that came without a label. */
export function wordsOf(key: string): string {
  return upperFirst(key.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase())
}
