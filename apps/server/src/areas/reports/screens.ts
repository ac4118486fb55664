import type { ListView } from '@outpost/contract/views'
import { demanded } from '../../kernel/screens/catalogue.ts'
import type { Calls, Ctx } from '../../kernel/types.ts'

/** The list of standard reports; a row opens the report's own screen. */
export function reportsView(_: Ctx, { list }: Calls<'list'>): ListView {
  return {
    kind: 'list',
    title: 'Standard Reports',
    resource: 'report',
    many: 'reports',
    idKey: 'name',
    titleKey: 'title',
    source: demanded(list),
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
