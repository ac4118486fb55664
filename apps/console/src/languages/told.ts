/** Texts of one language by their English originals; plural forms end with i18next's suffixes (_one, _few, _many, _other). */
export type Texts = Readonly<Record<string, string>>

/** A sentence of the server as its bundle has it, and the values in it. */
export interface Told {
  key: string
  values: Record<string, string | number>
}
export type FindTold = (text: string) => Told[]

interface Pattern {
  key: string
  /** The words before, between and after the places, in order. */
  fixed: readonly string[]
  places: readonly string[]
}

const suffix = /_(?:zero|one|two|few|many|other)$/
const place = /\{\{(\w+)\}\}/

/** A key of the bundle without the suffix of its plural form. */
export const originalOf = (key: string): string => (key.includes('{{count}}') ? key.replace(suffix, '') : key)

function patternOf(key: string, wording: string): Pattern {
  const parts = wording.split(place)
  return { key, fixed: parts.filter((_, index) => index % 2 === 0), places: parts.filter((_, index) => index % 2 === 1) }
}

const lengthOf = ({ fixed }: Pattern) => fixed.join('').length

/** All patterns of a bundle, those that say most first: of two that fit a sentence, the more particular one counts. */
function patternsOf(texts: Texts, singulars: Texts): Pattern[] {
  const keys = new Set(Object.keys(texts).map(originalOf))
  const singular = Object.entries(singulars).flatMap(([form, wording]) => {
    const key = originalOf(form)
    return keys.has(key) ? [patternOf(key, wording)] : []
  })
  return [...[...keys].map((key) => patternOf(key, key)), ...singular]
    .filter(({ places }) => places.length > 0)
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
}

/** The values in the places of a text that the pattern fits. Each fixed part is looked for once, from left to right: no text makes this slow. */
function valuesOf({ fixed, places }: Pattern, text: string): string[] | undefined {
  const start = fixed[0] ?? ''
  const end = fixed.at(-1) ?? ''
  if (text.length < start.length + end.length || !text.startsWith(start) || !text.endsWith(end)) return undefined
  const inner = text.slice(0, text.length - end.length)
  const values: string[] = []
  let from = start.length
  for (const part of fixed.slice(1, -1)) {
    const at = inner.indexOf(part, from)
    if (at < 0) return undefined
    values.push(inner.slice(from, at))
    from = at + part.length
  }
  values.push(inner.slice(from))
  return values.every((value, index) => places[index] !== 'count' || /^\d+$/.test(value)) ? values : undefined
}

const named = ({ key, places }: Pattern, values: readonly string[]): Told => ({
  key,
  values: Object.fromEntries(
    places.map((name, index) => [name, name === 'count' ? Number(values[index]) : (values[index] ?? '')] as const),
  ),
})

/**
 * Finds the sentences of a bundle that a text of the server may be, by the words around their places, the most particular first.
 * `singulars` are English singular forms (`<key>_one`).
 */
export function createTold(texts: Texts, singulars: Texts): FindTold {
  const patterns = patternsOf(texts, singulars)
  return (text) =>
    text.includes(' ')
      ? patterns.flatMap((pattern) => {
          const values = valuesOf(pattern, text)
          return values ? [named(pattern, values)] : []
        })
      : []
}

/** How deep sentences lie in sentences; a company's name that looks like one goes no further. */
const deepest = 3
const small = (text: string) => (/^\p{Lu}{2}/u.test(text) ? text : text.slice(0, 1).toLowerCase() + text.slice(1))
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

interface Words {
  find: FindTold
  /** The exact text in the language, undefined where it is not known. */
  exact: (text: string) => string | undefined
  /** A sentence of the bundle with its values. */
  fill: (key: string, values: Told['values']) => string
}

/**
 * A sentence of the server in the language, undefined where the bundle does not have it. What a place holds stays as it is: names, amounts
 * and dates are nobody's words. By its name a place says otherwise: `word…` holds a word or sentence of ours and is said in the language
 * where that is known, `words…` a list of them, and `phrase…` must be known, or the sentence is another one.
 */
export function sayTold(text: string, words: Words, depth = 0): string | undefined {
  if (depth === deepest) return undefined
  return sayEach(text, words, depth) ?? sayOne(text, words, depth)
}

/** Several sentences, one after another, where each is known by itself. */
function sayEach(text: string, words: Words, depth: number): string | undefined {
  const parts = text.split(/(?<=[.?!]) (?=\S)/)
  if (parts.length < 2 || parts.length > 8) return undefined
  const said = parts.map((one) => words.exact(one) ?? sayOne(one, words, depth))
  return said.every((one) => one !== undefined) ? said.join(' ') : undefined
}

function sayOne(text: string, words: Words, depth: number): string | undefined {
  for (const { key, values } of words.find(text)) {
    const said = Object.entries(values).map(([name, value]) => [name, valueIn(name, value, words, depth + 1)] as const)
    const isWhole = said.every((entry): entry is [string, string | number] => entry[1] !== undefined)
    if (isWhole) return words.fill(key, Object.fromEntries(said))
  }
  return undefined
}

function valueIn(name: string, value: string | number, words: Words, depth: number): string | number | undefined {
  if (typeof value === 'number') return value
  if (name.startsWith('phrase')) return part(value, words, depth)
  if (name.startsWith('words')) return part(value, words, depth) ?? listIn(value, words, depth)
  return name.startsWith('word') ? (part(value, words, depth) ?? value) : value
}

/** A word in a sentence: as it is, with a capital ("lead" of "Lead"), or a sentence by itself. */
function part(text: string, words: Words, depth: number): string | undefined {
  const exact = words.exact(text)
  if (exact !== undefined) return exact
  const word = capital(text) === text ? undefined : words.exact(capital(text))
  return word === undefined ? sayTold(text, words, depth) : small(word)
}

const separators = /(, | and |; )/
/** "1 loan, 2 applications and 3 payouts": each by itself, and the words between them. */
const listIn = (text: string, words: Words, depth: number): string =>
  text
    .split(separators)
    .map((one) => (one === ' and ' ? ` ${words.exact('and') ?? 'and'} ` : (part(one, words, depth) ?? one)))
    .join('')
