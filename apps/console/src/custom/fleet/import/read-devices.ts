import Papa from 'papaparse'

export interface ImportRow {
  /** What the service is sent. */
  values: Record<string, unknown>
  /** Where it is in the file: the headings are row 1. */
  at: number
}

/** Headings that people write, in lower case without signs, and the names they mean. */
const headings: Readonly<Record<string, string>> = {
  name: 'name',
  identifier: 'uniqueId',
  imei: 'uniqueId',
  uniqueid: 'uniqueId',
  type: 'type',
  category: 'category',
  make: 'make',
  model: 'model',
  phone: 'phone',
  sim: 'phone',
  simnumber: 'phone',
  contact: 'contact',
}

/** Devices of a CSV file with headings; commas, semicolons and tabs part alike. Throws an Error with words for whoever chose the file. */
export function readDevices(text: string): ImportRow[] {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transform: (cell) => cell.trim(),
  })
  const fields = meta.fields ?? []
  const unknown = fields.filter((field) => nameOf(field) === undefined && field !== '')
  if (unknown.length > 0) throw new Error(`Headings that mean nothing here: ${unknown.join(', ')}`)
  for (const [name, words] of [
    ['name', 'Name'],
    ['uniqueId', 'IMEI'],
  ])
    if (!fields.some((field) => nameOf(field) === name)) throw new Error(`The heading ${words} is missing`)
  const broken = errors.find(({ type }) => type === 'Quotes' || type === 'FieldMismatch')
  if (broken) throw new Error(`Row ${(broken.row ?? 0) + 2}: ${broken.message}`)
  return data.map((row, index) => ({ at: index + 2, values: valuesOf(row) }))
}

const nameOf = (field: string): string | undefined => {
  const key = field.toLowerCase().replace(/[^a-z]/g, '')
  return Object.hasOwn(headings, key) ? headings[key] : undefined
}

function valuesOf(row: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([field, cell]) => {
      const name = nameOf(field)
      return name !== undefined && cell !== '' ? [[name, cell] as const] : []
    }),
  )
}
