const plain = /^-?\d+(\.\d+)?$/
const grouped = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/
/** As much of the world writes: 12,50 and 1.234,50. Three digits behind one comma are thousands, for most currencies have none such. */
const withComma = /^-?(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/

/**
 * An amount as people and banks write it (1234.5, 1,234.50, 1 234,50, 1.234,50), as decimal text. Undefined for what is none, or might be two: leaving out every
 * comma made 1250 of 12,50.
 */
export function typedAmount(given: string): string | undefined {
  const text = given.replaceAll(/\s/g, '')
  if (plain.test(text)) return text
  if (grouped.test(text)) return text.replaceAll(',', '')
  return withComma.test(text) ? text.replaceAll('.', '').replace(',', '.') : undefined
}
