import type { AnyResource } from '../types.ts'
import type { Writing } from '../resource/writing.ts'

/** The people from whom a record is hidden (hiddenFrom of its resource), by its row. */
export const hiddenFrom = ({ hiddenFrom: columns = [] }: AnyResource, row: Readonly<Record<string, unknown>>): string[] =>
  columns.map((column) => row[column]).filter((id) => typeof id === 'string')

/** The same of a record that is being written: as it was and as it is. A column that is no field is among what is written, not in the record. */
export const hiddenOf = (resource: AnyResource, { before = {}, values, record }: Writing): string[] => [
  ...hiddenFrom(resource, before),
  ...hiddenFrom(resource, { ...values, ...record }),
]
