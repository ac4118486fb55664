import type { ModelName } from '@outpost/platform/db/prisma'
import { tableOf } from '@outpost/platform/db/models'
import type { AnyResource, FieldDefinition, Through } from '../types.ts'

/** A field whose value lies in another table and is written with the record: pairs (`through`) or lines (`of`). */
export const isRelation = ({ through, kind }: FieldDefinition): boolean => through !== undefined || kind === 'lines'

/** A field that Postgres computes and nobody sets. */
export const isComputed = (field: FieldDefinition): boolean => field.sql !== undefined && !isRelation(field)

/** A field that holds the id of another record: a reference, or a choice among the company's own rows. */
export const isReference = ({ kind, from }: FieldDefinition): boolean => kind === 'reference' || from !== undefined

/** The table of pairs behind a field; columns as its `through` says, or by the names of the two sides. */
export interface Pairs {
  field: string
  table: string
  own: string
  other: string
  /** The other side is text and no record. */
  isText: boolean
  hasId: boolean
  /** Filed under the tenant of the record. */
  hasTenant: boolean
  /** Column of the place in the list, where the order counts. */
  order?: string
  /** Column of the end: pairs that end are kept. */
  until?: string
  /** Column of the beginning, where pairs end. */
  since?: string
  /** Column of who made the pair. */
  by?: string
  begins?: Through['begins']
}

/** Lines of a record: rows of another resource that belong to it alone. */
export interface Lines {
  field: string
  of: AnyResource
  by: string
  hasPlace: boolean
  hasTenant: boolean
}

const pairsKept = new WeakMap<FieldDefinition, Pairs>()

/** The pairs of a field; undefined when it has none. */
export function pairsOf(resource: AnyResource, key: string): Pairs | undefined {
  const field = resource.fields[key]
  if (field?.through === undefined) return undefined
  const kept = pairsKept.get(field) ?? describePairs(resource, key, field)
  pairsKept.set(field, kept)
  return kept
}

function describePairs(resource: AnyResource, field: string, { through, to }: FieldDefinition): Pairs {
  const {
    pairs,
    own = `${resource.one}Id`,
    other = `${to}Id`,
    order,
    until,
    since,
    by,
    begins,
  } = typeof through === 'object' ? through : { pairs: through as ModelName }
  const { table, columns } = tableOf(pairs)
  const missing = [own, other, order, until, since, by].find((name) => name !== undefined && !Object.hasOwn(columns, name))
  if (missing !== undefined) throw new Error(`${resource.one}.${field}: ${table} has no column ${missing}`)
  return {
    field,
    table,
    own,
    other,
    isText: columns[other]?.native !== 'Uuid',
    hasId: Object.hasOwn(columns, 'id'),
    hasTenant: Object.hasOwn(columns, 'tenantId') && own !== 'tenantId' && other !== 'tenantId',
    ...(order === undefined ? {} : { order }),
    ...(until === undefined ? {} : { until }),
    ...(since === undefined ? {} : { since }),
    ...(by === undefined ? {} : { by }),
    ...(begins === undefined ? {} : { begins }),
  }
}

/** The lines of a field; undefined when it has none. */
export function linesOf(resource: AnyResource, key: string): Lines | undefined {
  const { kind, of, by } = resource.fields[key] ?? {}
  if (kind !== 'lines' || !of || by === undefined) return undefined
  const { columns } = tableOf(of.model)
  return { field: key, of, by, hasPlace: Object.hasOwn(columns, 'position'), hasTenant: Object.hasOwn(columns, 'tenantId') }
}

/** Fails at the start when a declared relation cannot be written. */
export function checkRelations(resource: AnyResource): void {
  for (const [key, field] of Object.entries(resource.fields)) {
    pairsOf(resource, key)
    if (field.kind !== 'lines') continue
    const { of, by = '' } = field
    if (!of || !Object.hasOwn(tableOf(of.model).columns, by))
      throw new Error(`${resource.one}.${key}: lines say of which resource they are, and by which of its columns`)
    if (of.prepare || of.visible || of.isSoftDeleted || of.isSynced)
      throw new Error(`${resource.one}.${key}: ${of.one} is written with its record; what is special about it is said there`)
  }
}

const settableKeys = new WeakMap<AnyResource['fields'], readonly string[]>()

/** Keys of the resource's relations that a write may set; found once, for each record of a write asks for them. */
export function relationKeys({ fields }: Pick<AnyResource, 'fields'>): readonly string[] {
  const known = settableKeys.get(fields)
  if (known) return known
  const keys = Object.entries(fields).flatMap(([key, field]) => (isRelation(field) && !field.readOnly ? [key] : []))
  settableKeys.set(fields, keys)
  return keys
}
