import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'

/** A number that a position p told by this name; null when it told none. */
export const told = (name: string): Statement => sql`case when jsonb_typeof(p."attributes" -> ${name}::text) = 'number' then (p."attributes" -> ${name}::text)::float8 end`
