import type { ConflictKind, PlanConflict } from '@outpost/rules/routes/route-conflicts'
import { t } from '../../session/labels.ts'
import { intlLocale } from '../../session/language.ts'
import { toneOf, type Tone } from '../../theme/tones.ts'

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Hours and minutes in the company's time zone. */
export function clock(time: number | string | null | undefined, timeZone: string): string {
  if (time === null || time === undefined) return '–'
  const key = `${intlLocale()} ${timeZone}`
  const format = clocks.get(key) ?? new Intl.DateTimeFormat(intlLocale(), { timeZone, hour: '2-digit', minute: '2-digit' })
  clocks.set(key, format)
  return format.format(typeof time === 'string' ? Date.parse(time) : time)
}

/** "Tue 24 Nov" of a day written YYYY-MM-DD. */
export const formatDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(intlLocale(), { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' })

export const formatKm = (metres: number): string => `${(metres / 1000).toFixed(metres < 9_950 ? 1 : 0)} km`

/** "2 h 05 min" of so many minutes. */
export function formatDuration(minutes: number): string {
  const whole = Math.round(minutes)
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${String(whole % 60).padStart(2, '0')} min`
}

/** Minutes since midnight as HH:mm and back; null when the text is no time. */
export const timeText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
export function minuteOfText(text: string): number | null {
  const parts = /^(\d{1,2}):(\d{2})$/.exec(text)
  const minute = parts ? Number(parts[1]) * 60 + Number(parts[2]) : Number.NaN
  return minute >= 0 && minute <= 1_440 ? minute : null
}

const short: Record<ConflictKind, string> = {
  overlap: 'Overlaps the stop before',
  travel: 'Too far from the stop before',
  late: 'Cannot be there in time',
  outside: 'Outside working hours',
  longDay: 'The day is too long',
  busy: 'Agent is busy',
  noPlace: 'No place known',
}

/** A conflict in words, with by how much and with what. */
export function conflictText({ kind, minutes, stopId, with: other }: Pick<PlanConflict, 'kind' | 'minutes' | 'stopId' | 'with'>): string {
  if (kind === 'outside' && stopId === undefined) return `${t('Back after the day’s end')}, ${formatDuration(minutes ?? 0)}`
  const what = other?.name ? `: ${other.name}${other.planName ? ` (${other.planName})` : ''}` : ''
  const title = isHard({ kind, with: other }) ? short[kind] : 'Other work then'
  return `${title}${what}${minutes ? `, ${formatDuration(minutes)}` : ''}`
}

/** Other work that is in no plan may be done at any time of the day: worth knowing, no conflict. */
export const isHard = ({ kind, with: other }: Pick<PlanConflict, 'kind' | 'with'>): boolean => kind !== 'busy' || Boolean(other?.planName)

/** Agents are distinguished by tone, and from the fifth on by dashes too. */
const agentTones: Tone[] = ['info', 'good', 'warn', 'bad']
export const agentTone = (index: number): Tone => agentTones[index % agentTones.length] ?? 'quiet'
export const isDashed = (index: number): boolean => Math.floor(index / agentTones.length) % 2 === 1

export type Meaning = 'open' | 'started' | 'done' | 'missed' | 'cancelled'
export const meaningLabels: Record<Meaning, string> = {
  open: 'To do',
  started: 'In progress',
  done: 'Done',
  missed: 'Missed',
  cancelled: 'Cancelled',
}
const meaningColours: Record<Meaning, string> = { open: 'gold', started: 'blue', done: 'green', missed: 'red', cancelled: 'default' }
export const meaningTone = (meaning: Meaning): Tone => toneOf(meaningColours[meaning])
