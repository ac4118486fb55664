import { Prisma } from '../../generated/prisma/client.ts'
import { tables } from '../../generated/tables.ts'
import type { ModelName, ModelRow } from './prisma.ts'

export type { ModelName, ModelRow } from './prisma.ts'

/** A column at run time. `native` is Prisma's name of the Postgres type, e.g. Uuid, Timestamptz. */
export interface Column {
  type: 'String' | 'Int' | 'BigInt' | 'Float' | 'Decimal' | 'Boolean' | 'DateTime' | 'Json' | 'Bytes'
  native: string
  isRequired: boolean
  isList: boolean
  hasDefault: boolean
}

export interface Table {
  table: string
  columns: Readonly<Record<string, Column>>
}

/** The table and columns of a model. */
export function tableOf(model: ModelName): Table {
  return tables[model]
}

/** Converts a row that pg read (`select t.*`) to the types Prisma returns: bigint, Decimal, Date. */
export function rowOf<Name extends ModelName>(model: Name, raw: Record<string, unknown>): ModelRow<Name> {
  const { columns } = tableOf(model)
  const entries = Object.entries(raw).map(([key, value]) => [key, typed(columns[key]?.type, value)])
  return Object.fromEntries(entries) as ModelRow<Name>
}

function typed(type: Column['type'] | undefined, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (type === 'BigInt') return BigInt(value as string | number | bigint)
  if (type === 'Decimal') return new Prisma.Decimal(value as string | number)
  if (type === 'DateTime' && !(value instanceof Date)) return new Date(value as string)
  return value
}
