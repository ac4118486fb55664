import { trusted } from '@outpost/platform/db/sql'
import type { Sql, SqlValue, Statement } from '@outpost/platform/types'
import type { z } from 'zod'
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
  /** Tables beside t that the fields read. */
  joins?: Statement
  /** Wire names that lists may be sorted by. */
  sorts: readonly string[]
  sort: readonly [field: string, order: 'ASC' | 'DESC']
  /** Unique index -> the field it is about. */
  unique?: Readonly<Record<string, string>>
  create: z.ZodType<Input>
  /** The same fields, all optional, and `version`. */
  update: z.ZodType<Input>
  /** Last look before the write: refuses, derives, and gives the columns. `before` is the row of an update. */
  columns(work: Write): Promise<Columns> | Columns
}

export interface Write { ctx: GeoCtx, sql: Sql, input: Input, before: Record<string, unknown> | undefined }

/** What every managed record tells of itself. */
export const baseFields = fieldsOf(['id', 'tenantId', 'version'], ['dateCreated', 'dateModified'])

export const tableOf = ({ table }: Pick<GeoResource, 'table'>): Statement => trusted(`geo.${table}`)
