import type { ErrorName, NamedError } from '@outpost/contract/errors'
import type { Statement } from '@outpost/platform/types'

/** Values that only one live row of a company may have. */
export interface DuplicateRule {
  columns: readonly string[]
  /** The field a person types, for columns that are derived from it. */
  typed?: Readonly<Record<string, string>>
  error: ErrorName | NamedError
  /** Of these, what a device compares with the records it keeps; two at most. */
  onDevice?: readonly string[]
  /** Rows {id, tenantId, column, value} of the whole company that hold one of the values; beyond the caller's reach too. */
  find: (values: Readonly<Record<string, string[]>>) => Statement
}
