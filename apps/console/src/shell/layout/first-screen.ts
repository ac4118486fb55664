import { defaultParseSearch } from '@tanstack/react-router'
import type { ConsoleFrame } from '@outpost/contract/console'
import type { View } from '@outpost/contract/views'
import { screenQuery } from '../../data/queries.ts'
import { queryClient } from '../../data/query-client.ts'
import { storeSettled } from '../../offline/current.ts'
import { loadKind } from '../../view/ViewHost.tsx'
import { routerPath } from '../paths.ts'

/** Asks for the screen at the page's address, and for the rows of a list, while the frame around it is drawn. What fails is asked for again by the screen. */
export async function fetchFirstScreen({ screens, landing, mustChangePassword }: ConsoleFrame): Promise<void> {
  const { pathname, search } = location.pathname === '/' ? new URL(landing, location.origin) : location
  const screen = screens.find(({ path, permitted, takesId }) => permitted && !takesId && routerPath(path) === routerPath(pathname))
  if (!screen || mustChangePassword) return
  const query = screenQuery(screen.id)
  const view = queryClient.prefetchQuery(query).then(() => queryClient.getQueryData<View>(query.queryKey))
  if (screen.kind !== 'list') return void (await Promise.all([view, loadKind(screen.kind)]))
  const [{ fetchFirstRows }] = await Promise.all([import('../../view/kinds/list/ListKind.tsx'), loadKind(screen.kind)])
  await storeSettled()
  await fetchFirstRows(view, pathname, defaultParseSearch(search))
}
