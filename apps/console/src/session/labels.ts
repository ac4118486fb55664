import type { CompanyWord } from '@outpost/contract/console'
import { createInstance } from 'i18next'
import { englishTexts, languages } from '../languages/languages.ts'

const english = 'en'
/** A company's own wording comes first, then the language's texts, then the English original itself. */
const [ofCompany, ofLanguage] = ['company', 'language']

const i18n = createInstance()
void i18n.init({
  lng: english,
  fallbackLng: english,
  initAsync: false,
  // Originals are sentences: a point or a colon in them separates nothing.
  keySeparator: false,
  nsSeparator: false,
  ns: [ofCompany, ofLanguage],
  defaultNS: ofCompany,
  fallbackNS: ofLanguage,
  returnEmptyString: false,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
  resources: { [english]: { [ofLanguage]: englishTexts } },
})

/** Texts without values by their originals: a screen asks for the same ones at each render. */
const known = new Map<string, string>()
const listeners = new Set<() => void>()
let words: readonly CompanyWord[] = []
let wanted = english

/**
 * A text of the interface by its English original: in the company's wording, else in the chosen language, else as it is.
 * `values` fill `{{name}}`; `count` also chooses the plural form.
 */
export function t(text: string, values?: Readonly<Record<string, string | number>>): string {
  // What a company entered is plain text: it never refers to other texts.
  if (values) return i18n.t(text, { ...values, nest: false })
  const found = known.get(text) ?? i18n.t(text, { skipInterpolation: true })
  known.set(text, found)
  return found
}

/** Stores the company's own words; an empty value keeps the original text. */
export function setLabels(given: readonly CompanyWord[]): void {
  words = given
  applyLabels()
}

/** Switches to a language after its bundle has arrived; the console redraws. Fails for one that is not there or cannot be fetched. */
export async function setLanguage(code: string, bundles: typeof languages = languages): Promise<void> {
  wanted = code
  if (code !== english && !i18n.hasResourceBundle(code, ofLanguage)) {
    const load = bundles[code]
    if (!load) throw new Error(`There is no bundle of texts for ${code}.`)
    i18n.addResourceBundle(code, ofLanguage, await load())
  }
  // Somebody may have chosen another one meanwhile.
  if (wanted !== code) return
  await i18n.changeLanguage(code)
  applyLabels()
  for (const listener of listeners) listener()
}

export const getLanguage = (): string => i18n.language

/** Calls the listener after each change of language; returns the function that ends it. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const wordsIn = (code: string): Record<string, string> =>
  Object.fromEntries(words.flatMap(({ label, value, language = english }) => (language === code ? [[label, value]] : [])))

function applyLabels(): void {
  for (const code of [english, i18n.language]) {
    i18n.removeResourceBundle(code, ofCompany)
    // A word in English stands in where the company has none in the language: its name for a thing is its name in all of them.
    i18n.addResourceBundle(code, ofCompany, { ...wordsIn(english), ...wordsIn(code) })
  }
  known.clear()
}
