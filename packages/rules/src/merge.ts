import { isEqual } from 'es-toolkit/predicate/isEqual'

/** A part of a person that is merged as a whole: fields that only make sense together. */
export interface MergePart {
  key: string
  label: string
  fields: readonly string[]
}

/** Days during which a merge can be undone. */
export const undoDays = 30

type Values = Readonly<Record<string, unknown>>

/** The values that the remaining record takes from the other one: the differing fields of the chosen parts. */
export function takenValues(
  parts: readonly MergePart[],
  { winner, loser, take }: { winner: Values; loser: Values; take: readonly string[] },
): Record<string, unknown> {
  const fields = parts.filter(({ key }) => take.includes(key)).flatMap((part) => [...part.fields])
  return Object.fromEntries(fields.filter((field) => !isSame(winner[field], loser[field])).map((field) => [field, loser[field] ?? null]))
}

/** Parts in which only the other record has values: the ones a person would most likely choose. */
export function fillingParts(parts: readonly MergePart[], winner: Values, loser: Values): string[] {
  const says = (values: Values, fields: readonly string[]) => fields.some((field) => !isNothing(values[field]))
  return parts.filter(({ fields }) => !says(winner, fields) && says(loser, fields)).map(({ key }) => key)
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
