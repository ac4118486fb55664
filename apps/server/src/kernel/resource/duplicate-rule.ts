import type { ErrorName } from '@outpost/contract/errors'
import type { Statement } from '@outpost/platform/types'

/** What no two records of a resource may share, and how those that do are found. */
export interface DuplicateRule {
  columns: readonly string[]
  error: ErrorName
  /** Rows {id, tenantId, column, value} of the whole company that hold one of the values; beyond the caller's reach too. */
  find: (values: Readonly<Record<string, string[]>>) => Statement
}
