import { errorAnswer, type ErrorName, type NamedError } from '@outpost/contract/errors'
import type { KeptError, KeptKind, SameValue } from '@outpost/contract/sync/kept-kinds'
import { fieldOf, settableFields } from '../resource/define.ts'
import { typedField } from '../resource/duplicates.ts'
import type { AnyResource, Area, FieldDefinition } from '../types.ts'
import { syncEntities, type SyncEntity } from './entities.ts'

/** What devices know of the kinds they keep, from the resources that say `offline`. Stops when a kind asks for more than a device can. */
export function keptKinds(areas: readonly Area[]): KeptKind[] {
  const listed = areas.flatMap((area) => area.resources).filter(({ offline }) => offline === 'list')
  return [...syncEntities(areas).values(), ...listed.map(withoutSync)]
    .map((entity) => keptKind(areas, entity))
    .toSorted((a, b) => a.type.localeCompare(b.type))
}

const withoutSync = (resource: AnyResource): Pick<SyncEntity, 'resource' | 'classes' | 'commands'> => ({
  resource,
  classes: new Map(),
  commands: new Map(),
})

function keptKind(
  areas: readonly Area[],
  { resource, classes, commands }: Pick<SyncEntity, 'resource' | 'classes' | 'commands'>,
): KeptKind {
  const { one, label, offline, offlineWindow, title, list, fields, form = [], duplicates } = resource
  const all = Object.entries(fields)
  const settable = settableFields(resource)
  const entered = settable.filter(([, { defaultValue }]) => defaultValue === undefined).map(([key]) => key)
  const calls = [...commands.values()]
  return {
    type: one,
    label,
    isReadOnly: offline !== 'read-write',
    ...(offline === 'list' ? { isListed: true } : {}),
    ...(offlineWindow ? { window: { field: offlineWindow.since, days: offlineWindow.days } } : {}),
    title,
    joined: pick(all, ({ joins }) => joins),
    required: settable.filter(([, { required }]) => required).map(([key]) => key),
    entered,
    form: entered.filter((key) => form.flat().includes(key)),
    labels: Object.fromEntries([
      ...[...classes.keys()].map((key) => [key, fieldOf(resource, key).label] as const),
      ...calls.map((call) => [call.field, call.label] as const),
    ]),
    defaults: pick(settable, ({ defaultValue }) => defaultValue as string | number | boolean | undefined),
    given: { ...pick(all, ({ given }) => given), ...(fields['dateCreated'] ? { dateCreated: { of: 'now' } } : {}) },
    search: list.search ?? [title],
    dates: Object.fromEntries(Object.entries(list.dates ?? {}).map(([value, { field, until = field }]) => [value, { from: field, until }])),
    links: pick(settable, ({ to }) => to),
    sets: settable.flatMap(([key, { kind }]) => (kind === 'multiReference' ? [key] : [])),
    lines: [...classes].flatMap(([key, merge]) => (merge === 'lines' ? [key] : [])),
    ...beginnings(resource),
    same: sameValues(resource),
    calls: calls.map(({ field }) => field),
    wholes: calls.filter(({ isWhole }) => isWhole).map(({ field }) => field),
    errors: { notFound: keptError(resource.notFound ?? 'NOT_FOUND'), ...(duplicates ? { same: keptError(duplicates.error) } : {}) },
    ...addressesOf(areas, resource),
  }
}

function pick<Value>(
  fields: readonly (readonly [string, FieldDefinition])[],
  read: (field: FieldDefinition) => Value | undefined,
): Record<string, Value> {
  return Object.fromEntries(
    fields.flatMap(([key, field]) => {
      const value = read(field)
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

/** Lines that a device begins by itself, with the values that the office gives a new line. */
function beginnings(resource: AnyResource): Pick<KeptKind, 'begins'> {
  const begun = settableFields(resource).flatMap(([key, { beginsFrom, of }]) =>
    beginsFrom && of ? [[key, { ...beginsFrom, values: pick(settableFields(of), ({ defaultValue }) => defaultValue) }] as const] : [],
  )
  return begun.length === 0 ? {} : { begins: Object.fromEntries(begun) }
}

/** The stores of devices have two indexes for these; a third would need another layout of stores that hold unsent work. */
function sameValues(resource: AnyResource): SameValue[] {
  const { duplicates, one } = resource
  const columns = duplicates?.onDevice ?? []
  if (columns.length > 2) throw new Error(`${one}: a device compares two values at most, not ${columns.join(', ')}`)
  return columns.map((field) => {
    const typed = duplicates ? typedField(duplicates, field) : field
    return { field, typed, kind: fieldOf(resource, typed).kind }
  })
}

function keptError(error: ErrorName | NamedError): KeptError {
  const { code, status, message, title } = errorAnswer(error)
  return { code, status, message, ...(title ? { title } : {}) }
}

function addressesOf(areas: readonly Area[], resource: AnyResource): Pick<KeptKind, 'get' | 'edit'> {
  const get = areas
    .flatMap(({ routes }) => routes)
    .find(({ operation }) => operation.kind === 'get' && 'resource' in operation && operation.resource === resource)
  const edit = areas
    .flatMap(({ screens }) => screens)
    .find(({ view, path }) => view.kind === 'form' && view.resource === resource && path.includes('/:id'))
  return { ...(get ? { get: get.path } : {}), ...(edit ? { edit: edit.path } : {}) }
}
