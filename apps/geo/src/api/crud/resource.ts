import { trusted } from '@outpost/platform/db/sql'
import type { Sql, SqlValue, Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { fieldsOf } from '../../sql/fields.ts'
import type { GeoCtx } from '../types.ts'

/** Columns of a row as they are written, by name. */
export type Columns = Record<string, SqlValue>
export type Input = Record<string, unknown>

/** A kind of record that people manage: its table, its wire form, what is searched and sorted, what may be written. */
export interface GeoResource {
  /** Keys of the data: `one` in an answer about a record, `many` in lists. */
  one: string
  many: string
  /** Table of schema geo with companyId, id, tenantId, name, searchText, version, dates and deletedAt. */
  table: string
  /** Wire name -> SQL over alias t. */
  fields: Readonly<Record<string, Statement>>
  /** Further names that calls add to a record: a body may hold them, and they are ignored. */
  ignores?: readonly string[]
  /** Tables beside t that the fields read. */
  joins?: Statement
  /** Wire names that lists may be sorted by. */
  sorts: readonly string[]
  sort: readonly [field: string, order: 'ASC' | 'DESC']
  /** Unique index -> the field it is about. */
  unique?: Readonly<Record<string, string>>
  create: z.ZodObject
  /** The same fields, all optional, and `version`. */
  update: z.ZodObject
  /** Last look before the write: refuses, derives, and gives the columns. `before` is the row of an update. */
  columns(work: Write): Promise<Columns> | Columns
}

export interface Write { ctx: GeoCtx, sql: Sql, input: Input, before: Record<string, unknown> | undefined }

/** What every managed record tells of itself. */
export const baseFields = fieldsOf(['id', 'tenantId', 'version'], ['dateCreated', 'dateModified'])

/**
 * The body of a write. Names that a record tells of itself and a body does not set are ignored, so that a record that was read
 * may be sent back whole; names it does not know are refused. A new record's id is never a caller's choice.
 */
export function bodyOf(resource: GeoResource, schema: z.ZodObject): z.ZodType<Input> {
  const { fields, ignores = [] } = resource
  const isIgnored = (key: string) => key !== 'id' && (Object.hasOwn(fields, key) || ignores.includes(key)) && !Object.hasOwn(schema.shape, key)
  const drop = (given: unknown) => typeof given === 'object' && given !== null ? Object.fromEntries(Object.entries(given).filter(([key]) => !isIgnored(key))) : given
  return z.preprocess(drop, schema) as z.ZodType<Input>
}

export const tableOf = ({ table }: Pick<GeoResource, 'table'>): Statement => trusted(`geo.${table}`)
