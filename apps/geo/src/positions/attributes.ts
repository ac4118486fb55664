import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Attributes } from './fix.ts'

/** The type of a column; a value of another type is stored in "more". Each reads back as the JSON it was. */
type Kind = 'flag' | 'whole' | 'number'

/** Attributes with a column of their own in geo.position, in its order: those that nearly every tracker sends. */
const kinds = {
  sat: 'whole',
  rssi: 'whole',
  batteryLevel: 'whole',
  event: 'whole',
  ignition: 'flag',
  motion: 'flag',
  charge: 'flag',
  armed: 'flag',
  blocked: 'flag',
  hdop: 'number',
  pdop: 'number',
  power: 'number',
  battery: 'number',
  odometer: 'number',
  tripOdometer: 'number',
  status: 'number',
} as const satisfies Record<string, Kind>

const sqlTypes: Readonly<Record<Kind, string>> = { flag: 'bool', whole: 'int2', number: 'numeric' }
const places = new Map<string, { at: number; kind: Kind }>(Object.entries(kinds).map(([name, kind], at) => [name, { at, kind }]))

/** Columns of the known attributes with their types in Postgres; more follows them. */
export const knownColumns: readonly { name: string; type: string }[] = Object.entries(kinds).map(([name, kind]) => ({
  name,
  type: sqlTypes[kind],
}))

/** Attributes of many positions as columns: one Postgres array per known attribute, and the rest of each position as JSON. */
export interface AttributeColumns {
  known: string[]
  more: (string | null)[]
}

/** Splits attributes into columns. Nothing is lost: the column "attributes" of the table combines them again. */
export function splitAttributes(list: readonly Attributes[]): AttributeColumns {
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
  return (
    typeof value === 'number' &&
    Number.isFinite(value) &&
    (kind === 'number' || (Number.isInteger(value) && value >= -32_768 && value <= 32_767))
  )
}

/** One attribute of geo.position, alias p by default, as jsonb; null when it was not sent. Much cheaper than reading "attributes". */
export function attributeOf(name: string, alias = 'p'): Statement {
  const rest = sql`(${identifier(alias, 'more')} -> ${name}::text)`
  if (!places.has(name)) return rest
  const column = identifier(alias, name)
  return sql`(case when ${column} is null then ${rest} else to_jsonb(${column}) end)`
}
