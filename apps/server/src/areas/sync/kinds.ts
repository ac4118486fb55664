import { fieldSql } from '../../kernel/resource/read/columns.ts'
import type { SyncEntities } from '../../kernel/sync/entities.ts'
import type { ActionDefinition, AnyResource, Area } from '../../kernel/types.ts'

export const changeTypes = [
  { value: 'INSERT', label: 'New' },
  { value: 'CREATE', label: 'New' },
  { value: 'UPDATE', label: 'Change' },
  { value: 'DELETE', label: 'Removal' },
]

/** The kinds of records that devices hold, as options. */
export const kindOptions = (entities: SyncEntities) =>
  [...entities.values()].map(({ resource: { one, label } }) => ({ value: one, label })).toSorted((a, b) => a.label.localeCompare(b.label))

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** SQL text: the name of the record that a row speaks of; `type` and `id` are SQL over alias t. Records out of the reader's reach have none. */
export function recordName(entities: SyncEntities, { type, id }: { type: string; id: string }): string {
  const cases = [...entities.values()].map(
    ({ resource }) => `when ${quoted(resource.one)} then (select n."name" from (select t."companyId", ${id} as "id") o,
      lateral (select ${titleText(resource)} as "name" from ${resource.table} t where t."companyId" = o."companyId" and t."id" = o."id") n)`,
  )
  return `case ${type} ${cases.join(' ')} end`
}

/** SQL text: what a new record is called by what was sent of it; `envelope` is SQL. */
export const sentName = (envelope: string): string =>
  `coalesce(${envelope} #>> '{snapshot,name}', ${envelope} #>> '{snapshot,title}', nullif(concat_ws(' ', ${envelope} #>> '{snapshot,firstName}', ${envelope} #>> '{snapshot,lastName}'), ''))`

const titleText = (resource: AnyResource): string => fieldSql(resource, resource.title).text

/** SQL text: what the field of a kind is called; fields of calls by the call's own word. */
export function fieldName(entities: SyncEntities, { type, field }: { type: string; field: string }): string {
  const words = [...entities.values()].flatMap(({ resource: { one, fields }, classes, commands }) => [
    ...[...classes.keys()].map((key) => [`${one}.${key}`, fields[key]?.label ?? key] as const),
    ...[...commands.values()].map((command) => [`${one}.${command.field}`, command.label] as const),
  ])
  return `case ${type} || '.' || ${field} ${words.map(([key, label]) => `when ${quoted(key)} then ${quoted(label)}`).join(' ')} else ${field} end`
}

/** Opens the record that a row speaks of, by its kind. */
export function openRecord(areas: readonly Area[], entities: SyncEntities): ActionDefinition[] {
  const screens = areas.flatMap((area) => area.screens)
  return [...entities.values()].flatMap(({ resource }) => {
    const detail = screens.find(({ view, path }) => view.kind === 'detail' && view.resource === resource && path.includes('/:id'))
    return detail
      ? [
          {
            open: detail.path.replace(':id', ':entityId'),
            key: `open.${resource.one}`,
            label: `Open the ${resource.label.toLowerCase()}`,
            scope: 'row' as const,
            visibleIf: { eq: ['entityType', resource.one] as [string, string] },
          },
        ]
      : []
  })
}
