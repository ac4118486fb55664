import { readFileSync } from 'node:fs'
import { languageCodes } from '@outpost/contract/looks'
import { describe, expect, it } from 'vitest'
import { languages } from './languages.ts'
import { bestLanguage, locales } from './locales.ts'
import { originalOf } from './told.ts'

const others = languageCodes.filter((code) => code !== 'en')
const read = (code: string) => JSON.parse(readFileSync(new URL(`./${code}.json`, import.meta.url), 'utf8')) as Record<string, string>
const placeholders = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].toSorted().join(' ')

it('the bundles are one for each language', () => {
  expect(Object.keys(languages).toSorted()).toEqual([...others].toSorted())
  expect(Object.keys(locales).toSorted()).toEqual([...languageCodes].toSorted())
})

describe.each(['', 'told/'])('the bundles of %s', (folder) => {
  const bundles = Object.fromEntries(languageCodes.map((code) => [code, read(`${folder}${code}`)]))
  const originals = (code: string) => new Set(Object.keys(bundles[code] ?? {}).map(originalOf))

  it.each(languageCodes)('of %s keep the placeholders of each original', (code) => {
    const wrong = Object.entries(bundles[code] ?? {}).filter(([key, text]) => placeholders(key) !== placeholders(text))
    expect(wrong).toEqual([])
  })

  it.each(others)('of %s have all plural forms of the language, and no empty text', (code) => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories
    const counted = [...originals(code)].filter((key) => key.includes('{{count}}'))
    expect(counted.length).toBeGreaterThan(8)
    const missing = counted.flatMap((key) => forms.map((form) => `${key}_${form}`)).filter((key) => !bundles[code]?.[key])
    expect([missing, Object.entries(bundles[code] ?? {}).filter(([, text]) => text.trim() === '')]).toEqual([[], []])
  })

  it('say nothing that French, the whole one, does not say, and Swahili and Portuguese say the same', () => {
    const [french, portuguese, swahili] = [originals('fr'), originals('pt'), originals('sw')]
    expect([[...portuguese].filter((key) => !french.has(key)), [...portuguese.symmetricDifference(swahili)]]).toEqual([[], []])
  })

  it('have a French text for each English singular', () => {
    expect([...originals('en')].filter((key) => !originals('fr').has(key))).toEqual([])
  })
})

describe('the language of a browser', () => {
  it('is the first that the console speaks, whatever the country', () => {
    expect([['fr-CD', 'en'], ['de-CH', 'pt-MZ'], ['SW'], ['de'], []].map((wanted) => bestLanguage(wanted))).toEqual([
      'fr',
      'pt',
      'sw',
      'en',
      'en',
    ])
  })
})
