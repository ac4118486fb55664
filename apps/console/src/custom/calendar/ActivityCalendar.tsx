import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import dayjs from 'dayjs'
import { useNavigate } from '@tanstack/react-router'
import type { CustomView } from '@outpost/contract/views'
import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { useAddress } from '../../view/address.ts'
import { pathOf } from '../../view/RecordLink.tsx'
import { ErrorState } from '../../view/states/index.tsx'
import { useIsPhone } from '../../view/useIsPhone.ts'
import { CalendarBar } from './CalendarBar.tsx'
import { askedDays, parseCalendar, stepped } from './calendar-state.ts'
import type { CalendarState } from './calendar-state.ts'
import { CreateDialog, MoveDialog } from './dialogs.tsx'
import { EventDrawer } from './EventDrawer.tsx'
import { activityEvent, allAgents, isShown, layerEvent } from './events.ts'
import type { LayerEntry, LayerView } from './events.ts'
import { Grid } from './Grid.tsx'
import { mostActivities, useCalendar } from './useCalendar.ts'
import { changeTimes } from './useChange.ts'
import type { Times } from './useChange.ts'
import '../../view/view.css'
import './calendar.css'

interface ScreenData { layers?: LayerView[], mayEdit?: boolean, mayCreate?: boolean }

/** The calendar of activities: month, week, day and agenda; moving and making by drag, by keys and by dialogs. */
export function ActivityCalendar({ view }: { view: CustomView }) {
  const { layers = [], mayEdit = false, mayCreate = false } = view.data as ScreenData
  const { address, patch } = useAddress()
  const isPhone = useIsPhone()
  const state = useMemo(() => parseCalendar(address, isPhone), [address, isPhone])
  const shownLayers = useMemo(() => layers.filter(({ key }) => state.layers.includes(key)), [layers, state])
  const { activities, statuses, types, entries, failed } = useCalendar(askedDays(state), shownLayers)
  const rows = activities.data?.rows ?? noRows
  const events = useMemo(() => [
    ...rows.filter((row) => isShown(row, state)).map((row) => activityEvent(row, statuses, mayEdit)),
    ...entries.flatMap(({ layer, entries: own }) => own.map((entry) => layerEvent(entry, layer))),
  ], [rows, state, statuses, mayEdit, JSON.stringify(entries.map(({ entries: own }) => own.length)), entries])
  const [openId, setOpenId] = useState<string>()
  const [moving, setMoving] = useState<Row>()
  const [making, setMaking] = useState<Times>()
  const open = rows.find(({ Id }) => Id === openId)
  const navigate = useNavigate()
  const change = (next: Partial<CalendarState>) => patch(addressOf({ ...state, ...next }, isPhone), { isStep: next.view !== undefined || next.date !== undefined })
  const create = () => setMaking(nextHour(state))
  useKeys({
    t: () => change({ date: dayjs().format('YYYY-MM-DD') }), d: () => change({ view: 'day' }), w: () => change({ view: 'week' }), m: () => change({ view: 'month' }), a: () => change({ view: 'agenda' }),
    ArrowLeft: () => change({ date: stepped(state, -1) }), ArrowRight: () => change({ date: stepped(state, 1) }), ...(mayCreate ? { c: create } : {}),
  })
  const openLayer = (layer: LayerView, entry: LayerEntry) => {
    const path = pathOf(layer.screen, { id: entry.Id })
    if (path) void navigate({ to: path })
  }
  return (
    <div className="cal">
      <CalendarBar
        title={view.title} state={state} statuses={statuses} types={types} agents={allAgents(rows)} layers={layers} mayCreate={mayCreate} onChange={change} onCreate={create}
        onStep={(step) => change({ date: stepped(state, step) })} onToday={() => change({ date: dayjs().format('YYYY-MM-DD') })}
      />
      {activities.error && !activities.data ? <ErrorState error={activities.error} what="The calendar" onRetry={() => void activities.refetch()} /> : (
        <Grid
          state={state} events={events} isBusy={activities.isFetching} mayCreate={mayCreate} onOpen={(row) => setOpenId(row.Id)} onLayer={openLayer} onSelect={setMaking}
          onMove={(row, times, revert) => void changeTimes(row, times, revert)} onDay={(date) => change({ date, view: 'day' })}
        />
      )}
      <p className="cal-note" role="status">{noteOf(activities.data?.meta.total ?? 0, failed)}</p>
      {open ? <EventDrawer row={open} statuses={statuses} mayEdit={mayEdit} onMove={() => setMoving(open)} onClose={() => setOpenId(undefined)} /> : null}
      <Suspense fallback={null}>
        {moving ? <MoveDialog row={moving} onMove={(times) => changeTimes(moving, times, () => undefined)} onClose={() => setMoving(undefined)} /> : null}
        {making ? <CreateDialog times={making} types={types} onClose={() => setMaking(undefined)} /> : null}
      </Suspense>
    </div>
  )
}

const noRows: readonly Row[] = []

function noteOf(total: number, failed: Error | null): string {
  if (failed) return `${t('A layer could not be loaded')}: ${failed.message}`
  return total > mostActivities ? `${t('Only the first')} ${mostActivities.toLocaleString('en-GB')} ${t('activities of these days are shown.')}` : ''
}

/** Entries of the address; what goes without saying is left out. */
function addressOf(state: CalendarState, isPhone: boolean): Record<string, unknown> {
  const plain = parseCalendar({}, isPhone)
  const text = (list: readonly string[]) => list.length > 0 ? list.join(',') : undefined
  return {
    view: state.view === plain.view ? undefined : state.view, date: state.date === plain.date ? undefined : state.date,
    status: text(state.statuses), type: text(state.types), agent: text(state.agents), layers: text(state.layers),
  }
}

/** The hour that comes, on the day the calendar stands at. */
function nextHour({ date }: CalendarState): Times {
  const start = dayjs(date).hour(dayjs().hour()).add(1, 'hour').startOf('hour')
  return { startDate: start.toISOString(), endDate: start.add(1, 'hour').toISOString() }
}

/** Single keys, except while typing or in something that has keys of its own. */
function useKeys(keys: Record<string, () => void>) {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target?.closest('input, textarea, select, [contenteditable], [role=combobox], [role=dialog], [role=menu], [role=radiogroup]')) return
      latest.current[event.key]?.()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
