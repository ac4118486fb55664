import type { AnyResource } from '../types.ts'

/** The people from whom a record is hidden (hiddenFrom of its resource), by its row. */
export const hiddenFrom = ({ hiddenFrom: columns = [] }: AnyResource, row: Readonly<Record<string, unknown>>): string[] =>
  columns.map((column) => row[column]).filter((id) => typeof id === 'string')
