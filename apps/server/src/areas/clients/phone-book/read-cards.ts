/** What a file says of somebody, by fields of an entry; `row` is its place: the line of a table, or the number of the card. */
export interface ReadEntry {
  row: number
  values: Partial<Record<EntryColumn, string>>
}
export const entryColumns = [
  'name',
  'organisation',
  'jobTitle',
  'phonenumber',
  'otherNumber',
  'emailAddress',
  'visibility',
  'notes',
] as const
export type EntryColumn = (typeof entryColumns)[number]

/** Words that a column of a table may be headed by, in any spelling of case and spaces. */
const words: Record<EntryColumn, readonly string[]> = {
  name: ['name', 'fullname', 'contact', 'displayname'],
  organisation: ['organisation', 'organization', 'company', 'employer', 'org'],
  jobTitle: ['jobtitle', 'position', 'title', 'role'],
  phonenumber: ['phonenumber', 'phone', 'mobile', 'mobilephone', 'telephone', 'msisdn'],
  otherNumber: ['othernumber', 'otherphone', 'phone2', 'workphone', 'homephone'],
  emailAddress: ['emailaddress', 'email', 'mail'],
  visibility: ['visibility', 'seenby'],
  notes: ['notes', 'note'],
}
const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

export const isCards = (text: string): boolean => /^\uFEFF?\s*BEGIN:VCARD/i.test(text)

/** The rows of a table below its headings; columns that nobody knows are left out, and empty rows counted. */
export function readTable([head = [], ...body]: readonly string[][]): ReadEntry[] {
  const columns = head.map((heading) => entryColumns.find((key) => words[key].includes(plain(heading))))
  return body.flatMap((cells, index) => {
    const pairs = columns.flatMap((key, place) => (key && cells[place]?.trim() ? [[key, cells[place].trim()] as const] : []))
    return pairs.length === 0 ? [] : [{ row: index + 2, values: Object.fromEntries(pairs) }]
  })
}

/** The cards of a file as phones write them (vCard 2.1, 3.0 and 4.0): folded lines, quoted-printable text, groups before names. */
export function readCards(text: string): ReadEntry[] {
  const cards: Line[][] = []
  for (const line of linesOf(text)) {
    if (line.name === 'BEGIN') cards.push([])
    else if (line.name !== 'END') cards.at(-1)?.push(line)
  }
  return cards.map((lines, index) => ({ row: index + 1, values: entryOf(lines) }))
}

interface Line {
  name: string
  value: string
}

function entryOf(lines: readonly Line[]): ReadEntry['values'] {
  const all = (name: string) => lines.filter((line) => line.name === name).map(({ value }) => value)
  const first = (name: string) => all(name)[0]
  const [family = '', given = ''] = partsOf(first('N') ?? '')
  const [phonenumber, otherNumber] = [...new Set(all('TEL').map((number) => number.replace(/^tel:/i, '').trim()))]
  const organisation = partsOf(first('ORG') ?? '')
    .filter(Boolean)
    .join(', ')
  const values = {
    name: unescaped(first('FN') ?? '') || [given, family].filter(Boolean).join(' ') || organisation,
    organisation,
    jobTitle: unescaped(first('TITLE') ?? ''),
    phonenumber,
    otherNumber,
    emailAddress: unescaped(first('EMAIL') ?? ''),
    notes: unescaped(first('NOTE') ?? ''),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => (value ?? '').trim() !== ''))
}

function linesOf(text: string): Line[] {
  // A line goes on where the next begins with a space, and, in quoted-printable text, after an equals sign at its end.
  const unfolded = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
  const lines: { pieces: string[]; isQuoted: boolean }[] = []
  for (const line of unfolded) {
    const before = lines.at(-1)
    if (before?.isQuoted && before.pieces.at(-1)?.endsWith('=')) before.pieces.push(line)
    else lines.push({ pieces: [line], isQuoted: isQuoted(line) })
  }
  return lines.flatMap(({ pieces, isQuoted: isCoded }) => {
    const line = pieces.map((piece, place) => (place < pieces.length - 1 ? piece.slice(0, -1) : piece)).join('')
    const colon = line.indexOf(':')
    if (colon < 0) return []
    const [name = ''] = line.slice(0, colon).split(';', 1)
    const value = line.slice(colon + 1)
    return [{ name: name.slice(name.lastIndexOf('.') + 1).toUpperCase(), value: isCoded ? unquoted(value) : value }]
  })
}

const isQuoted = (line: string): boolean => line.slice(0, line.indexOf(':')).toUpperCase().includes('ENCODING=QUOTED-PRINTABLE')

/** Quoted-printable text of UTF-8, as older phones write it. */
function unquoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return /[^\0-\xff]/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8')
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, mark: string) => (mark.toLowerCase() === 'n' ? '\n' : mark)).trim()

const partsOf = (text: string): string[] => text.split(/(?<!\\);/).map(unescaped)
