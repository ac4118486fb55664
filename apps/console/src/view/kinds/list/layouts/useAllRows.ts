import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ListQuery } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import { listRecords } from '../../../../data/gateway.ts'
import { keys } from '../../../../data/keys.ts'

/** Rows a list call gives at once at most. */
export const maxRows = 10_000

/** All rows of a list's query (up to 10,000), for layouts that cannot page. */
export function useAllRows({
  view,
  query,
  params,
  isReady,
}: {
  view: ListView
  query: ListQuery
  params: Record<string, string>
  isReady: boolean
}) {
  const asked = { ...query, page: 1, size: maxRows }
  return useQuery({
    queryKey: keys.list(view.resource, view.source.path, { ...asked, ...params }),
    enabled: isReady,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      listRecords({ view, source: view.source, resource: view.resource, many: view.many, query: asked, params, signal }),
  })
}
