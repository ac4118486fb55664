import type { Formats } from '@outpost/rules/formats'
import { client } from '../client.resource.ts'

/** Fields of a client that a file may fill; branch and agent are given by name. */
const own = [
  'firstName',
  'lastName',
  'phonenumber',
  'idNumber',
  'emailAddress',
  'contactNumber',
  'dateOfBirth',
  'type',
  'employer',
  'empNumber',
  'jobTitle',
  'employedSince',
  'location',
  'lineone',
  'city',
  'state',
  'postcode',
  'country',
  'notes',
] as const
export const columnKeys = [...own, 'branch', 'agent'] as const
export type ImportColumn = (typeof columnKeys)[number]

/** Other words that such a column is headed by. */
const words: Partial<Record<ImportColumn, readonly string[]>> = {
  firstName: ['forename', 'givenname'],
  lastName: ['surname', 'familyname'],
  phonenumber: ['phonenumber', 'mobile', 'mobilenumber', 'msisdn', 'telephone'],
  idNumber: ['nationalid', 'idno', 'id'],
  emailAddress: ['email', 'mail'],
  dateOfBirth: ['dob', 'birthday', 'birthdate'],
  lineone: ['address', 'addressline1'],
  city: ['city'],
  state: ['county', 'province', 'region'],
  postcode: ['zip', 'postalcode', 'zipcode'],
  empNumber: ['payrollnumber', 'payroll'],
  branch: ['tenant', 'office'],
  agent: ['officer', 'owner', 'loanofficer', 'assignedto'],
}

interface ImportField {
  key: ImportColumn
  label: string
  required: boolean
}
/** What a column of a file may be. */
export const importFields: readonly ImportField[] = columnKeys.map((key) => {
  if (key === 'branch' || key === 'agent') return { key, label: key === 'branch' ? 'Branch' : 'Agent', required: false }
  const { label = key, required = false } = client.fields[key] ?? {}
  return { key, label, required }
})

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The field that each heading means, by its name on the wire, its label or a usual word; each field once. */
export function guessColumns(headings: readonly string[]): (ImportColumn | null)[] {
  const taken = new Set<ImportColumn>()
  return headings.map((heading) => {
    const word = plain(heading)
    const found = importFields.find(({ key, label }) => !taken.has(key) && [plain(key), plain(label), ...(words[key] ?? [])].includes(word))
    if (found) taken.add(found.key)
    return found?.key ?? null
  })
}

/** A day as people write it (1990-02-28, 28.2.1990), as YYYY-MM-DD; what is none stays, and is refused by its field. */
export function readDay(text: string, { date }: Formats): string {
  const [, first = '', second = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text) ?? []
  if (year === '') return text
  const [day, month] = date.startsWith('MM') ? [second, first] : [first, second]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The option that a word is, however it is spelt; another word stays, and is refused by its field. */
export function readType(text: string): string {
  const options = client.fields['type']?.options ?? []
  return options.find(({ value }) => plain(value) === plain(text))?.value ?? text
}
