import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../../../data/api.ts'
import { keys } from '../../../../../data/keys.ts'
import { fillPath } from '../../../../../data/paths.ts'
import type { BoardQuery } from './useBoardColumn.ts'

/** What the server counts in a column. */
export interface ColumnFigure {
  value: string
  count: number
  sum?: number | string | null
}

/** Count and sum of every column by its value, of all rows the filter leaves; empty without a summary call. */
export function useSummary({ view, layout, query, params, isReady }: BoardQuery): ReadonlyMap<string, ColumnFigure> {
  const { summary } = layout
  const { data } = useQuery({
    queryKey: keys.list(view.resource, summary?.path ?? '', { ...query, ...params }),
    enabled: isReady && summary !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (!summary) return []
      return (await api.call<{ summary: ColumnFigure[] }>(summary.method, fillPath(summary.path, params), { query: { ...query }, signal }))
        .data.summary
    },
  })
  return new Map(data?.map((figure) => [figure.value, figure]))
}
