import type { InfiniteData } from '@tanstack/react-query'
import { isGroup } from '@outpost/contract/envelope'
import type { FilterPart, ListQuery } from '@outpost/contract/envelope'
import type { KanbanLayout, ListView } from '@outpost/contract/views'
import { keys } from '../../../../../data/keys.ts'
import type { RecordsPage, Row } from '../../../../../data/records.ts'
import { rowId } from '../../../../actions/call.ts'

export type ColumnPages = InfiniteData<RecordsPage>

/** The list's query cut to one column of the board. */
export function columnQuery(layout: KanbanLayout, query: ListQuery, value: string): ListQuery {
  const others = (query.filter ?? []).filter((part) => isGroup(part) || part.field !== layout.field)
  return { ...query, filter: [...others, { field: layout.field, op: 'eq', value }] }
}

export const columnKey = (view: ListView, layout: KanbanLayout, query: ListQuery, value: string) =>
  keys.list(view.resource, view.source.path, { ...columnQuery(layout, query, value), board: true })

/** The columns that a filter on the board's own field leaves over. */
export function columnsLeft(layout: KanbanLayout, parts: readonly FilterPart[] = []): KanbanLayout['columns'] {
  const own = parts.flatMap((part) => (isGroup(part) || part.field !== layout.field ? [] : [part]))
  return layout.columns.filter(({ value }) =>
    own.every(({ op, value: wanted }) => {
      if (op === 'eq') return String(wanted) === value
      if (op === 'ne') return String(wanted) !== value
      if (op === 'in') return [wanted].flat().map(String).includes(value)
      return op !== 'empty'
    }),
  )
}

/** Rows of all loaded pages; a row that moved while pages were fetched is there once. */
export function rowsOf(pages: ColumnPages | undefined, idKey: string): Row[] {
  const byId = new Map<string, Row>()
  for (const page of pages?.pages ?? []) for (const row of page.rows) byId.set(rowId(row, idKey), row)
  return [...byId.values()]
}

export const totalOf = (pages: ColumnPages | undefined): { total: number; isEstimated: boolean } => {
  const meta = pages?.pages.at(-1)?.meta
  return { total: meta?.total ?? 0, isEstimated: meta?.estimated ?? false }
}

/** The pages without the row, one fewer in the count. */
export function without(pages: ColumnPages, id: string, idKey: string): ColumnPages {
  const has = pages.pages.some((page) => page.rows.some((row) => rowId(row, idKey) === id))
  if (!has) return pages
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...counted(page, -1), rows: page.rows.filter((row) => rowId(row, idKey) !== id) })),
  }
}

/** The pages with the row on top, one more in the count. */
export function withOnTop(pages: ColumnPages, row: Row): ColumnPages {
  return {
    ...pages,
    pages: pages.pages.map((page, index) => ({ ...counted(page, 1), rows: index === 0 ? [row, ...page.rows] : page.rows })),
  }
}

const counted = (page: RecordsPage, by: number): RecordsPage => ({
  ...page,
  meta: { ...page.meta, total: Math.max(0, page.meta.total + by) },
})
