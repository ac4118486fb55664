import { Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import dayjs from 'dayjs'
import { useNavigate } from '@tanstack/react-router'
import type { CustomView } from '@outpost/contract/views'
import type { EventInput } from '@fullcalendar/react'
import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { useAddress } from '../../view/address.ts'
import { pathOf } from '../../view/RecordLink.tsx'
import { ErrorState } from '../../view/states/index.tsx'
import { useIsPhone } from '../../view/useIsPhone.ts'
import { AgentColumns } from './AgentColumns.tsx'
import { CalendarBar } from './CalendarBar.tsx'
import { agentIds, askedDays, parseCalendar, scopeOf, stepped } from './calendar-state.ts'
import type { CalendarState } from './calendar-state.ts'
import { CreateDialog, MoveDialog } from './dialogs.tsx'
import { EventDrawer } from './EventDrawer.tsx'
import { columnsOf } from './columns.ts'
import { activityEvent, allAgents, isShown, layerEvent, stackEvent } from './events.ts'
import type { LayerEntry, LayerView, Status } from './events.ts'
import { Grid } from './Grid.tsx'
import { beginsIn, isOwn, stackDays, stackHours } from './stacks.ts'
import { maxActivities, useCalendar } from './useCalendar.ts'
import { changeTimes } from './useChange.ts'
import type { Times } from './useChange.ts'
import { numberFormat } from '../../session/language.ts'
import '../../view/view.css'
import './calendar.css'

interface ScreenData {
  layers?: LayerView[]
  mayEdit?: boolean
  mayCreate?: boolean
  hasOwnWork?: boolean
}

/** The calendar of activities: month, week, day and agenda; moving and making by drag, by keys and by dialogs. */
export function ActivityCalendar({ view }: { view: CustomView }) {
  const { layers = [], mayEdit = false, mayCreate = false, hasOwnWork = false } = view.data as ScreenData
  const { address, patch } = useAddress()
  const isPhone = useIsPhone()
  const state = useMemo(() => parseCalendar(address, isPhone), [address, isPhone])
  const shownLayers = useMemo(() => layers.filter(({ key }) => state.layers.includes(key)), [layers, state])
  const { activities, statuses, types, entries, failed } = useCalendar(askedDays(state), shownLayers)
  const rows = activities.data?.rows ?? noRows
  const me = useSession().layout?.user.Id ?? ''
  const scope = scopeOf(state, hasOwnWork)
  const agents = useMemo(() => agentIds(scope, state.agents, me), [scope, state.agents, me])
  const fitting = useMemo(() => rows.filter((row) => isShown(row, { ...state, agents: [] }) && beginsIn(row, state)), [rows, state])
  const shown = useMemo(() => fitting.filter((row) => isShown(row, { statuses: [], types: [], agents })), [fitting, agents])
  const isCrowdable = scope !== 'mine'
  const drawn = useMemo(
    () => drawRows(shown, { view: state.view, isPhone, isCrowdable, statuses, me, mayEdit }),
    [shown, state.view, isPhone, isCrowdable, statuses, me, mayEdit],
  )
  const events = useMemo(
    () => [...drawn, ...entries.flatMap(({ layer, entries: own }) => own.map((entry) => layerEvent(entry, layer)))],
    [drawn, entries],
  )
  const [openId, setOpenId] = useState<string>()
  const [moving, setMoving] = useState<Row>()
  const [making, setMaking] = useState<Times>()
  const open = rows.find(({ Id }) => Id === openId)
  const navigate = useNavigate()
  // Another day or view shows whole days again.
  const change = (next: Partial<CalendarState>) =>
    patch(addressOf({ ...state, hour: null, ...narrowed(next, state), ...next }, isPhone), {
      isStep: next.view !== undefined || next.date !== undefined,
    })
  const create = () => setMaking(nextHour(state))
  useKeys({
    t: () => change({ date: dayjs().format('YYYY-MM-DD') }),
    d: () => change({ view: 'day' }),
    w: () => change({ view: 'week' }),
    m: () => change({ view: 'month' }),
    a: () => change({ view: 'agenda' }),
    g: () => change({ view: 'agents' }),
    ArrowLeft: () => change({ date: stepped(state, -1) }),
    ArrowRight: () => change({ date: stepped(state, 1) }),
    ...(mayCreate ? { c: create } : {}),
  })
  const openLayer = (layer: LayerView, entry: LayerEntry) => {
    const path = pathOf(layer.screen, { id: entry.Id })
    if (path) void navigate({ to: path })
  }
  return (
    <div className="cal">
      <CalendarBar
        title={view.title}
        state={state}
        statuses={statuses}
        types={types}
        agents={allAgents(rows)}
        layers={layers}
        mayCreate={mayCreate}
        scope={scope}
        onChange={change}
        onCreate={create}
        onStep={(step) => change({ date: stepped(state, step) })}
        onToday={() => change({ date: dayjs().format('YYYY-MM-DD') })}
      />
      {activities.error && !activities.data ? (
        <ErrorState error={activities.error} what={t('The calendar')} onRetry={() => void activities.refetch()} />
      ) : state.view === 'agents' ? (
        <AgentColumns
          columns={columnsOf(shown, { day: state.date, me, chosen: agents, nobody: t('No agent') })}
          statuses={statuses}
          isBusy={activities.isFetching}
          onOpen={(row) => setOpenId(row.Id)}
        />
      ) : (
        <Grid
          state={{ view: state.view, date: state.date }}
          events={events}
          isBusy={activities.isFetching}
          isWaiting={activities.isPending}
          mayCreate={mayCreate}
          onOpen={(row) => setOpenId(row.Id)}
          onLayer={openLayer}
          onSelect={setMaking}
          onMove={(row, times, revert) => void changeTimes(row, times, revert)}
          onDay={(date) => change({ date, view: 'day' })}
          onStack={({ day, hour }) => change({ date: day, view: 'agenda', hour })}
        />
      )}
      <p className="cal-note" role="status">
        {noteOf({ total: activities.data?.meta.total ?? 0, failed, others: scope === 'mine' && shown.length === 0 ? fitting.length : 0 })}
      </p>
      {open ? (
        <EventDrawer row={open} statuses={statuses} mayEdit={mayEdit} onMove={() => setMoving(open)} onClose={() => setOpenId(undefined)} />
      ) : null}
      <Suspense fallback={null}>
        {moving ? (
          <MoveDialog row={moving} onMove={(times) => changeTimes(moving, times, () => undefined)} onClose={() => setMoving(undefined)} />
        ) : null}
        {making ? <CreateDialog times={making} types={types} onClose={() => setMaking(undefined)} /> : null}
      </Suspense>
    </div>
  )
}

const noRows: readonly Row[] = []

function noteOf({ total, failed, others }: { total: number; failed: Error | null; others: number }): string {
  if (failed) return `${t('A layer could not be loaded')}: ${failed.message}`
  if (others > 0)
    return `${t('You have nothing in these days; "Everyone" shows')} ${numberFormat().format(others)} ${t(others === 1 ? 'activity of others.' : 'activities of others.')}`
  return total > maxActivities
    ? `${t('Only the first')} ${numberFormat().format(maxActivities)} ${t('activities of these days are shown.')}`
    : ''
}

interface Drawing {
  view: CalendarState['view']
  isPhone: boolean
  isCrowdable: boolean
  statuses: readonly Status[]
  me: string
  mayEdit: boolean
}

/** Activities that are side by side before others are counted instead. */
const maxSideBySide = { week: 2, day: 6 } as const

/** The activities one by one, or counted where they could not be read. */
function drawRows(rows: readonly Row[], { view, isPhone, isCrowdable, statuses, me, mayEdit }: Drawing): EventInput[] {
  if (view === 'month' && isPhone) return stackDays(rows, statuses).map(stackEvent)
  const { singles, stacks } =
    isCrowdable && (view === 'week' || view === 'day')
      ? stackHours(rows, { statuses, me, most: isPhone ? 1 : maxSideBySide[view] })
      : { singles: rows, stacks: [] }
  return [...singles.map((row) => activityEvent(row, statuses, { mayEdit, isOwn: isOwn(row, me) })), ...stacks.map(stackEvent)]
}

/** What a change leaves of the hour: filters keep it. */
const narrowed = (next: Partial<CalendarState>, { hour }: CalendarState): Partial<CalendarState> =>
  next.view === undefined && next.date === undefined ? { hour } : {}

/** Entries of the address; what goes without saying is left out. */
function addressOf(state: CalendarState, isPhone: boolean): Record<string, unknown> {
  const plain = parseCalendar({}, isPhone)
  const text = (list: readonly string[]) => (list.length > 0 ? list.join(',') : undefined)
  return {
    view: state.view === plain.view ? undefined : state.view,
    date: state.date === plain.date ? undefined : state.date,
    hour: state.hour ?? undefined,
    status: text(state.statuses),
    type: text(state.types),
    agent: text(state.agents),
    layers: text(state.layers),
  }
}

/** The next full hour, on the day the calendar shows. */
function nextHour({ date }: CalendarState): Times {
  const start = dayjs(date).hour(dayjs().hour()).add(1, 'hour').startOf('hour')
  return { startDate: start.toISOString(), endDate: start.add(1, 'hour').toISOString() }
}

/** Single keys, except while typing or in something that has keys of its own. */
function useKeys(keys: Record<string, () => void>) {
  const run = useEffectEvent((key: string) => keys[key]?.())
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented ||
        target?.closest('input, textarea, select, [contenteditable], [role=combobox], [role=dialog], [role=menu], [role=radiogroup]')
      )
        return
      run(event.key)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
