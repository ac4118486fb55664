/** What a card says of somebody. */
export interface Card {
  id: string
  name: string
  organisation: string | null
  jobTitle: string | null
  phonenumber: string | null
  otherNumber: string | null
  emailAddress: string | null
}

/** A vCard 3.0 (RFC 2426), which phones of all makes read: lines end in CRLF and are folded at 75 bytes. The last word of the name is the family name. */
export function vcardOf({ id, name, organisation, jobTitle, phonenumber, otherNumber, emailAddress }: Card): string {
  const words = name.trim().split(/\s+/)
  const [family, given] = words.length > 1 ? [words.at(-1) ?? '', words.slice(0, -1).join(' ')] : ['', name.trim()]
  const line = (key: string, value: string | null) => (value ? [`${key}:${escaped(value)}`] : [])
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `UID:urn:uuid:${id}`,
    `N:${escaped(family)};${escaped(given)};;;`,
    ...line('FN', name),
    ...line('ORG', organisation),
    ...line('TITLE', jobTitle),
    ...line('TEL;TYPE=CELL', phonenumber),
    ...line('TEL;TYPE=VOICE', otherNumber),
    ...line('EMAIL;TYPE=INTERNET', emailAddress),
    'END:VCARD',
  ]
    .map((text) => `${folded(text)}\r\n`)
    .join('')
}

const escaped = (value: string) =>
  value
    .replace(/\\/g, '\\\\')
    .replace(/\r?\n/g, '\\n')
    .replace(/[,;]/g, (mark) => `\\${mark}`)

/** No character is cut in two. */
function folded(line: string): string {
  let [text, bytes] = ['', 0]
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > 75) [text, bytes] = [`${text}\r\n `, 1]
    text += character
    bytes += size
  }
  return text
}
