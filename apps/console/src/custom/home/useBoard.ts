import { debounce } from 'es-toolkit/function/debounce'
import { useQuery } from '@tanstack/react-query'
import { get, set } from 'idb-keyval'
import { useState } from 'react'
import { isNetworkError } from '../../data/api.ts'
import { call } from '../../data/calls.ts'
import { queryClient } from '../../data/query-client.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import type { Place } from './layout.ts'

interface Kept {
  Id: string | null
  places: Place[] | null
}

const boardName = 'My dashboard'
const saveAfterMs = 800

/**
 * The user's arrangement of a dashboard, kept at the server among the saved views, so that it is the same on every
 * device; a copy on this one serves without a connection. null places: the first choice of the house.
 */
export function useBoard(board: string, userId: string) {
  const [screen, copy] = [`board:${board}`, `outpost:board:${board}:${userId}`]
  const queryKey = ['board', board, userId]
  // A drag is many steps: the last one counts.
  const [saveSoon] = useState(() => debounce(save, saveAfterMs))
  const { data, isPending } = useQuery({ queryKey, queryFn: () => load(screen, copy), staleTime: Infinity, networkMode: 'always' })
  const choose = (places: Place[] | null) => {
    queryClient.setQueryData<Kept>(queryKey, (before) => ({ Id: before?.Id ?? null, places }))
    void set(copy, places)
    saveSoon({ screen, queryKey })
  }
  return { places: data?.places ?? null, isReady: !isPending, choose }
}

async function load(screen: string, copy: string): Promise<Kept> {
  try {
    const { data } = await call('views.list', { query: { screen } })
    const mine = data.views.find((view) => view.scope === 'user' && view.isMine)
    return { Id: mine?.Id ?? null, places: (mine?.state.places as Place[] | undefined) ?? null }
  } catch (error) {
    if (!isNetworkError(error)) console.warn('The arrangement of the dashboard could not be read.', error)
    return { Id: null, places: (await get<Place[]>(copy)) ?? null }
  }
}

async function save({ screen, queryKey }: { screen: string; queryKey: string[] }): Promise<void> {
  const { Id = null, places = null } = queryClient.getQueryData<Kept>(queryKey) ?? {}
  try {
    if (places === null) {
      if (Id) await call('views.remove', { params: { id: Id } })
      return void queryClient.setQueryData<Kept>(queryKey, { Id: null, places: null })
    }
    if (Id) return void (await call('views.update', { params: { id: Id }, body: { state: { places } } }))
    const { data } = await call('views.create', { body: { screen, name: boardName, scope: 'user', state: { places } } })
    queryClient.setQueryData<Kept>(queryKey, (now) => ({ places: now?.places ?? null, Id: data.view.Id }))
  } catch {
    toast.warning({
      title: t('The dashboard is kept on this device only'),
      body: t('The server could not be reached. Your next change tries again.'),
    })
  }
}
