import type { View } from '@outpost/contract/views'
import { savedViewsQuery } from '../../../data/queries.ts'
import { queryClient } from '../../../data/query-client.ts'
import type { Address } from '../../address.ts'
import { filterOf, listQuery, parseListState } from './list-state.ts'
import { chosenLayout } from './layouts/layout-state.ts'
import { chosenView, givenViews } from './saved-views/saved-views.ts'
import { pageQuery } from './useRows.ts'

interface FirstRows {
  view: Promise<View | undefined>
  pathname: string
  address: Address
  /** When rows may be read: the device's own belong to them. */
  ready: Promise<void>
}

/** Asks for the rows that a list shows first at an address, so that they are here when it is drawn. What fails is asked for again by the list. */
export async function fetchFirstRows({ view: awaited, pathname, address, ready }: FirstRows): Promise<void> {
  const saved = savedViewsQuery(pathname)
  const [view] = await Promise.all([awaited, queryClient.prefetchQuery(saved), ready])
  if (view?.kind !== 'list' || view.presentation === 'tree' || chosenLayout(view, address)) return
  const views = [...givenViews(view, pathname), ...(queryClient.getQueryData(saved.queryKey)?.views ?? [])]
  const state = parseListState(view, address, chosenView(views, address)?.state)
  const asked = { view, query: listQuery(view, filterOf(state)), params: {}, size: view.pageSize }
  await queryClient.prefetchQuery(pageQuery(asked, state.page))
}
