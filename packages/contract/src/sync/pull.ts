import type { PullAnswer, PullChange } from './protocol.ts'

/**
 * A page of changes as it travels: the values of a record in the order of its type's names in `fields`. Names said once
 * a page instead of once a record halve what a phone loads, and what Postgres writes.
 */
export interface PullPage extends Omit<PullAnswer, 'changes'> {
  fields: Readonly<Record<string, readonly string[]>>
  changes: readonly (Omit<PullChange, 'data'> & { data?: readonly unknown[] })[]
}

/** The page with its records under their names. */
export function readPullPage({ fields, changes, ...page }: PullPage): PullAnswer {
  return {
    ...page,
    changes: changes.map(({ data, ...change }) => (data ? { ...change, data: recordOf(fields[change.t] ?? [], data) } : change)),
  }
}

function recordOf(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) record[name] = values[index]
  return record
}
