import * as library from 'rrule'
import type { Options } from 'rrule'

// One file of the library calls itself a module and the other one does not: Node gives the second, browsers the first.
const { RRule } = 'RRule' in library ? library : (library as unknown as { default: typeof library }).default

/** Days ahead that the occurrences of a series stand as activities. */
export const recurrenceHorizonDays = 90
const mostOccurrences = 400
const frequencies = [RRule.DAILY, RRule.WEEKLY, RRule.MONTHLY, RRule.YEARLY]

/** Rules that people choose from; any other RRULE (RFC 5545) is as good. */
export const commonRecurrences = [
  { value: 'FREQ=DAILY', label: 'Every day' },
  { value: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', label: 'Every working day' },
  { value: 'FREQ=WEEKLY', label: 'Every week' },
  { value: 'FREQ=WEEKLY;INTERVAL=2', label: 'Every two weeks' },
  { value: 'FREQ=MONTHLY', label: 'Every month' },
  { value: 'FREQ=YEARLY', label: 'Every year' },
] as const

/** What is wrong with the text of a rule; undefined when it can be used. Its start is told beside it, never inside. */
export function refuseRecurrence(text: string): string | undefined {
  const options = readRule(text)
  if (!options) return 'is not a recurrence rule such as FREQ=WEEKLY;BYDAY=MO'
  if (options.freq === undefined || !frequencies.includes(options.freq)) return 'must repeat by day, week, month or year'
  if (options.dtstart || options.tzid) return 'may not say when it starts'
  if (options.interval !== undefined && !(options.interval >= 1 && options.interval <= 99)) return 'needs an interval of 1 to 99'
  if (options.count !== undefined && options.count !== null && !(options.count >= 1 && options.count <= mostOccurrences)) return `may count to ${mostOccurrences} at most`
  if ([options.byhour, options.byminute, options.bysecond].some((part) => part !== undefined && part !== null)) return 'may not say the time of day'
  return undefined
}

/**
 * Starts of the occurrences after `after` (or from the first on) and until `until`, both included. All are wall-clock
 * times of one zone (`2026-11-23T09:00:00`), so that nine o'clock stays nine o'clock when the clocks change. An
 * occurrence that the rule itself would not give for the first day is not made up: the first is where the rule begins.
 */
export function occurrencesBetween({ rule, start, after, until }: { rule: string, start: string, after?: string | undefined, until: string }): string[] {
  const options = readRule(rule)
  if (!options) return []
  const [from, to] = [floating(after ?? start), floating(until)]
  if (from > to) return []
  const dates = new RRule({ ...options, dtstart: floating(start) }).between(from, to, true)
  return dates.slice(0, mostOccurrences).map((date) => date.toISOString().slice(0, 19))
}

/** The rule in words, such as "every week on Monday". */
export function recurrenceWords(rule: string): string {
  const options = readRule(rule)
  return options ? new RRule(options).toText() : ''
}

function readRule(text: string): Partial<Options> | undefined {
  try {
    return RRule.parseString(text.trim().replace(/^RRULE:/i, ''))
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** A wall-clock time as if it were UTC: the library then never moves it. */
const floating = (time: string) => new Date(`${time.slice(0, 19)}Z`)
