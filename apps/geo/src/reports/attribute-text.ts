import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { attributeOf } from '../positions/attributes.ts'

/** The explanation of a trip or stop of alias t, its sentences in one line. */
export const labelOf: Statement = sql`(select string_agg(w.value, ' ') from jsonb_array_elements_text(case when jsonb_typeof(t."explain" -> 'words') = 'array' then t."explain" -> 'words' else '[]' end) w)`

/** A number that position p has under this name; null when it has none. */
export function attributeText(name: string): Statement {
  const value = attributeOf(name)
  return sql`case when jsonb_typeof(${value}) = 'number' then ${value}::float8 end`
}
