import { languageCodes } from '@outpost/contract/looks'
import type { Locale } from 'antd/es/locale'

export type LanguageCode = (typeof languageCodes)[number]

interface LanguageLocale {
  /** Its own name, as people who speak it look for it. */
  name: string
  /** For dates and numbers, and what the page says it is written in. */
  intl: string
  /** Name of the dayjs locale. */
  dayjs: string
  /** The words of antd's controls, and the words of dayjs ("2 hours ago"). English is always there. */
  load?: () => Promise<Locale>
}

/** The languages of the console: what follows a choice beside the texts. */
export const locales: Readonly<Record<LanguageCode, LanguageLocale>> = {
  en: { name: 'English', intl: 'en-GB', dayjs: 'en-gb' },
  fr: {
    name: 'Français',
    intl: 'fr-FR',
    dayjs: 'fr',
    load: async () => (await Promise.all([import('antd/es/locale/fr_FR'), import('dayjs/locale/fr.js')]))[0].default,
  },
  pt: {
    name: 'Português',
    intl: 'pt-PT',
    dayjs: 'pt',
    load: async () => (await Promise.all([import('antd/es/locale/pt_PT'), import('dayjs/locale/pt.js')]))[0].default,
  },
  sw: {
    name: 'Kiswahili',
    intl: 'sw-KE',
    dayjs: 'sw',
    load: async () => (await Promise.all([import('./antd-sw.ts'), import('dayjs/locale/sw.js')]))[0].swahili,
  },
}

export const isLanguage = (code: unknown): code is LanguageCode => languageCodes.some((one) => one === code)

/** The first of the languages wanted (as browsers name them: "fr-CD") that the console speaks; else English. */
export function bestLanguage(wanted: readonly string[]): LanguageCode {
  return wanted.map((one) => one.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en'
}
