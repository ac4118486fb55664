import { fail } from '@outpost/contract/errors'
import { z } from 'zod'
import { machine } from '../../../kernel/machine.ts'
import { isPermitted } from '../../../kernel/session/permission.ts'
import type { AnyResource, Ctx, FieldDefinition, Operation, Route } from '../../../kernel/types.ts'
import { defineReport, type ColumnKind, type ReportColumn } from '../definition.ts'

const queryText = z.string().max(20_000).default('{}').transform((text, context): Record<string, unknown> => {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch {
    context.addIssue({ code: 'custom', message: 'is not a JSON object' })
    return z.NEVER
  }
})

const input = z.strictObject({
  /** Name of a list call, or of a resource: its first list that the caller may call. */
  resource: z.string().max(80),
  /** Query of that call as JSON text, the screen's filters and sort; paging in it is left aside. */
  query: queryText,
  /** Keys of the columns in their order, with commas between; all of them when left out. */
  columns: z.string().max(2_000).optional(),
})

/** Any list the caller may see, whole, with the screen's search, filters and sort. */
export const exportList = defineReport({
  name: 'exportList',
  title: 'Export',
  description: 'A list with the filters of its screen.',
  // The list's own permission decides, in plan.
  anyOf: [],
  input,
  fields: [],
  async plan(ctx, { resource: name, query, columns }) {
    const { operation } = listRoute(ctx, name)
    const { resource } = operation
    const { page: _page, size: _size, ...asked } = query
    const given = operation.input.parse(asked)
    return {
      title: resource.labelMany,
      columns: columnsOf(resource, columns),
      statement: await operation.exportRows(ctx, given),
      isJson: true,
      filters: Object.entries(asked).map(([label, value]) => ({ label, value: typeof value === 'string' ? value : JSON.stringify(value) })),
      definition: `${resource.labelMany} as the list shows them: those of the tenants in reach that fit the filters.`,
    }
  },
})

type ListOperation = Required<Pick<Operation, 'exportRows' | 'resource'>> & Operation

function listRoute(ctx: Ctx, name: string): { route: Route, operation: ListOperation } {
  const routes = machine().areas.flatMap((area) => area.routes)
  const fitting = routes.filter(({ name: own, operation }) => 'resource' in operation && isList(operation) && (own === name || operation.resource?.one === name))
  if (fitting.length === 0) fail('INVALID', { fields: [{ field: 'parameters.resource', message: 'is not a list' }] })
  const route = fitting.find(({ access }) => isPermitted(ctx, access)) ?? fail('FORBIDDEN')
  return { route, operation: route.operation as ListOperation }
}

const isList = (operation: Route['operation']): operation is ListOperation => operation.kind === 'list' && 'exportRows' in operation

function columnsOf(resource: AnyResource, wanted: string | undefined): ReportColumn[] {
  const keys = wanted?.split(',').map((key) => key.trim()).filter((key) => key !== '') ?? Object.keys(resource.fields)
  const columns = keys.map((key) => columnOf(resource, key))
  const unknown = keys.find((_key, index) => columns[index] === undefined)
  if (unknown !== undefined) fail('INVALID', { fields: [{ field: 'parameters.columns', message: `${unknown} is not a column of the list` }] })
  return columns.filter((column) => column !== undefined)
}

const times: Record<string, string> = { dateCreated: 'Created', dateModified: 'Changed' }

function columnOf(resource: AnyResource, key: string): ReportColumn | undefined {
  if (key === 'Id') return { key, title: 'Id', kind: 'text', width: 38 }
  const time = times[key]
  const field = resource.fields[key]
  if (!field) return time === undefined ? undefined : { key, title: time, kind: 'dateTime', width: 18 }
  if (field.detailOnly) return undefined
  // Readers want the name of what is referred to; the list carries it beside the id.
  return { key: field.kind === 'reference' ? `${key}Label` : key, title: field.label, kind: kindOf(field) }
}

const kinds: Partial<Record<FieldDefinition['kind'], ColumnKind>> = {
  number: 'number', money: 'money', percent: 'percent', boolean: 'boolean', date: 'date', dateTime: 'dateTime',
}
const kindOf = (field: FieldDefinition): ColumnKind => kinds[field.kind] ?? 'text'
