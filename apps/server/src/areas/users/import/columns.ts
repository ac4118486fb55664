import { fail } from '@outpost/contract/errors'

/** What a column may be called: the name on the wire, its label, or both in any spelling of spaces and case. */
const columns = {
  firstName: ['firstname'],
  lastName: ['lastname', 'surname'],
  userName: ['username'],
  emailAddress: ['emailaddress', 'email'],
  mobile: ['mobile', 'phone'],
  jobTitle: ['jobtitle'],
  tenants: ['tenants', 'tenant', 'maintenant', 'branch'],
  roles: ['roles', 'role'],
} as const
export type ImportColumn = keyof typeof columns
const needed: readonly ImportColumn[] = ['firstName', 'lastName', 'emailAddress']

/** A row of the file by column; its number is the one that a spreadsheet shows. */
export interface ImportRow {
  number: number
  values: Partial<Record<ImportColumn, string>>
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')
const columnOf = (heading: string) =>
  (Object.keys(columns) as ImportColumn[]).find((key) => (columns[key] as readonly string[]).includes(plain(heading)))

/** The rows below the headings. Stops with INVALID (file) for headings that nobody knows, that are missing or said twice. */
export function readColumns(rows: readonly { number: number; cells: string[] }[]): ImportRow[] {
  const [head, ...body] = rows
  const headings = (head?.cells ?? []).map((heading) => ({ heading, column: columnOf(heading) }))
  const unknown = headings.filter(({ heading, column }) => heading !== '' && !column).map(({ heading }) => heading.slice(0, 40))
  const found = headings.map(({ column }) => column).filter((column) => column !== undefined)
  const missing = needed.filter((column) => !found.includes(column))
  const faults = [
    ...(unknown.length > 0 ? [`has columns that nobody knows: ${unknown.slice(0, 5).join(', ')}`] : []),
    ...(missing.length > 0 ? [`has no column ${missing.join(', ')}`] : []),
    ...(new Set(found).size < found.length ? ['has a column twice'] : []),
  ]
  if (faults.length > 0) fail('INVALID', { fields: faults.map((message) => ({ field: 'file', message })) })
  return body.map(({ number, cells }) => ({
    number,
    values: Object.fromEntries(headings.flatMap(({ column }, index) => (column && cells[index] ? [[column, cells[index]]] : []))),
  }))
}
