import { defaultParseSearch } from '@tanstack/react-router'
import type { ConsoleLayout, ScreenEntry } from '@outpost/contract/console'
import type { View } from '@outpost/contract/views'
import { savedViewsQuery, screenQuery } from '../../data/queries.ts'
import { queryClient } from '../../data/query-client.ts'
import { askAhead } from '../../custom/ahead.ts'
import { storeSettled } from '../../offline/current.ts'
import { loadKind } from '../../view/ViewHost.tsx'
import { paramsIn } from '../paths.ts'

/**
 * Asks for the screen at the page's address, and for the rows of a list or what a hand-made screen shows, while the layout around it is
 * drawn. What fails is asked for again by the screen.
 */
export async function fetchFirstScreen(layout: ConsoleLayout): Promise<void> {
  const { pathname, search } = location.pathname === '/' ? new URL(layout.landing, location.origin) : location
  const screen = screenAt(layout, pathname)
  if (!screen || layout.mustChangePassword) return
  const query = screenQuery(screen.id)
  const view = queryClient.prefetchQuery(query).then(() => queryClient.getQueryData<View>(query.queryKey))
  if (screen.kind === 'custom') return askAhead(await view, { params: paramsIn(screen.path, pathname) ?? {}, layout })
  if (screen.kind !== 'list') return void (await Promise.all([view, loadKind(screen.kind)]))
  // Before the layout is drawn, which takes a while; the list joins in.
  void queryClient.prefetchQuery(savedViewsQuery(pathname))
  const [{ fetchFirstRows }] = await Promise.all([import('../../view/kinds/list/ListKind.tsx'), loadKind(screen.kind)])
  await fetchFirstRows({ view, pathname, address: defaultParseSearch(search), ready: storeSettled() })
}

/** A screen with a path of its own before one that takes a record's id in its place; of the latter no lists, whose rows hang on it. */
function screenAt({ screens }: ConsoleLayout, pathname: string): ScreenEntry | undefined {
  const here = screens.filter(({ path, permitted, takesId }) => permitted && !takesId && paramsIn(path, pathname) !== undefined)
  return here.find(({ path }) => !path.includes(':')) ?? here.find(({ kind }) => kind !== 'list')
}
