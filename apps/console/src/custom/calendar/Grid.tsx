import { useEffect, useRef, useState } from 'react'
import { Calendar } from '@fullcalendar/react'
import type { CalendarRef, EventApi, EventDisplayInfo, EventInput } from '@fullcalendar/react'
import dayGrid from '@fullcalendar/react/daygrid'
import interaction from '@fullcalendar/react/interaction'
import list from '@fullcalendar/react/list'
import theme from '@fullcalendar/react/themes/classic'
import timeGrid from '@fullcalendar/react/timegrid'
import { RetweetOutlined } from '@ant-design/icons'
import dayjs from 'dayjs'
import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { useScheme } from '../../theme/scheme.ts'
import type { CalendarState, CalendarViewName } from './calendar-state.ts'
import { eventLabel, shortName } from './events.ts'
import type { LayerEntry, LayerView } from './events.ts'
import { StackBody } from './StackBody.tsx'
import type { Stack } from './stack.ts'
import type { Times } from './useChange.ts'
import { weekStart } from '../../session/formats.ts'
import { intlLocale } from '../../session/language.ts'
import '@fullcalendar/react/skeleton.css'
import '@fullcalendar/react/themes/classic/theme.css'

const plugins = [dayGrid, timeGrid, list, interaction, theme]
const viewNames: Record<GridView, string> = { month: 'dayGridMonth', week: 'timeGridWeek', day: 'timeGridDay', agenda: 'listDays' }
/** An agenda begins with its own day, not with a Monday. */
const ownViews = { listDays: { type: 'list', duration: { days: 7 }, dateAlignment: 'day' } }
/** Boxes side by side that can still be read; what is more is counted. */
const maxBeside = { month: 1, week: 4, day: 8, agenda: 1 }
type GridView = Exclude<CalendarViewName, 'agents'>
const clock = { hour: '2-digit', minute: '2-digit', hour12: false } as const

interface GridProps {
  state: Pick<CalendarState, 'date'> & { view: GridView }
  events: EventInput[]
  isBusy: boolean
  /** Nothing has come yet. */
  isWaiting: boolean
  mayCreate: boolean
  onOpen: (row: Row) => void
  onLayer: (layer: LayerView, entry: LayerEntry) => void
  /** Times were marked with the pointer. */
  onSelect: (times: Times) => void
  onMove: (row: Row, times: Times, revert: () => void) => void
  onDay: (date: string) => void
  onStack: (stack: Stack) => void
}

/** FullCalendar under our own bar: the address says what it shows. */
export function Grid({ state, events, isBusy, isWaiting, mayCreate, onOpen, onLayer, onSelect, onMove, onDay, onStack }: GridProps) {
  const calendar = useRef<CalendarRef>(null)
  const scheme = useScheme()
  const [start] = useState(state)
  useEffect(() => {
    const api = calendar.current?.getApi()
    // FullCalendar draws with flushSync, which React refuses while it is drawing itself.
    queueMicrotask(() => api?.changeView(viewNames[state.view], state.date))
  }, [state.view, state.date])
  const moved = ({ event, revert }: { event: EventApi; revert: () => void }) => {
    const times = timesOf(event)
    const row = rowOf(event)
    if (row && times) onMove(row, times, revert)
  }
  // What is hidden behind "+3" is listed, the first of it above: FullCalendar goes there by the view's name, the address follows.
  const moreOf = (date: Date) => {
    onStack({ day: dayjs(date).format('YYYY-MM-DD'), hour: null, count: 0, parts: [] })
    return viewNames.agenda
  }
  return (
    <div className="cal-grid" aria-busy={isBusy} data-view={state.view} data-waiting={isWaiting || undefined}>
      <Calendar
        ref={calendar}
        plugins={plugins}
        views={ownViews}
        initialView={viewNames[start.view]}
        initialDate={start.date}
        headerToolbar={false}
        height="100%"
        colorScheme={scheme}
        locale={intlLocale()}
        firstDay={weekStart()}
        events={events}
        eventContent={EventBody}
        eventTimeFormat={clock}
        slotHeaderFormat={clock}
        nowIndicator
        scrollTime="07:00:00"
        slotDuration="00:30:00"
        snapDuration="00:15:00"
        slotMinHeight={32}
        dayMaxEvents={4}
        slotEventOverlap={false}
        eventOrder={state.view === 'agenda' ? 'start,rank,title' : 'rank,start,-duration,title'}
        eventDisplay="block"
        eventMinHeight={24}
        eventMaxStack={maxBeside[state.view]}
        moreLinkClick={({ date }) => moreOf(date)}
        defaultTimedEventDuration="00:30:00"
        editable
        selectable={mayCreate}
        selectMirror
        eventInteractive
        eventResizableFromStart
        longPressDelay={350}
        dragRevertDuration={0}
        navLinks={state.view === 'month'}
        navLinkDayClick={(date: Date) => onDay(dayjs(date).format('YYYY-MM-DD'))}
        eventDrop={moved}
        eventResize={moved}
        noEventsContent={t('Nothing is planned in these days.')}
        allDayText={t('all day')}
        select={({ start: from, end, allDay }) => {
          onSelect(allDay ? workHours(from) : { startDate: from.toISOString(), endDate: end.toISOString() })
          calendar.current?.getApi().unselect()
        }}
        eventClick={({ event }) => {
          const row = rowOf(event)
          const { layer, entry, stack } = event.extendedProps as { layer?: LayerView; entry?: LayerEntry; stack?: Stack }
          if (row) onOpen(row)
          else if (stack) onStack(stack)
          else if (layer && entry) onLayer(layer, entry)
        }}
      />
    </div>
  )
}

const rowOf = (event: EventApi): Row | undefined => (event.extendedProps as { row?: Row }).row

function timesOf(event: EventApi): Times | undefined {
  if (!event.start) return undefined
  const row = rowOf(event)
  const length = dayjs(String(row?.endDate ?? row?.startDate)).diff(String(row?.startDate))
  // Dropped into the all-day row there is no end: the activity keeps its length.
  return { startDate: event.start.toISOString(), endDate: (event.end ?? dayjs(event.start).add(length, 'ms').toDate()).toISOString() }
}

/** A day marked in the month means an hour of its morning. */
function workHours(day: Date): Times {
  const start = dayjs(day).hour(9).startOf('hour')
  return { startDate: start.toISOString(), endDate: start.add(1, 'hour').toISOString() }
}

/** What is in an event: time, name, a mark when it repeats, and the layer it belongs to. */
function EventBody({ event, timeText, view }: EventDisplayInfo) {
  const { row, statusName, repeats, layer, entry, stack } = event.extendedProps as {
    row?: Row
    statusName?: string
    repeats?: boolean
    layer?: LayerView
    entry?: LayerEntry
    stack?: Stack
  }
  if (stack) return <StackBody stack={stack} />
  const isList = view.type.startsWith('list')
  const name = row && !isList ? shortName(row) : event.title
  const words = row ? eventLabel(row) : `${t(layer?.label ?? '')}: ${event.title}${entry?.note ? `, ${entry.note}` : ''}`
  return (
    <span className="cal-body" title={words}>
      {timeText ? <span className="cal-time">{timeText}</span> : null}
      {repeats ? <RetweetOutlined className="cal-repeats" aria-label={t('repeats')} /> : null}
      <span className="cal-title">
        {layer ? `${t(layer.label)}: ` : ''}
        {name}
      </span>
      {name === event.title || isList ? null : <span className="cal-type">{String(row?.typeDesc)}</span>}
      {isList && row ? <span className="cal-more">{[statusName, row.agentName, row.location].filter(Boolean).join(' · ')}</span> : null}
    </span>
  )
}
