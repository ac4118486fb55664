import dayjs from 'dayjs'

export const calendarViews = ['month', 'week', 'day', 'agenda'] as const
export type CalendarViewName = (typeof calendarViews)[number]

/** What the address holds of the calendar. `date` is a day in the window, YYYY-MM-DD; the lists are empty for "all". */
export interface CalendarState { view: CalendarViewName, date: string, statuses: string[], types: string[], agents: string[], layers: string[] }

const dayShape = 'YYYY-MM-DD'
const listOf = (value: unknown): string[] => typeof value === 'string' || typeof value === 'number' ? String(value).split(',').filter(Boolean) : []

/** Reads the address; phones begin with the agenda, others with the week. */
export function parseCalendar(address: Readonly<Record<string, unknown>>, isPhone: boolean, today = dayjs().format(dayShape)): CalendarState {
  const { view, date } = address
  const isDay = typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) && dayjs(date, dayShape).isValid()
  return {
    view: calendarViews.find((one) => one === view) ?? (isPhone ? 'agenda' : 'week'),
    date: isDay ? date : today,
    statuses: listOf(address.status), types: listOf(address.type), agents: listOf(address.agent), layers: listOf(address.layers),
  }
}

const units = { month: 'month', week: 'week', day: 'day', agenda: 'week' } as const

/** The day that one step forward or back leads to. */
export const stepped = ({ view, date }: Pick<CalendarState, 'view' | 'date'>, step: -1 | 1): string => dayjs(date).add(step, units[view]).format(dayShape)

/** First and last day shown: whole weeks (from Monday) around a month, the week, or the day. */
export function shownDays({ view, date }: Pick<CalendarState, 'view' | 'date'>): { from: string, to: string } {
  const day = dayjs(date)
  const monday = (one: dayjs.Dayjs) => one.subtract((one.day() + 6) % 7, 'day')
  if (view === 'day') return { from: date, to: date }
  const from = monday(view === 'month' ? day.startOf('month') : day)
  return { from: from.format(dayShape), to: from.add(view === 'month' ? 41 : 6, 'day').format(dayShape) }
}

/** The days shown and the one before them: what began in its night may reach into them. */
export const askedDays = (state: Pick<CalendarState, 'view' | 'date'>): { from: string, to: string } => {
  const { from, to } = shownDays(state)
  return { from: dayjs(from).subtract(1, 'day').format(dayShape), to }
}

/** "November 2026", "16 – 22 Nov 2026", "Saturday 21 November 2026". */
export function windowTitle(state: Pick<CalendarState, 'view' | 'date'>): string {
  const day = dayjs(state.date)
  if (state.view === 'month') return day.format('MMMM YYYY')
  if (state.view === 'day') return day.format('dddd D MMMM YYYY')
  const { from, to } = shownDays(state)
  const [first, last] = [dayjs(from), dayjs(to)]
  const start = first.year() !== last.year() ? 'D MMM YYYY' : first.month() !== last.month() ? 'D MMM' : 'D'
  return `${first.format(start)} – ${last.format('D MMM YYYY')}`
}
