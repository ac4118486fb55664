import { useEffect, useMemo, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { CallBody } from '@outpost/client/client'
import { call } from '../../../../data/calls.ts'
import { savedViewsQuery } from '../../../../data/queries.ts'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../../session/labels.ts'
import { merged, textOf } from '../../../address.ts'
import type { Address } from '../../../address.ts'
import { filterAddress, plainFilter } from '../list-state.ts'
import type { ListFilter, SavedState } from '../list-state.ts'

export type ShareScope = 'user' | 'role' | 'tenant' | 'company'
export const shareLabels: Record<ShareScope, string> = {
  user: 'Only me',
  role: 'My role',
  tenant: 'My tenant',
  company: 'The whole company',
}

/** A kept arrangement of one list, as /api/views answers it. */
export interface SavedView {
  Id: string
  screen: string
  name: string
  scope: ShareScope
  isDefault: boolean
  isMine?: boolean
  /** The list brings it: whoever opens its address has it too. */
  isGiven?: boolean
  state: SavedState
  /** Who shares it with the reader by name. */
  sharedBy?: string | null
  /** With whom the reader shares it by name. */
  sharedWith?: { Id: string; label: string }[]
}
export type SavedViewInput = Pick<SavedView, 'name' | 'scope' | 'isDefault' | 'state'> & {
  /** Exactly those it is shared with by name. */ userIds?: string[]
}

/** The views that a list brings itself, as saved ones that nobody changes. */
export const givenViews = ({ views = [] }: Pick<ListView, 'views'>, screen: string): SavedView[] =>
  views.map(({ key, name, terms }) => ({
    Id: key,
    screen,
    name: t(name),
    scope: 'company',
    isDefault: false,
    isMine: false,
    isGiven: true,
    state: { terms },
  }))

/** Marks the list without a saved view, when one of them is the default. */
export const plainView = 'all'

const narrowness: ShareScope[] = ['user', 'role', 'tenant', 'company']

/** The saved view the address names; without a name the default of the narrowest scope. */
export function chosenView(views: readonly SavedView[], address: Address): SavedView | undefined {
  const named = textOf(address.view)
  if (named !== undefined) return views.find((view) => view.Id === named)
  return [...views].filter((view) => view.isDefault).sort((a, b) => narrowness.indexOf(a.scope) - narrowness.indexOf(b.scope))[0]
}

/** True when the address names a view that is not among those the caller sees: somebody's own, or one that is gone. */
export function isViewMissing(views: readonly SavedView[], address: Address): boolean {
  const named = textOf(address.view)
  return named !== undefined && named !== plainView && !views.some((view) => view.Id === named)
}

/**
 * The address that shows the same rows to whoever gets it: by the view's name where others see the view, else with its
 * filter spelled out, for nobody else can open it.
 */
export function sharedAddress(
  view: ListView,
  address: Address,
  { current, base, filter }: { current: SavedView | undefined; base: ListFilter; filter: ListFilter },
): Record<string, unknown> {
  const { view: _view, peek: _peek, page: _page, ...rest } = address
  const isShared = current !== undefined && current.scope !== 'user'
  return merged(rest, { view: isShared ? current.Id : plainView, ...filterAddress(filter, isShared ? base : plainFilter(view)) })
}

/** Saved views of a list's screen behind those it brings itself, and what may be done with them; `isMissing` once it is sure that the address names one that is not among them. */
export function useSavedViews(screen: string, address: Address, view: Pick<ListView, 'views'>) {
  const given = useMemo(() => givenViews(view, screen), [view, screen])
  const client = useQueryClient()
  const options = savedViewsQuery(screen)
  const refresh = () => client.invalidateQueries({ queryKey: options.queryKey })
  const list = useQuery(options)
  const views = useMemo<readonly SavedView[]>(() => [...given, ...(list.data?.views ?? noViews)], [given, list.data?.views])
  const create = useMutation({
    mutationFn: async (input: SavedViewInput) =>
      (await call('views.create', { body: { screen, ...input, state: { ...input.state } } })).data.view,
    onSuccess: refresh,
  })
  const change = useMutation({
    mutationFn: ({ Id, ...input }: Partial<SavedViewInput> & { Id: string }) =>
      call('views.update', {
        params: { id: Id },
        body: { ...input, ...(input.state ? { state: { ...input.state } } : {}) } as CallBody<'views.update'>,
      }),
    onSuccess: refresh,
  })
  const remove = useMutation({ mutationFn: (Id: string) => call('views.remove', { params: { id: Id } }), onSuccess: refresh })
  const leave = useMutation({ mutationFn: (Id: string) => call('views.leave', { params: { id: Id } }), onSuccess: refresh })
  return {
    views,
    mayShare: list.data?.mayShare ?? true,
    isMissing: useIsMissing(list, address, given),
    isSettled: !list.isPending,
    create,
    change,
    remove,
    leave,
  }
}
const noViews: SavedView[] = []

/** What is kept of the list may be older than the share whose address is opened: it is asked for once more. */
function useIsMissing({ data, refetch }: UseQueryResult<{ views?: SavedView[] }>, address: Address, given: readonly SavedView[]): boolean {
  const [asked, setAsked] = useState<string>()
  const named = textOf(address.view)
  const isUnknown = data !== undefined && isViewMissing([...given, ...(data.views ?? noViews)], address)
  useEffect(() => {
    if (isUnknown && asked !== named) void refetch().finally(() => setAsked(named))
  }, [isUnknown, asked, named, refetch])
  return isUnknown && asked === named
}
