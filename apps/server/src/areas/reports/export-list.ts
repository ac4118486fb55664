import { fail, failField } from '@outpost/contract/errors'
import { z } from 'zod'
import { isReference } from '../../kernel/relations/relations.ts'
import { isPermitted } from '../../kernel/session/permission.ts'
import type { AnyResource, Ctx, FieldDefinition, Operation, Route } from '../../kernel/types.ts'
import { defineReport, type ColumnKind, type ReportColumn } from '../../kernel/reports/definition.ts'

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const queryText = z
  .string()
  .max(20_000)
  .transform(json)
  .pipe(z.record(z.string(), z.unknown(), 'is not a JSON object'))
/** A JSON array of keys, or keys with commas between. */
const keyList = z
  .string()
  .max(4_000)
  .transform((text) =>
    text.startsWith('[')
      ? json(text)
      : text
          .split(',')
          .map((key) => key.trim())
          .filter((key) => key !== ''),
  )
  .pipe(z.array(z.string().max(60), 'is not a list of columns').max(200))

/** The query of the list call comes beside these, as the console's address holds it, or as JSON text in `query`. */
const input = z.looseObject({
  /** Name of a list call, or of a resource: its first list that the caller may call. */
  resource: z.string().max(80),
  /** Address of the list call, where a resource has several. */
  path: z.string().max(200).optional(),
  query: queryText.optional(),
  /** Keys of the columns in their order; all of them when left out. */
  columns: keyList.optional(),
})

/** Any list the caller may see, whole, with the screen's search, filters and sort. */
export const exportList = (routes: readonly Route[]) =>
  defineReport({
    name: 'exportList',
    title: 'Export',
    description: 'A list with the filters of its screen.',
    // The list's own permission decides, in plan.
    anyOf: [],
    input,
    fields: [],
    async plan(ctx, { resource: name, path, query, columns, ...beside }) {
      const operation = listRoute(ctx, routes, { name, path })
      const { resource } = operation
      const { page: _page, size: _size, ...asked }: Record<string, unknown> = { ...query, ...beside }
      const given = operation.input.parse(asked)
      return {
        title: resource.labelMany,
        columns: columnsOf(resource, columns),
        statement: await operation.exportRows(ctx, given),
        isJson: true,
        isData: true,
        filters: Object.entries(asked).map(([label, value]) => ({
          label,
          value: typeof value === 'string' ? value : JSON.stringify(value),
        })),
        definition: `${resource.labelMany} as the list shows them: those of the tenants in reach that fit the filters.`,
      }
    },
  })

type ListOperation = Required<Pick<Operation, 'exportRows' | 'resource'>> & Operation

function listRoute(ctx: Ctx, routes: readonly Route[], { name, path }: { name: string; path?: string | undefined }): ListOperation {
  const fitting = routes.filter(
    ({ name: own, path: ownPath, operation }) =>
      isList(operation) && (own === name || operation.resource.one === name) && (path === undefined || path === ownPath),
  )
  if (fitting.length === 0) failField('parameters.resource', 'is not a list')
  const route = fitting.find(({ access }) => isPermitted(ctx, access)) ?? fail('FORBIDDEN')
  return route.operation as ListOperation
}

const isList = (operation: Route['operation']): operation is ListOperation => operation.kind === 'list' && 'exportRows' in operation

function columnsOf(resource: AnyResource, wanted: readonly string[] | undefined): ReportColumn[] {
  const keys = wanted ?? Object.keys(resource.fields).filter((key) => !resource.fields[key]?.detailOnly)
  const columns = keys.map((key) => columnOf(resource, key))
  const unknown = keys.find((_key, index) => columns[index] === undefined)
  if (unknown !== undefined) failField('parameters.columns', `${unknown} is not a column of the list`)
  return columns.filter((column) => column !== undefined)
}

const times: ReadonlyMap<string, string> = new Map(Object.entries({ dateCreated: 'Created', dateModified: 'Changed' }))

function columnOf(resource: AnyResource, key: string): ReportColumn | undefined {
  if (key === 'Id') return { key, title: 'Id', kind: 'text', width: 38 }
  const time = times.get(key)
  const field = resource.fields[key]
  if (!field) return time === undefined ? undefined : { key, title: time, kind: 'dateTime', width: 18 }
  if (field.detailOnly) return undefined
  // Readers want the name of what is referred to; the list carries it beside the id.
  return {
    key: isReference(field) ? `${key}Label` : key,
    title: field.label,
    kind: kindOf(field),
    ...(field.currency ? { currency: field.currency } : {}),
  }
}

const kinds: Partial<Record<FieldDefinition['kind'], ColumnKind>> = {
  number: 'number',
  money: 'money',
  percent: 'percent',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'dateTime',
}
const kindOf = (field: FieldDefinition): ColumnKind => kinds[field.kind] ?? 'text'
