import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'

/** How a trip or stop of alias t was told, its sentences in a line. */
export const wordsOf: Statement = sql`(select string_agg(w.value, ' ') from jsonb_array_elements_text(case when jsonb_typeof(t."explain" -> 'words') = 'array' then t."explain" -> 'words' else '[]' end) w)`

/** A number that a position p told by this name; null when it told none. */
export const told = (name: string): Statement => sql`case when jsonb_typeof(p."attributes" -> ${name}::text) = 'number' then (p."attributes" -> ${name}::text)::float8 end`
