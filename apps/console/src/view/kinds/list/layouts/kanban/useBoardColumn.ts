import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ListQuery } from '@outpost/contract/envelope'
import type { KanbanLayout, ListView } from '@outpost/contract/views'
import { listRecords } from '../../../../../data/gateway.ts'
import { columnKey, columnQuery } from './board-cache.ts'

export interface BoardQuery {
  view: ListView
  layout: KanbanLayout
  query: ListQuery
  params: Record<string, string>
  isReady: boolean
}

/** Cards asked for at once. */
const pageSize = 50

/** The cards of one column, page after page. */
export function useBoardColumn({ view, layout, query, params, isReady }: BoardQuery, value: string) {
  return useInfiniteQuery({
    queryKey: columnKey(view, layout, query, value),
    enabled: isReady,
    placeholderData: keepPreviousData,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      listRecords({
        view,
        source: view.source,
        resource: view.resource,
        many: view.many,
        params,
        signal,
        query: { ...columnQuery(layout, query, value), page: pageParam, size: pageSize },
      }),
    getNextPageParam: ({ meta, rows }, pages) =>
      rows.length > 0 && (pages.length * pageSize < meta.total || (meta.estimated === true && rows.length >= pageSize))
        ? pages.length + 1
        : undefined,
  })
}
