import { completeRule, daysWithin, periodsOf } from './recurrence-days.ts'
import { readRecurrence, type RecurrenceRule } from './recurrence-rule.ts'

/** Days ahead for which the occurrences of a series are created as activities. */
export const recurrenceHorizonDays = 90
const maxOccurrences = 400
/** Maximum days that one expansion examines: 40 years, some milliseconds. No rule can exceed it. */
export const maxDaysLookedAt = 15_000
/** A rule without occurrences for this long is refused. */
const emptyYears = 10
const dayMs = 86_400_000

/** Rules offered for choice; any other RRULE (RFC 5545) is valid too. */
export const commonRecurrences = [
  { value: 'FREQ=DAILY', label: 'Every day' },
  { value: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', label: 'Every working day' },
  { value: 'FREQ=WEEKLY', label: 'Every week' },
  { value: 'FREQ=WEEKLY;INTERVAL=2', label: 'Every two weeks' },
  { value: 'FREQ=MONTHLY', label: 'Every month' },
  { value: 'FREQ=YEARLY', label: 'Every year' },
] as const

/** The error in the text of a rule; undefined when it is valid. */
export function refuseRecurrence(text: string): string | undefined {
  const rule = readRecurrence(text)
  return typeof rule === 'string' ? rule : undefined
}

/** The error in a rule with a given wall-clock start: it must have an occurrence within ten years. */
export function refuseRecurrenceFrom(text: string, start: string): string | undefined {
  const rule = readRecurrence(text)
  if (typeof rule === 'string') return rule
  const until = new Date(floating(start) + emptyYears * 366 * dayMs).toISOString().slice(0, 19)
  return expandRecurrence(rule, { start, until, most: 1 }).times.length > 0
    ? undefined
    : `gives no day in the ${emptyYears} years after its start`
}

/**
 * Starts of the occurrences after `after` (or from the first on) and until `until`, both included. All are wall-clock times of one zone
 * (`2026-11-23T09:00:00`), so that nine o'clock stays nine o'clock when the clocks change. The start itself is an occurrence only when
 * the rule matches it.
 */
export function occurrencesBetween({
  rule,
  ...span
}: {
  rule: string
  start: string
  after?: string | undefined
  until: string
}): string[] {
  const read = readRecurrence(rule)
  return typeof read === 'string' ? [] : expandRecurrence(read, span).times
}

interface Span {
  start: string
  after?: string | undefined
  until: string
  most?: number
}

/** The same for a parsed rule, with the number of examined days: maxDaysLookedAt and the last period at most. */
export function expandRecurrence(
  rule: RecurrenceRule,
  { start, after = start, until, most = maxOccurrences }: Span,
): { times: string[]; daysLookedAt: number } {
  const [from, to] = [
    Math.max(floating(after), floating(start)),
    Math.min(floating(until), rule.until === undefined ? Infinity : floating(rule.until)),
  ]
  const firstDay = Math.floor(floating(start) / dayMs)
  const timeOfDay = floating(start) - firstDay * dayMs
  const complete = completeRule(rule, firstDay)
  const periods = periodsOf(rule, firstDay)
  // Only a rule with a count must be expanded from its first day on.
  let index = rule.count === undefined ? Math.floor(periods.indexOf(Math.floor(from / dayMs)) / rule.interval) * rule.interval : 0
  let [counted, daysLookedAt] = [0, 0]
  const times: string[] = []
  for (; daysLookedAt < maxDaysLookedAt; index += rule.interval) {
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

/** A wall-clock time treated as UTC, so that no clock change moves it. */
const floating = (time: string) => Date.parse(`${time.slice(0, 19)}Z`)
