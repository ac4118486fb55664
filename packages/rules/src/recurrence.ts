import { completeRule, daysWithin, periodsOf } from './recurrence-days.ts'
import { readRecurrence, type RecurrenceRule } from './recurrence-rule.ts'

/** Days ahead that the occurrences of a series stand as activities. */
export const recurrenceHorizonDays = 90
const mostOccurrences = 400
/** Days one question may look at: 40 years, some milliseconds. A rule cannot make anybody look at more. */
export const mostDaysLookedAt = 15_000
/** A rule that gives nothing for so long is refused. */
const emptyYears = 10
const dayMs = 86_400_000

/** Rules that people choose from; any other RRULE (RFC 5545) is as good. */
export const commonRecurrences = [
  { value: 'FREQ=DAILY', label: 'Every day' },
  { value: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', label: 'Every working day' },
  { value: 'FREQ=WEEKLY', label: 'Every week' },
  { value: 'FREQ=WEEKLY;INTERVAL=2', label: 'Every two weeks' },
  { value: 'FREQ=MONTHLY', label: 'Every month' },
  { value: 'FREQ=YEARLY', label: 'Every year' },
] as const

/** What is wrong with the text of a rule; undefined when it can be used. */
export function refuseRecurrence(text: string): string | undefined {
  const rule = readRecurrence(text)
  return typeof rule === 'string' ? rule : undefined
}

/** What is wrong with a rule that starts at a wall-clock time: it must give an occurrence within ten years. */
export function refuseRecurrenceFrom(text: string, start: string): string | undefined {
  const rule = readRecurrence(text)
  if (typeof rule === 'string') return rule
  const until = new Date(floating(start) + emptyYears * 366 * dayMs).toISOString().slice(0, 19)
  return expandRecurrence(rule, { start, until, most: 1 }).times.length > 0 ? undefined : `gives no day in the ${emptyYears} years after its start`
}

/**
 * Starts of the occurrences after `after` (or from the first on) and until `until`, both included. All are wall-clock
 * times of one zone (`2026-11-23T09:00:00`), so that nine o'clock stays nine o'clock when the clocks change. An
 * occurrence that the rule itself would not give for the first day is not made up: the first is where the rule begins.
 */
export function occurrencesBetween({ rule, ...span }: { rule: string, start: string, after?: string | undefined, until: string }): string[] {
  const read = readRecurrence(rule)
  return typeof read === 'string' ? [] : expandRecurrence(read, span).times
}

interface Span { start: string, after?: string | undefined, until: string, most?: number }

/** The same of a rule that is read already, with the days that had to be looked at: mostDaysLookedAt and the last period at most. */
export function expandRecurrence(rule: RecurrenceRule, { start, after = start, until, most = mostOccurrences }: Span): { times: string[], daysLookedAt: number } {
  const [from, to] = [Math.max(floating(after), floating(start)), Math.min(floating(until), rule.until === undefined ? Infinity : floating(rule.until))]
  const firstDay = Math.floor(floating(start) / dayMs)
  const timeOfDay = floating(start) - firstDay * dayMs
  const complete = completeRule(rule, firstDay)
  const periods = periodsOf(rule, firstDay)
  // Only a rule that counts must be followed from its first day on.
  let index = rule.count === undefined ? Math.floor(periods.indexOf(Math.floor(from / dayMs)) / rule.interval) * rule.interval : 0
  let [counted, daysLookedAt] = [0, 0]
  const times: string[] = []
  for (; daysLookedAt < mostDaysLookedAt; index += rule.interval) {
    const stretch = periods.stretch(index)
    if (stretch.first * dayMs > to) break
    daysLookedAt += stretch.last - stretch.first + 1
    for (const time of daysWithin(complete, stretch).map((day) => day * dayMs + timeOfDay)) {
      if (time < firstDay * dayMs) continue
      counted += 1
      if (time > to || times.length >= most || (rule.count !== undefined && counted > rule.count)) return { times, daysLookedAt }
      if (time >= from) times.push(new Date(time).toISOString().slice(0, 19))
    }
  }
  return { times, daysLookedAt }
}

/** A wall-clock time as if it were UTC: no clock change then moves it. */
const floating = (time: string) => Date.parse(`${time.slice(0, 19)}Z`)
