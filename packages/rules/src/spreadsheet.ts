const dangerous = /^[=+\-@\t\r\0]/
const number = /^[+-]?\d+(?:[.,]\d+)?$/

/**
 * Text that a spreadsheet cannot take for a formula: a leading = + - @ tab, return or NUL gets an apostrophe before
 * it (security.md T27). Phone numbers with a plus sign carry it too.
 */
export function guardText(text: string): string {
  const plain = text.replaceAll('\0', '')
  return dangerous.test(text) ? `'${plain}` : plain
}

/** A text as it was before guardText(): what a file of ours was given back with. */
export const unguardText = (text: string): string => (text.startsWith("'") && dangerous.test(text.slice(1)) ? text.slice(1) : text)

/** A text as a field of CSV (RFC 4180), and no formula; what is a number alone stays one. */
export const csvField = (text: string): string => (/[",\r\n]/.test(safe(text)) ? quotedField(text) : safe(text))

/** The same, always quoted. */
export const quotedField = (text: string): string => `"${safe(text).replaceAll('"', '""')}"`

const safe = (text: string) => (number.test(text) ? text : guardText(text))
