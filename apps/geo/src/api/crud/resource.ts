import { sql, trusted } from '@outpost/platform/db/sql'
import type { Sql, SqlValue, Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { fieldsOf } from '../../sql/fields.ts'
import type { GeoCtx } from '../types.ts'
import type { FilterField } from './filter-field.ts'

/** Values to write, by column name. */
export type Columns = Record<string, SqlValue>
export type Input = Record<string, unknown>

/** Declares a kind of record: its table, wire form, search and sort fields, and what may be written. */
export interface GeoResource {
  /** Keys in `data`: `one` for a single record, `many` for lists. */
  one: string
  many: string
  /** Table of schema geo. It has companyId, id, tenantId, name, searchText, version, dates and deletedAt. */
  table: string
  /** Wire name -> SQL over alias t. */
  fields: Readonly<Record<string, Statement>>
  /** Fields that calls add to a record. A body may contain them; they are ignored. */
  ignores?: readonly string[]
  /** Tables that are joined to t for the fields. */
  joins?: Statement
  /** Wire names by which lists may be sorted. */
  sorts: readonly string[]
  sort: readonly [field: string, order: 'ASC' | 'DESC']
  /** Wire names that lists may be filtered by. */
  filters?: Readonly<Record<string, FilterField>>
  /** Maps a unique index to the field it protects. */
  unique?: Readonly<Record<string, string>>
  create: z.ZodObject
  /** The same fields, all optional, and `version`. */
  update: z.ZodObject
  /** Runs last before the write: validates, derives values and returns the columns. `before` is the stored row of an update. */
  columns(work: Write): Promise<Columns> | Columns
}

export interface Write {
  ctx: GeoCtx
  sql: Sql
  input: Input
  before: Record<string, unknown> | undefined
}

/** Fields that every record has. */
export const baseFields = fieldsOf(['id', 'tenantId', 'version'], ['dateCreated', 'dateModified'])

/** What lists of every record may be filtered by, beside fields of text of its own. */
export const usualFilters = (...texts: readonly string[]): NonNullable<GeoResource['filters']> => ({
  name: { kind: 'text' },
  ...Object.fromEntries(texts.map((key) => [key, { kind: 'text' as const }])),
  tenantId: { kind: 'tenant' },
  dateCreated: { kind: 'time', value: sql`t."dateCreated"` },
})

/**
 * The schema of a write's body. Read-only fields are ignored, so that a record that was read may be sent back whole; unknown fields are
 * refused. The caller never chooses the id of a new record.
 */
export function bodyOf(resource: GeoResource, schema: z.ZodObject): z.ZodType<Input> {
  const { fields, ignores = [] } = resource
  const isIgnored = (key: string) =>
    key !== 'id' && (Object.hasOwn(fields, key) || ignores.includes(key)) && !Object.hasOwn(schema.shape, key)
  const drop = (given: unknown) =>
    typeof given === 'object' && given !== null ? Object.fromEntries(Object.entries(given).filter(([key]) => !isIgnored(key))) : given
  return z.preprocess(drop, schema) as z.ZodType<Input>
}

export const tableOf = ({ table }: Pick<GeoResource, 'table'>): Statement => trusted(`geo.${table}`)
