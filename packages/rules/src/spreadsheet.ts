const dangerous = /^[=+\-@\t\r\0]/
const number = /^[+-]?\d+(?:[.,]\d+)?$/

/** Whether a spreadsheet may take the text for a formula: it begins with = + - @, tab, return or NUL. */
export const isFormula = (text: string): boolean => dangerous.test(text)

/**
 * Text of a CSV file that a spreadsheet cannot take for a formula: an apostrophe before it. Phone numbers with a plus sign carry it too. A workbook
 * marks its cells instead, and shows no sign.
 */
export function guardText(text: string): string {
  const plain = text.replaceAll('\0', '')
  return isFormula(text) ? `'${plain}` : plain
}

/** A text as it was before guardText(): what a file of ours was given back with. */
export const unguardText = (text: string): string => (text.startsWith("'") && isFormula(text.slice(1)) ? text.slice(1) : text)

/** A text as a field of CSV (RFC 4180), and no formula; what is a number alone stays one. */
export const csvField = (text: string): string => (/[",\r\n]/.test(safe(text)) ? quotedField(text) : safe(text))

/** The same, always quoted. */
export const quotedField = (text: string): string => `"${safe(text).replaceAll('"', '""')}"`

const safe = (text: string) => (number.test(text) ? text : guardText(text))
