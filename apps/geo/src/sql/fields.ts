import { identifier, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'

/** A plain column of alias t. */
export const column = (name: string): Statement => identifier('t', name)

/** ISO 8601 in UTC with milliseconds. */
export const timeText = (value: Statement): Statement => sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Plain columns unchanged, times as ISO text. */
export function fieldsOf(names: readonly string[], times: readonly string[] = []): Record<string, Statement> {
  return {
    ...Object.fromEntries(names.map((name) => [name, column(name)])),
    ...Object.fromEntries(times.map((name) => [name, timeText(column(name))])),
  }
}

/** The fields as columns of a select, each under its wire name. */
export const selection = (fields: Readonly<Record<string, Statement>>): Statement =>
  join(Object.entries(fields).map(([key, value]) => sql`${value} as ${identifier(key)}`))
