import type { CompanyWord } from '@outpost/contract/console'
import { createInstance } from 'i18next'
import { englishTexts, languages, loadTold } from '../languages/languages.ts'
import { createTold, sayTold, type FindTold } from '../languages/told.ts'

const english = 'en'
/** A company's own wording comes first, then the language's texts, then the server's sentences, then the English original itself. */
const [ofCompany, ofLanguage, ofServer] = ['company', 'language', 'server']

const i18n = createInstance()
void i18n.init({
  lng: english,
  fallbackLng: english,
  initAsync: false,
  // Originals are sentences: a point or a colon in them separates nothing.
  keySeparator: false,
  nsSeparator: false,
  ns: [ofCompany, ofLanguage, ofServer],
  defaultNS: ofCompany,
  fallbackNS: [ofLanguage, ofServer],
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
/** By language; English needs none. */
const sentences = new Map<string, FindTold>()

/**
 * A text of the interface by its English original: in the company's wording, else in the chosen language, else as it is.
 * `values` fill `{{name}}`; `count` also chooses the plural form. A sentence of the server comes with its values in it ("3 leads were
 * assigned to you"): where no text is the same, the sentence around the values is looked for.
 */
export function t(text: string, values?: Readonly<Record<string, string | number>>): string {
  // What a company entered is plain text: it never refers to other texts.
  if (values) return i18n.t(text, { ...values, nest: false })
  const found = known.get(text) ?? exactly(text) ?? told(text) ?? text
  known.set(text, found)
  return found
}

function exactly(text: string): string | undefined {
  const found = i18n.t(text, { skipInterpolation: true })
  return found === text && !i18n.exists(text) ? undefined : found
}

function told(text: string): string | undefined {
  const find = sentences.get(i18n.language)
  return find && sayTold(text, { find, exact: exactly, fill: t })
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
    const [texts, server] = await Promise.all([load(), loadTold(code)])
    i18n.addResourceBundle(code, ofLanguage, texts)
    i18n.addResourceBundle(code, ofServer, server.texts)
    sentences.set(code, createTold(server.texts, server.singulars))
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
