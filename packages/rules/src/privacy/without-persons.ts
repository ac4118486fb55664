import type { PatternOf } from './path-pattern.ts'

/** Two decimals tell a place to a kilometre; a version or a line of a file has none of this form. */
const decimals = /(?<![\w.])-?\d{1,3}\.\d{2,}(?![\w.])/g
/** A long word with a digit in it opens something: a token, a key. Files of the build are none. */
const secrets = /(?<![\w-])(?=[\w-]{0,200}\d)[\w-]{24,}(?![\w-]|\.(?:js|css|ts|map))/g
const addresses = /(?<![\w.:/])\/[^\s?#"'“”‘’()<>[\]{},;]+(\?[^\s"'“”‘’()<>]*)?/g

/**
 * A text without personal data: of each path its pattern, then ids, e-mail addresses, quoted words, places, secrets, and runs
 * of digits that could be a phone or identity number.
 */
export function withoutPersons(text: string, patternOf: PatternOf): string {
  return text
    .replace(/\bhttps?:\/\/[^/\s?#"']+/g, '')
    .replace(addresses, (found) => withoutAddress(found, patternOf))
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, ':id')
    .replace(/[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]+/g, ':e-mail')
    .replace(/“[^”]{0,500}”|"[^"]{0,500}"|'[^'\n]{0,500}'|‘[^’]{0,500}’/g, ':text')
    .replace(decimals, ':number')
    .replace(secrets, ':secret')
    .replace(/\+?\d[\d ()-]{5,}\d/g, ':number')
}

/** A path that no pattern knows stays, for it may be a file of the build; its query goes in any case. */
function withoutAddress(found: string, patternOf: PatternOf): string {
  const path = found.split('?')[0] ?? ''
  return patternOf(path) ?? patternOf(decoded(path)) ?? path
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const isMoment = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T[\d:.]{5,12}Z?$/.test(text)
/** What one report may say; the rest is left out. */
const mostLetters = 10_000
const mostLevels = 6

/** The same of everything an object or list holds, its names and its moments kept. */
export function recordWithoutPersons(value: unknown, patternOf: PatternOf): unknown {
  let left = mostLetters
  const clean = (one: unknown, level: number): unknown => {
    if (typeof one === 'number') return inNumbers(one)
    if (typeof one === 'string') {
      const text = one.slice(0, Math.max(0, left))
      left -= text.length
      return isMoment(text) ? text : withoutPersons(text, patternOf)
    }
    if (typeof one !== 'object' || one === null) return one
    if (level >= mostLevels) return null
    if (Array.isArray(one)) return one.map((part) => clean(part, level + 1))
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, clean(part, level + 1)]))
  }
  return clean(value, 0)
}

/** A number of seven digits may be of a person, one with decimals of a place. */
const inNumbers = (value: number): number | string => (Number.isInteger(value) && Math.abs(value) < 1_000_000 ? value : ':number')
