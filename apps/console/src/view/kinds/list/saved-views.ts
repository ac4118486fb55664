import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../data/api.ts'
import { textOf } from '../../address.ts'
import type { Address } from '../../address.ts'
import type { SavedState } from './list-state.ts'

export type ShareScope = 'user' | 'role' | 'tenant' | 'company'
export const shareWords: Record<ShareScope, string> = { user: 'Only me', role: 'My role', tenant: 'My tenant', company: 'The whole company' }

/** A kept arrangement of one list, as /api/views answers it. */
export interface SavedView { Id: string, screen: string, name: string, scope: ShareScope, isDefault: boolean, isMine?: boolean, state: SavedState }
export type SavedViewInput = Pick<SavedView, 'name' | 'scope' | 'isDefault' | 'state'>

/** Marks the list without a saved view, when one of them is the default. */
export const plainView = 'all'

const narrowness: ShareScope[] = ['user', 'role', 'tenant', 'company']

/** The saved view the address names; without a name the default of the narrowest scope. */
export function chosenView(views: readonly SavedView[], address: Address): SavedView | undefined {
  const named = textOf(address.view)
  if (named !== undefined) return views.find((view) => view.Id === named)
  return [...views].filter((view) => view.isDefault).sort((a, b) => narrowness.indexOf(a.scope) - narrowness.indexOf(b.scope))[0]
}

/** Saved views of a screen and what may be done with them. */
export function useSavedViews(screen: string) {
  const client = useQueryClient()
  const key = ['views', screen]
  const refresh = () => client.invalidateQueries({ queryKey: key })
  const list = useQuery({
    queryKey: key, staleTime: 5 * 60_000, retry: false,
    queryFn: async ({ signal }) => (await api.get<{ views?: SavedView[] }>('/api/views', { screen }, { signal })).data.views ?? [],
  })
  const create = useMutation({
    mutationFn: async (input: SavedViewInput) => (await api.post<{ view: SavedView }>('/api/views', { screen, ...input })).data.view, onSuccess: refresh,
  })
  const change = useMutation({
    mutationFn: ({ Id, ...input }: Partial<SavedViewInput> & { Id: string }) => api.put(`/api/views/${encodeURIComponent(Id)}`, input), onSuccess: refresh,
  })
  const remove = useMutation({ mutationFn: (Id: string) => api.del(`/api/views/${encodeURIComponent(Id)}`), onSuccess: refresh })
  return { views: list.data ?? noViews, isSettled: !list.isPending, create, change, remove }
}
const noViews: SavedView[] = []
