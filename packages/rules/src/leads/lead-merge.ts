import { isEqual } from 'es-toolkit/predicate/isEqual'

/** Parts of a lead that are merged as a whole: fields that only make sense together form one part. */
export const mergeParts = [
  { key: 'name', label: 'Name', fields: ['firstName', 'lastName'] },
  { key: 'phone', label: 'Phone', fields: ['phonenumber', 'trimmedPhonenumber'] },
  { key: 'email', label: 'E-mail', fields: ['emailAddress'] },
  { key: 'otherPhone', label: 'Other phone', fields: ['contactNumber'] },
  { key: 'idNumber', label: 'ID number', fields: ['idNumber'] },
  { key: 'employment', label: 'Employment', fields: ['employer', 'empNumber'] },
  { key: 'type', label: 'Type', fields: ['type'] },
  { key: 'place', label: 'Place', fields: ['location', 'lineone', 'city', 'state', 'postcode', 'country', 'countryCode', 'addressId'] },
  { key: 'position', label: 'Position', fields: ['latitude', 'longitude'] },
  { key: 'notes', label: 'Notes', fields: ['notes'] },
  { key: 'agent', label: 'Agent', fields: ['assignedUserId'] },
  { key: 'consent', label: 'Consent', fields: ['consentStatus', 'consentDate'] },
  {
    key: 'affordability',
    label: 'Affordability',
    fields: ['affordabilityOutcome', 'affordabilityDate', 'installmentAmount', 'totalAffordability'],
  },
] as const satisfies readonly { key: string; label: string; fields: readonly string[] }[]

/** One of the parts. */
export type LeadPart = (typeof mergeParts)[number]
export type MergePart = LeadPart['key']
export const mergePartKeys = mergeParts.map(({ key }) => key)

/** Days during which a merge can be undone. */
export const undoDays = 30

type Values = Readonly<Record<string, unknown>>

/** The values that the remaining lead takes from the other one: the differing fields of the chosen parts. */
export function takenValues(winner: Values, loser: Values, parts: readonly string[]): Record<string, unknown> {
  const fields = mergeParts.filter(({ key }) => parts.includes(key)).flatMap((part) => [...part.fields])
  return Object.fromEntries(fields.filter((field) => !isSame(winner[field], loser[field])).map((field) => [field, loser[field] ?? null]))
}

/** Parts in which only the other lead has values: the ones a person would most likely choose. */
export function fillingParts(winner: Values, loser: Values): MergePart[] {
  const says = (values: Values, fields: readonly string[]) => fields.some((field) => !isNothing(values[field]))
  return mergeParts.filter(({ fields }) => !says(winner, fields) && says(loser, fields)).map(({ key }) => key)
}

/** The values to restore when a merge is undone, and the fields that were changed since, which stay. */
export function undoneValues({ before, after, now }: { before: Values; after: Values; now: Values }): {
  values: Record<string, unknown>
  kept: string[]
} {
  const fields = Object.keys(after)
  return {
    values: Object.fromEntries(fields.filter((field) => isSame(now[field], after[field])).map((field) => [field, before[field] ?? null])),
    kept: fields.filter((field) => !isSame(now[field], after[field])),
  }
}

const isNothing = (value: unknown) => value === null || value === undefined || value === '' || value === 'NONE' || value === 'NONE PROVIDED'
const isSame = (a: unknown, b: unknown) => isEqual(a ?? null, b ?? null)
