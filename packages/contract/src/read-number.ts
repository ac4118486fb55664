/** A number that came as decimal text; empty text is null, what is no such text stays. Exponents, separators and other bases are no decimal text. */
export function readNumber(given: unknown): unknown {
  if (typeof given !== 'string') return given
  const text = given.trim()
  if (text === '') return null
  return /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : given
}
