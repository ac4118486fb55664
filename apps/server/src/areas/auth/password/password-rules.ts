import type { FieldError } from '@outpost/contract/errors'

/** Shortest password of a single factor (NIST SP 800-63B-4); there are no rules on kinds of characters. */
const shortestPassword = 15
export const longestPassword = 128

const runs = ['abcdefghijklmnopqrstuvwxyz', '01234567890123456789', 'qwertyuiopasdfghjklzxcvbnm', 'qwertzuiopasdfghjklyxcvbnm']

let common: Promise<ReadonlySet<string>> | undefined

/** Why a password may not be used, one sentence; undefined when it is good. `words`: names of the user and company. */
export async function findPasswordFault(
  password: string,
  words: readonly string[],
  shortest: number = shortestPassword,
): Promise<string | undefined> {
  const length = [...password].length
  if (length < shortest) return `must have at least ${shortest} characters`
  if (length > longestPassword) return `must have at most ${longestPassword} characters`
  const plain = password.normalize('NFKC').toLowerCase()
  if (new Set(plain).size < 5 || isRepetition(plain) || isRun(plain)) return 'follows a simple pattern'
  if ((await commonPasswords()).has(plain)) return 'is one of the most common passwords'
  if (withoutWords(plain, words).length < 8) return 'is made of your name or the name of your company'
  return undefined
}

/** The fault as the field error of an answer. */
export async function checkPassword(
  { password, field }: { password: string; field: string },
  words: readonly string[],
  shortest: number,
): Promise<FieldError[]> {
  const fault = await findPasswordFault(password, words, shortest)
  return fault ? [{ field, message: fault }] : []
}

/** The lists of zxcvbn: 49,233 passwords and 7,776 diceware words; loaded when first needed. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(Object.values(dictionary).flat()))
  return common
}

function isRepetition(text: string): boolean {
  for (let unit = 1; unit <= 10 && unit * 2 <= text.length; unit += 1) {
    if (
      text ===
      text
        .slice(0, unit)
        .repeat(Math.ceil(text.length / unit))
        .slice(0, text.length)
    )
      return true
  }
  return false
}

function isRun(text: string): boolean {
  return runs.some((run) => {
    const twice = run + run
    return twice.includes(text) || [...twice].reverse().join('').includes(text)
  })
}

function withoutWords(text: string, words: readonly string[]): string {
  const parts = words
    .flatMap((word) =>
      word
        .normalize('NFKC')
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    )
    .filter((part) => part.length >= 3)
  const longestFirst = [...new Set(parts)].sort((one, other) => other.length - one.length)
  return longestFirst.reduce((left, word) => left.replaceAll(word, ''), text)
}
