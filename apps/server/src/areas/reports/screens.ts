import type { CallView, ListView } from '@outpost/contract/views'
import { requireCall } from '../../kernel/screens/catalogue.ts'
import type { Calls, Ctx } from '../../kernel/types.ts'
import { hasCategories } from './categories/grouped.ts'

const category = { key: 'category', kind: 'text', label: 'Category' } as const

/** The list of standard reports, under the headings of the company where it has any; a row opens the report's own screen. */
export async function reportsView(ctx: Ctx, { list, grouped }: Calls<'list' | 'grouped'>): Promise<ListView> {
  const plain = plainView(list)
  if (!(await hasCategories(ctx))) return plain
  return {
    ...plain,
    source: requireCall(grouped),
    idKey: 'Id',
    fields: [...plain.fields, category],
    columns: [...plain.columns, { key: category.key }],
    routes: { view: '/reports/standard/:name' },
    presentation: 'tree',
    groupBy: category.key,
  }
}

function plainView(list: CallView | undefined): ListView {
  return {
    kind: 'list',
    title: 'Standard Reports',
    resource: 'report',
    many: 'reports',
    idKey: 'name',
    titleKey: 'title',
    source: requireCall(list),
    fields: [
      { key: 'title', kind: 'text', label: 'Report' },
      { key: 'description', kind: 'longText', label: 'What it shows' },
    ],
    columns: [{ key: 'title', width: 240 }, { key: 'description' }],
    filters: [],
    search: false,
    sort: { field: 'title', order: 'ASC' },
    pageSize: 100,
    routes: { view: '/reports/standard/:id' },
    actions: [],
    presentation: 'table',
    empty: { title: 'No reports', body: 'Your role may not run any report.' },
    offline: false,
  }
}
