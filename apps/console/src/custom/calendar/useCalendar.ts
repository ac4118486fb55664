import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { call, callOf } from '../../data/calls.ts'
import type { CallInput } from '@outpost/client/client'
import { listRecords } from '../../data/gateway.ts'
import { keys } from '../../data/keys.ts'
import type { LayerEntry, LayerView, Status } from './events.ts'

/** Activities of a window that are asked for at most. */
export const maxActivities = 5_000
const source = callOf('activities.list')
type LayerKey = CallInput<'activities.calendarLayer'>['params']['layer']

export interface Type {
  Id: string
  name: string
  colour?: string | null
  label?: string
}

/** Activities that start in the days, the options of the filters, and the entries of the chosen layers. */
export function useCalendar({ from, to }: { from: string; to: string }, layers: readonly LayerView[]) {
  const query = { startDate: from, endDate: to, dateType: 'start', sortField: 'startDate', sortOrder: 'ASC', size: maxActivities } as const
  const activities = useQuery({
    queryKey: keys.list('activity', source.path, { ...query, calendar: true }),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => listRecords({ source, resource: 'activity', many: 'activities', query, signal }),
  })
  const statuses = useOptions<Status>(
    'activities.statuses',
    async (signal) => (await call('activities.statuses', {}, { signal })).data.activityStatuses,
  )
  const types = useOptions<Type>('activities.types', async (signal) => (await call('activities.types', {}, { signal })).data.activityTypes)
  const overlays = useQueries({
    queries: layers.map((layer) => ({
      queryKey: ['calendar-layer', layer.key, from, to],
      placeholderData: keepPreviousData,
      staleTime: 60_000,
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (
          await call(
            'activities.calendarLayer',
            { params: { layer: layer.key as LayerKey }, query: { startDate: from, endDate: to } },
            { signal },
          )
        ).data.entries as LayerEntry[],
    })),
  })
  const entries = layers.length === 0 ? noEntries : layers.map((layer, index) => ({ layer, entries: overlays[index]?.data ?? [] }))
  return { activities, statuses, types, entries, failed: overlays.find(({ error }) => error)?.error ?? null }
}

/** Without layers it is always the same list, so that the events stay as they are. */
const noEntries: readonly { layer: LayerView; entries: LayerEntry[] }[] = []

function useOptions<Option>(name: string, read: (signal: AbortSignal) => Promise<Option[]>): readonly Option[] {
  const { data } = useQuery({
    queryKey: ['options', name],
    staleTime: 5 * 60_000,
    queryFn: ({ signal }) => read(signal),
  })
  return data ?? noOptions
}
const noOptions: readonly never[] = []
