import type { EventInput } from '@fullcalendar/react'
import dayjs from 'dayjs'
import type { Row } from '../../data/records.ts'
import { toneOf } from '../../theme/tones.ts'
import type { CalendarState } from './calendar-state.ts'
import type { Stack } from './stack.ts'

export interface Agent {
  Id: string
  label: string
}
export interface Status {
  Id: string
  name: string
  colour?: string | null
  meaning?: string
}
/** A layer the server offers: dates of another kind over the activities. */
export interface LayerView {
  key: string
  label: string
  colour: string
  screen: string
  isAllDay: boolean
}
export interface LayerEntry {
  Id: string
  title: string
  start: string
  end?: string | null
  note?: string | null
}

export const agentsOf = (row: Row): Agent[] => (Array.isArray(row.assignedUsers) ? (row.assignedUsers as Agent[]) : [])

/** The company's status of an activity: by its id, else by its name, which old records write in capitals. */
export function statusOf(row: Row, statuses: readonly Status[]): Status | undefined {
  const name = String(row.status ?? '').toUpperCase()
  return statuses.find(({ Id }) => Id === row.statusId) ?? statuses.find((status) => status.name.toUpperCase() === name)
}

/** Everyone who has an activity among these, by name. */
export function allAgents(rows: readonly Row[]): Agent[] {
  const byId = new Map(rows.flatMap(agentsOf).map((agent) => [agent.Id, agent]))
  return [...byId.values()].sort((a, b) => a.label.localeCompare(b.label))
}

/** True when the filters leave the activity over; an empty filter leaves all. */
export function isShown(row: Row, { statuses, types, agents }: Pick<CalendarState, 'statuses' | 'types' | 'agents'>): boolean {
  const fits = (wanted: readonly string[], own: readonly unknown[]) =>
    wanted.length === 0 || own.some((value) => wanted.some((one) => one.toUpperCase() === String(value).toUpperCase()))
  return (
    fits(statuses, [row.status]) &&
    fits(types, [row.activityTypeId]) &&
    fits(
      agents,
      agentsOf(row).map(({ Id }) => Id),
    )
  )
}

/** The name without its type before it, where the type is beside it: "Wanjiru Kamau" of "Phone call: Wanjiru Kamau". */
export function shortName(row: Row): string {
  const [name, type] = [String(row.name ?? ''), `${String(row.typeDesc ?? '')}: `]
  return type.length > 2 && name.startsWith(type) && name.length > type.length ? name.slice(type.length) : name
}

/** An activity as the calendar draws it; its colour is its status, and own ones (rank 0) come first. */
export function activityEvent(
  row: Row,
  statuses: readonly Status[],
  { mayEdit, isOwn = false }: { mayEdit: boolean; isOwn?: boolean },
): EventInput {
  const start = String(row.startDate)
  const end = String(row.endDate ?? row.startDate)
  const status = statusOf(row, statuses)
  const isSettled = status?.meaning === 'done' || status?.meaning === 'cancelled'
  return {
    id: row.Id,
    title: String(row.name ?? ''),
    start,
    end,
    className: `cal-event cal-${toneOf(status?.colour)}`,
    editable: mayEdit && !isSettled,
    extendedProps: { row, statusName: status?.name ?? row.status, repeats: isRepeated(row), rank: isOwn ? 0 : 2 },
  }
}

export const isRepeated = (row: Row): boolean => Boolean(row.seriesId ?? row.recurrence)

/** A stack as an event: an hour of its day, or the day. */
export function stackEvent(stack: Stack): EventInput {
  const { day, hour } = stack
  const start = dayjs(day).hour(hour ?? 0)
  const times = hour === null ? { start: day, allDay: true } : { start: start.toISOString(), end: start.add(1, 'hour').toISOString() }
  return {
    id: `stack ${day} ${hour ?? ''}`,
    title: '',
    ...times,
    editable: false,
    className: 'cal-event cal-stack',
    extendedProps: { stack, rank: 1 },
  }
}

/** A date of a layer; days last until the day after their last one, as calendars count. */
export function layerEvent(entry: LayerEntry, layer: LayerView): EventInput {
  const end = layer.isAllDay
    ? dayjs(entry.end ?? entry.start)
        .add(1, 'day')
        .format('YYYY-MM-DD')
    : undefined
  return {
    // A group has several meetings.
    id: `${layer.key} ${entry.Id} ${entry.start}`,
    title: entry.title,
    start: entry.start,
    ...(end ? { end } : {}),
    allDay: layer.isAllDay,
    editable: false,
    className: `cal-event cal-layer cal-${toneOf(layer.colour)}`,
    extendedProps: { layer, entry, rank: 3 },
  }
}

/** What a screen reader and a mouse resting on it read of an activity. */
export function eventLabel(row: Row): string {
  const [start, end] = [dayjs(String(row.startDate)), dayjs(String(row.endDate ?? row.startDate))]
  const isSameDay = start.isSame(end, 'day')
  const when = `${start.format('ddd D MMM HH:mm')} – ${end.format(isSameDay ? 'HH:mm' : 'ddd D MMM HH:mm')}`
  return [
    String(row.name ?? ''),
    when,
    row.status,
    agentsOf(row)
      .map(({ label }) => label)
      .join(', '),
    row.location,
  ]
    .filter(Boolean)
    .join(', ')
}
