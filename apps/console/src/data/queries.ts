import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ConsoleLayout } from '@outpost/contract/console'
import type { ListQuery } from '@outpost/contract/envelope'
import type { ReferenceView } from '@outpost/contract/fields'
import type { CallView, ListView, View } from '@outpost/contract/views'
import { ApiError, isNetworkError } from './api.ts'
import { call } from './calls.ts'
import { getRecord, listRecords } from './gateway.ts'
import { keptForTheRoad } from './kept-mark.ts'
import { keys } from './keys.ts'
import type { Values } from './paths.ts'
import { queryClient } from './query-client.ts'
import type { Row, Source } from './records.ts'
import { cached, putCached } from '../offline/store/views-cache.ts'
import { keptKind } from '../offline/kinds.ts'
import { keepRows, mostListed } from '../offline/listed.ts'
import { takeEarlyLayout } from '../session/early.ts'
import { untilSignOut } from '../session/leaving.ts'
import { storeReferences } from './references.ts'

/** The kept copy answers when there is no connection; any other failure stays one. */
async function orCached<T>(name: string, error: unknown): Promise<T> {
  const copy = isNetworkError(error) ? await cached<T>(name) : undefined
  if (copy === undefined) throw error
  return copy
}

/** The name of the layout on devices, as their first version chose it: another would leave those without a network without a menu. */
const keptLayout = 'frame'

/** Menu, screens, user and company in one call; the last one seen when there is no connection. */
export async function fetchLayout(): Promise<ConsoleLayout> {
  try {
    const layout = (await earlyLayout()) ?? ((await call('console.layout')).data as unknown as ConsoleLayout)
    // Of somebody who is impersonated nothing stays on the device.
    if (!layout.impersonation) void putCached(keptLayout, layout, layout.user.Id)
    return layout
  } catch (error) {
    return orCached(keptLayout, error)
  }
}

/** The layout as the boot script asked for it; what came of no use is asked for again, and its refusal handled there. */
async function earlyLayout(): Promise<ConsoleLayout | undefined> {
  const early = await takeEarlyLayout()
  const envelope = early?.answer as { success?: boolean; data?: ConsoleLayout } | undefined
  return early?.status === 200 && envelope?.success === true ? envelope.data : undefined
}

/** The layout seen last on this device. Throws ApiError when there is none. */
export const cachedLayout = (): Promise<ConsoleLayout> =>
  orCached(
    keptLayout,
    new ApiError({
      status: 0,
      code: 'NETWORK',
      message: 'This device has not kept your screens yet. Connect to the network and sign in once.',
    }),
  )

/** One view, cut to the caller; screens seen before answer offline. */
export async function fetchScreen(id: string, signal?: AbortSignal): Promise<View> {
  const name = `screen:${id}`
  try {
    const view = (await call('console.screen', { params: { id } }, { signal })).data.view as unknown as View
    void putCached(name, view)
    return view
  } catch (error) {
    return orCached(name, error)
  }
}

/** Fetches the views of all screens that work offline, and what their forms choose from, one after the other, so that they open without a connection. */
export async function keepOfflineScreens(layout: ConsoleLayout): Promise<void> {
  const signal = untilSignOut()
  const references = new Map<string, ReferenceView>()
  for (const screen of layout.screens.filter(({ offline, permitted }) => offline && permitted)) {
    if (signal.aborted) return
    const queryKey = keys.screen(screen.id)
    await queryClient.prefetchQuery({ queryKey, queryFn: () => fetchScreen(screen.id, signal), staleTime: 5 * 60_000 })
    const view = queryClient.getQueryData<View>(queryKey)
    if (view?.kind === 'list') await keepList(view, signal)
    const fields = view?.kind === 'form' && view.offline ? view.fields : []
    for (const { reference } of fields) if (reference) references.set(reference.to, reference)
  }
  await storeReferences([...references.values()], signal)
  performance.mark(keptForTheRoad)
}

/** Of a kind that is kept as its list: the rows of now. What the server refuses or does not give now stays as it was. */
async function keepList({ resource, many, source }: ListView, signal: AbortSignal): Promise<void> {
  if (!keptKind(resource)?.isListed) return
  const request = { source, resource, many, query: { page: 1, size: mostListed }, signal }
  const page = await listRecords(request).catch(() => undefined)
  if (page?.source === 'server') await keepRows(resource, page.rows)
}

export const useLayout = (options: { isEnabled?: boolean } = {}) =>
  useQuery({ queryKey: keys.layout, queryFn: fetchLayout, staleTime: 5 * 60_000, enabled: options.isEnabled ?? true })

/** How a screen's view is asked for. */
export const screenQuery = (id: string) => ({ queryKey: keys.screen(id), queryFn: () => fetchScreen(id), staleTime: 5 * 60_000 })

export const useScreen = (id: string) => useQuery(screenQuery(id))

/** How the saved views of a list's screen are asked for. */
export const savedViewsQuery = (screen: string) =>
  queryOptions({
    queryKey: ['views', screen],
    staleTime: 5 * 60_000,
    retry: false,
    queryFn: async ({ signal }) => (await call('views.list', { query: { screen } }, { signal })).data,
  })

export interface Records {
  rows: Row[]
  total: number
  isEstimated: boolean
  source: Source | null
  isLoading: boolean
  isFetching: boolean
  /** Rows of the former query stay until the new ones come. */
  isPlaceholder: boolean
  error: Error | null
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
  refetch: () => void
}

/** Rows of a list view, page after page (`view.pageSize`); `loadMore` brings the next one. */
export function useRecords(view: ListView, query: ListQuery, params: Values = {}): Records {
  const size = query.size ?? view.pageSize
  const result = useInfiniteQuery({
    queryKey: keys.list(view.resource, view.source.path, { ...query, ...params }),
    queryFn: ({ pageParam, signal }) =>
      listRecords({
        view,
        source: view.source,
        resource: view.resource,
        many: view.many,
        query: { ...query, size, page: pageParam },
        params,
        signal,
      }),
    initialPageParam: query.page ?? 1,
    getNextPageParam: ({ meta, rows }) =>
      meta.page * size < meta.total || (meta.estimated && rows.length >= size) ? meta.page + 1 : undefined,
    placeholderData: (before) => before,
  })
  const pages = result.data?.pages ?? []
  const last = pages.at(-1)
  return {
    rows: pages.flatMap((page) => page.rows),
    total: last?.meta.total ?? 0,
    isEstimated: last?.meta.estimated ?? false,
    source: last?.source ?? null,
    isLoading: result.isPending,
    isFetching: result.isFetching,
    isPlaceholder: result.isPlaceholderData,
    error: result.error,
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    loadMore: () => {
      if (result.hasNextPage && !result.isFetchingNextPage) void result.fetchNextPage()
    },
    refetch: () => {
      void result.refetch()
    },
  }
}

export interface RecordOptions {
  resource?: string
  entityType?: string
  params?: Values
  isEnabled?: boolean
}

/** One record of a form or detail; `entityType` lets the device answer when there is no connection. */
export function useRecord(load: CallView | undefined, one: string, id: string | undefined, options: RecordOptions = {}) {
  const { resource = one, entityType, params = {}, isEnabled = true } = options
  return useQuery({
    queryKey: keys.record(resource, `${load?.path ?? ''}#${id ?? ''}`),
    queryFn: ({ signal }) => {
      if (!load) throw new Error('This view has no call that loads a record.')
      return getRecord({ load, one, id: id ?? '', entityType, params, signal })
    },
    enabled: isEnabled && load !== undefined && id !== undefined,
    // A form opened again must not begin from what the record was then: nothing is kept once nobody looks at it.
    gcTime: 0,
  })
}
