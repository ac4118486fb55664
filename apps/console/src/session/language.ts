import type { Locale } from 'antd/es/locale'
import { bestLanguage, isLanguage, locales, type LanguageCode } from '../languages/locales.ts'
import { getFormats, weekStart, writeNumber } from './formats.ts'
import { getLanguage, setLanguage } from './labels.ts'

const storedKey = 'outpost.language'
const antdWords = new Map<string, Locale>()

/** The language of this device: the one chosen here last, else what the browser asks for. */
export function deviceLanguage(): LanguageCode {
  const stored = readStored()
  return isLanguage(stored) ? stored : bestLanguage(navigator.languages)
}

/**
 * Shows the console in a language, with its dates, numbers and the words of its controls. False: it cannot be fetched now, and the
 * console stays as it is.
 */
export async function showLanguage(code: LanguageCode): Promise<boolean> {
  try {
    const words = await locales[code].load?.()
    if (words) antdWords.set(code, words)
    // Before the texts: what is drawn anew with them asks for the words of time.
    if (code !== getLanguage()) (await import('dayjs')).default.locale(locales[code].dayjs)
    await setLanguage(code)
    await alignWeeks()
  } catch (error) {
    console.info(`The texts of ${code} cannot be fetched now.`, error)
    return false
  }
  document.documentElement.lang = locales[code].intl
  return true
}

const monday = 1
let aligned = monday

/** Calendars of date fields begin their weeks on the company's day. All our languages begin on Monday: then nothing is to be done. */
export async function alignWeeks(): Promise<void> {
  const first = weekStart()
  if (first === monday && aligned === monday) return
  const [{ default: dayjs }] = await Promise.all([import('dayjs'), import('dayjs/locale/en-gb.js')])
  for (const locale of Object.values(dayjs.Ls)) Object.assign(locale, { weekStart: first })
  aligned = first
}

/** Shows a language that somebody chose, and remembers it on this device. */
export async function chooseLanguage(code: LanguageCode): Promise<boolean> {
  const isShown = await showLanguage(code)
  if (isShown) store(code)
  return isShown
}

/** What antd's controls say in the present language; undefined for English, which is always there. */
export const antdLocale = (): Locale | undefined => antdWords.get(getLanguage())

/** Name of the dayjs locale of the present language. */
export const dayjsLocale = (): string => currentLocale().dayjs

/** How dates and numbers are written in the present language, for Intl. */
export const intlLocale = (): string => currentLocale().intl

const numbers = new Map<string, Intl.NumberFormat>()

/** A number format of the present language, in the separators of the company; made once. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): { format: (value: number) => string } {
  // Some languages set off thousands from 10,000 on only; whoever chose separators wants to see them.
  const all = getFormats().number === 'language' ? options : { useGrouping: 'always' as const, ...options }
  const key = `${intlLocale()} ${JSON.stringify(all)}`
  const made = numbers.get(key) ?? new Intl.NumberFormat(intlLocale(), all)
  numbers.set(key, made)
  return { format: (value) => writeNumber(made, value) }
}

function currentLocale() {
  const code = getLanguage()
  return locales[isLanguage(code) ? code : 'en']
}

function readStored(): string | null {
  try {
    return localStorage.getItem(storedKey)
  } catch {
    return null
  }
}

function store(code: LanguageCode): void {
  try {
    localStorage.setItem(storedKey, code)
  } catch (error) {
    console.info('The language cannot be remembered on this device.', error)
  }
}
