import { defaultParseSearch } from '@tanstack/react-router'
import type { ConsoleFrame, ScreenEntry } from '@outpost/contract/console'
import type { View } from '@outpost/contract/views'
import { pathOf } from '../../data/calls.ts'
import { screenQuery } from '../../data/queries.ts'
import { queryClient } from '../../data/query-client.ts'
import { askAhead } from '../../custom/ahead.ts'
import { storeSettled } from '../../offline/current.ts'
import { keepFirstCalls, noteCalls } from '../../session/first-calls.ts'
import { loadKind } from '../../view/ViewHost.tsx'
import { paramsIn } from '../paths.ts'

/**
 * Asks for the screen at the page's address, and for the rows of a list or what a hand-made screen shows, while the frame around it is
 * drawn. What fails is asked for again by the screen. What was asked for is remembered on this device: the boot script asks for it next
 * time, before the program is there. Of somebody who is impersonated nothing stays.
 */
export async function fetchFirstScreen(frame: ConsoleFrame): Promise<void> {
  const here = location.pathname + location.search
  const calls = noteCalls()
  const paths = await askFor(frame).finally(() => calls.end())
  if (!frame.impersonation)
    keepFirstCalls(
      here,
      calls.noted().filter((call) => paths.includes(call.split('?', 1)[0] ?? '')),
    )
}

/** Gives the paths of the calls without which the screen shows nothing. */
async function askFor(frame: ConsoleFrame): Promise<string[]> {
  const { pathname, search } = location.pathname === '/' ? new URL(frame.landing, location.origin) : location
  const screen = screenAt(frame, pathname)
  if (!screen || frame.mustChangePassword) return []
  const query = screenQuery(screen.id)
  const view = queryClient.prefetchQuery(query).then(() => queryClient.getQueryData<View>(query.queryKey))
  const paths = [pathOf('console.screen', { id: screen.id })]
  if (screen.kind === 'custom') {
    await askAhead(await view, { params: paramsIn(screen.path, pathname) ?? {}, frame })
    return paths
  }
  const isLoaded = loadKind(screen.kind)
  if (screen.kind === 'list') {
    const { fetchFirstRows } = await import('../../view/kinds/list/ListKind.tsx')
    await storeSettled()
    await fetchFirstRows(view, pathname, defaultParseSearch(search))
    const list = await view
    paths.push(pathOf('views.list'), ...(list?.kind === 'list' ? [list.source.path] : []))
  }
  await Promise.all([view, isLoaded])
  return paths
}

/** A screen with a path of its own before one that takes a record's id in its place; of the latter no lists, whose rows hang on it. */
function screenAt({ screens }: ConsoleFrame, pathname: string): ScreenEntry | undefined {
  const here = screens.filter(({ path, permitted, takesId }) => permitted && !takesId && paramsIn(path, pathname) !== undefined)
  return here.find(({ path }) => !path.includes(':')) ?? here.find(({ kind }) => kind !== 'list')
}
