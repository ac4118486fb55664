import type { ModelName, ModelRow, Column } from '@outpost/platform/db/models'
import { tableOf } from '@outpost/platform/db/models'
import type { AnyResource, FieldDefinition, Resource, ResourceDefinition } from '../types.ts'
import { checkRelations, isComputed, isReference, isRelation } from '../relations/relations.ts'
import { withWorkflow } from '../workflow/declare.ts'

/** Each field is a column of the model or carries sql, and says nothing that a field cannot say. */
type Declared<Model extends ModelName, Fields> = {
  [Key in keyof Fields]: (Key extends keyof ModelRow<Model> ? unknown : { sql: string } | { through: unknown } | { of: unknown }) &
    Partial<Record<Exclude<keyof Fields[Key], keyof FieldDefinition>, never>>
}

const resources = new Map<string, AnyResource>()

/**
 * A resource: fields, list, form, actions and the two seams of one kind of record. The compiler refuses a field
 * that the table lacks and a column, filter or form place that is not a field.
 */
export function defineResource<const Model extends ModelName, const Fields extends Record<string, FieldDefinition>>(
  definition: ResourceDefinition<Model, Fields> & { fields: Declared<Model, Fields> },
): Resource<Model> {
  if (definition.keeps && !definition.isSoftDeleted)
    throw new Error(`${definition.one} keeps comments and must be isSoftDeleted: they would lie there without it`)
  const resource: Resource<Model> = withWorkflow({
    ...definition,
    fields: withTargets(definition.fields),
    table: tableOf(definition.model).table,
  })
  checkRelations(resource)
  return addResource(resource)
}

/** Makes a resource known by its name. */
export function addResource<Given extends AnyResource>(resource: Given): Given {
  resources.set(resource.one, resource)
  return resource
}

/** A field that shows others of the record, joined by a space. */
export const joined = (...joins: string[]): { sql: string; joins: string[] } => ({
  sql: `concat_ws(' ', ${joins.map((key) => `t."${key}"`).join(', ')})`,
  joins,
})

/** A choice among rows of a resource is a reference to it. */
function withTargets<Fields extends Readonly<Record<string, FieldDefinition>>>(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, field.from ? { ...field, to: field.from.one } : field]),
  ) as Fields
}

/** The resource of a reference field's `to` (its `one`); undefined when its area is not loaded. */
export function resourceNamed(one: string): AnyResource | undefined {
  return resources.get(one)
}

/** All that are loaded. */
export const allResources = (): readonly AnyResource[] => [...resources.values()]

/** Remembers what is derived from a resource until another one is loaded, which may bring the target of a reference. */
export function perResource<Value>(derive: (resource: AnyResource) => Value): (resource: AnyResource) => Value {
  const kept = new WeakMap<AnyResource, { value: Value; resources: number }>()
  return (resource) => {
    const known = kept.get(resource)
    if (known?.resources === resources.size) return known.value
    const value = derive(resource)
    kept.set(resource, { value, resources: resources.size })
    return value
  }
}

/** Field of a resource; the callers' keys are checked before. */
export function fieldOf(resource: AnyResource, key: string): FieldDefinition {
  const field = Object.hasOwn(resource.fields, key) ? resource.fields[key] : undefined
  if (!field) throw new Error(`${resource.one} has no field ${key}`)
  return field
}

/** The column of a key, or undefined for sql fields and unknown keys. */
export function columnOf(resource: AnyResource, key: string): Column | undefined {
  if (resource.remote) return undefined
  const { columns } = tableOf(resource.model)
  const field = Object.hasOwn(resource.fields, key) ? resource.fields[key] : undefined
  const isElsewhere = field !== undefined && (field.sql !== undefined || isRelation(field))
  return isElsewhere || !Object.hasOwn(columns, key) ? undefined : columns[key]
}

/** True when the table has the column, declared as a field or not. */
export function hasColumn(resource: AnyResource, key: string): boolean {
  return resource.remote === undefined && Object.hasOwn(tableOf(resource.model).columns, key)
}

/** False for what is shown as JSON (lists of other records among them), of which Postgres knows no order. */
export function hasOrder(resource: AnyResource, key: string): boolean {
  if (resource.remote) return resource.remote.sorts.includes(key)
  const field = fieldOf(resource, key)
  return (
    !isRelation(field) && !['json', 'permissionTree'].includes(field.kind) && !(field.kind === 'multiReference' && field.sql !== undefined)
  )
}

/** Columns every record shows when its table has them, declared or not. */
export const baseColumns = ['tenantId', 'dateCreated', 'dateModified', 'version'] as const

/** Fields a caller may set: no readOnly ones and none that Postgres computes. */
export const settableFields = perResource(({ fields }) =>
  Object.entries(fields).filter(([, field]) => !field.readOnly && !isComputed(field)),
)

/**
 * Names that the resource's records bear on the wire and no body sets: given by the server, computed, or of the records it is
 * linked with. A body may hold them, so that a record that was read can be sent back whole; they are ignored.
 */
export function ignoredNames(resource: AnyResource): string[] {
  const set = new Set(settableFields(resource).map(([key]) => key))
  const labels = Object.entries(resource.fields).flatMap(([key, field]) => (isReference(field) ? [`${key}Label`] : []))
  const known = [
    ...baseColumns.filter((key) => hasColumn(resource, key)),
    ...Object.keys(resource.fields),
    ...labels,
    ...(resource.ignores ?? []),
  ]
  return [...new Set(known)].filter((key) => !set.has(key))
}
