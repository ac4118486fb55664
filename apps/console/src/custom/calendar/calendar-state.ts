import dayjs from 'dayjs'
import { weekStart } from '../../session/formats.ts'

export const calendarViews = ['month', 'week', 'day', 'agenda', 'agents'] as const
export type CalendarViewName = (typeof calendarViews)[number]

/**
 * What the address holds of the calendar. `date` is a day in the window, YYYY-MM-DD, the first one of an agenda; `hour` narrows an
 * agenda to one hour of that day. The lists are empty for "all"; `agents` are ids, or `me` or `all`, and empty for what suits the user.
 */
export interface CalendarState {
  view: CalendarViewName
  date: string
  hour: number | null
  statuses: string[]
  types: string[]
  agents: string[]
  layers: string[]
}

const dayShape = 'YYYY-MM-DD'
const listOf = (value: unknown): string[] =>
  typeof value === 'string' || typeof value === 'number' ? String(value).split(',').filter(Boolean) : []

/** Reads the address; phones begin with the agenda, others with the week. */
export function parseCalendar(
  address: Readonly<Record<string, unknown>>,
  isPhone: boolean,
  today = dayjs().format(dayShape),
): CalendarState {
  const { view, date, hour } = address
  const isDay = typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) && dayjs(date, dayShape).isValid()
  const shown = calendarViews.find((one) => one === view) ?? (isPhone ? 'agenda' : 'week')
  return {
    view: shown,
    date: isDay ? date : today,
    hour: shown === 'agenda' && /^(1?\d|2[0-3])$/.test(String(hour)) ? Number(hour) : null,
    statuses: listOf(address.status),
    types: listOf(address.type),
    agents: listOf(address.agent),
    layers: listOf(address.layers),
  }
}

type Shown = Pick<CalendarState, 'view' | 'date'> & Partial<Pick<CalendarState, 'hour'>>

const units = { month: 'month', week: 'week', day: 'day', agenda: 'week', agents: 'day' } as const

/** The day that one step forward or back leads to. */
export const stepped = ({ view, date }: Pick<CalendarState, 'view' | 'date'>, step: -1 | 1): string =>
  dayjs(date).add(step, units[view]).format(dayShape)

/** First and last day shown: whole weeks around a month, the week, the day, or the agenda's seven days from its date. */
export function shownDays({ view, date, hour = null }: Shown): { from: string; to: string } {
  const day = dayjs(date)
  const weekOf = (one: dayjs.Dayjs) => one.subtract((one.day() + 7 - weekStart()) % 7, 'day')
  if (view === 'day' || view === 'agents' || hour !== null) return { from: date, to: date }
  if (view === 'agenda') return { from: date, to: day.add(6, 'day').format(dayShape) }
  const from = weekOf(view === 'month' ? day.startOf('month') : day)
  return { from: from.format(dayShape), to: from.add(view === 'month' ? 41 : 6, 'day').format(dayShape) }
}

/** The days shown and the one before them: what began in its night may reach into them. */
export const askedDays = (state: Shown): { from: string; to: string } => {
  const { from, to } = shownDays(state)
  return { from: dayjs(from).subtract(1, 'day').format(dayShape), to }
}

/** "November 2026", "16 – 22 Nov 2026", "Saturday 21 November 2026". */
export function windowTitle(state: Shown): string {
  const day = dayjs(state.date)
  if (state.view === 'month') return day.format('MMMM YYYY')
  if (state.hour !== null && state.hour !== undefined) return `${day.format('ddd D MMM YYYY')}, ${hourLabel(state.hour)}`
  if (state.view === 'day' || state.view === 'agents') return day.format('dddd D MMMM YYYY')
  const { from, to } = shownDays(state)
  const [first, last] = [dayjs(from), dayjs(to)]
  const start = first.year() !== last.year() ? 'D MMM YYYY' : first.month() !== last.month() ? 'D MMM' : 'D'
  return `${first.format(start)} – ${last.format('D MMM YYYY')}`
}

/** "08:00 – 09:00". */
export const hourLabel = (hour: number): string => [hour, (hour + 1) % 24].map((one) => `${String(one).padStart(2, '0')}:00`).join(' – ')

export type Scope = 'mine' | 'all' | 'chosen'

/** Whose activities are shown: the user's own while nothing is chosen, everyone's for who has none. Columns need several agents. */
export function scopeOf({ agents, view }: Pick<CalendarState, 'agents' | 'view'>, hasOwnWork: boolean): Scope {
  if (agents.length === 0) return hasOwnWork && view !== 'agents' ? 'mine' : 'all'
  if (agents[0] === 'me') return 'mine'
  return agents[0] === 'all' ? 'all' : 'chosen'
}

/** The ids that a filter of agents means; empty for everyone. */
export const agentIds = (scope: Scope, agents: string[], me: string): string[] => (scope === 'all' ? [] : scope === 'mine' ? [me] : agents)
