import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { AnyResource } from '../types.ts'

/** Kept by the system with every change; no news to anybody. */
const silent = ['version', 'dateModified']

/** SQL text: what an audit entry changed (`after`, jsonb), in the words of the resource's fields; null when it is nothing to tell. */
export function changedWords(resource: AnyResource, after: Statement, { except = [] }: { except?: readonly string[] } = {}): Statement {
  const told = Object.entries(resource.fields).filter(([key]) => !silent.includes(key) && !except.includes(key))
  const labels = JSON.stringify(Object.fromEntries(told.map(([key, { label }]) => [key, label])))
  return sql`(select string_agg(w.value, ', ') from jsonb_object_keys(case when jsonb_typeof(${after}) = 'object' then ${after} else '{}'::jsonb end) k join jsonb_each_text(${labels}::jsonb) w on w.key = k)`
}
