import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Attributes } from './fix.ts'

/** What a column holds; a value of another kind stands in "more". Each of them reads back as the JSON it was. */
type Kind = 'flag' | 'whole' | 'number'

/** Attributes with a column of their own in geo.position, in its order: what nearly every tracker tells. */
const kinds = {
  sat: 'whole', rssi: 'whole', batteryLevel: 'whole', event: 'whole',
  ignition: 'flag', motion: 'flag', charge: 'flag', armed: 'flag', blocked: 'flag',
  hdop: 'number', pdop: 'number', power: 'number', battery: 'number', odometer: 'number', tripOdometer: 'number', status: 'number',
} as const satisfies Record<string, Kind>

const sqlTypes: Readonly<Record<Kind, string>> = { flag: 'bool', whole: 'int2', number: 'numeric' }
const places = new Map<string, { at: number, kind: Kind }>(Object.entries(kinds).map(([name, kind], at) => [name, { at, kind }]))

/** Columns of the known attributes with their types in Postgres; more follows them. */
export const knownColumns: readonly { name: string, type: string }[] = Object.entries(kinds).map(([name, kind]) => ({ name, type: sqlTypes[kind] }))

/** Attributes of many positions, cut into columns: an array a known attribute, as Postgres writes it, and what is left of each as JSON. */
export interface AttributeColumns { known: string[], more: (string | null)[] }

/** Cuts attributes into columns. Nothing is lost: "attributes" of the table puts them together again. */
export function cutAttributes(list: readonly Attributes[]): AttributeColumns {
  const known = knownColumns.map(() => list.map((): string | number | boolean => 'null'))
  const more = list.map((attributes, row) => {
    const rest: [string, Attributes[string]][] = []
    for (const [key, value] of Object.entries(attributes)) {
      const place = places.get(key)
      const column = place && isOfKind(value, place.kind) ? known[place.at] : undefined
      if (column) column[row] = value
      else rest.push([key, value])
    }
    return rest.length > 0 ? JSON.stringify(Object.fromEntries(rest)) : null
  })
  return { known: known.map((values) => `{${values.join()}}`), more }
}

function isOfKind(value: Attributes[string], kind: Kind): boolean {
  if (kind === 'flag') return typeof value === 'boolean'
  return typeof value === 'number' && Number.isFinite(value) && (kind === 'number' || (Number.isInteger(value) && value >= -32_768 && value <= 32_767))
}

/** One attribute of geo.position, alias p by default, as jsonb; null when it was not told. Much cheaper than looking into "attributes". */
export function attributeOf(name: string, alias = 'p'): Statement {
  const rest = sql`(${identifier(alias, 'more')} -> ${name}::text)`
  if (!places.has(name)) return rest
  const column = identifier(alias, name)
  return sql`(case when ${column} is null then ${rest} else to_jsonb(${column}) end)`
}
