/** Rows of another table that belong to a record: `from` names them, `alias` is the table in it whose column `key` holds the record's id. */
export interface BatchSource {
  from: string
  alias: string
  key: string
}

export interface BatchedValue {
  of: BatchSource
  value: string
  none: string
}

/**
 * A field that sums up rows of another table: `value` is an aggregate over them, `none` what it is when there are
 * none (SQL, from code). One record asks with a sub-select; a page reads them for all its records at once, and fields
 * of the same source share one read.
 */
export function batched(of: BatchSource, value: string, none = 'null'): { sql: string; batch: BatchedValue } {
  const { from, alias, key } = of
  return {
    sql: `select coalesce(${value}, ${none}) from ${from} where ${alias}."companyId" = t."companyId" and ${alias}."${key}" = t."id"`,
    batch: { of, value, none },
  }
}
