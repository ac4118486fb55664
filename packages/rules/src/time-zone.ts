import type { Formats } from './formats.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}

function partsOf(time: number, timeZone: string): Record<string, string> {
  return Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
}

/** The wall-clock time of a zone, represented as UTC. */
function wallClock(time: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = partsOf(time, timeZone)
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

/** The day (YYYY-MM-DD) of a time in a time zone. */
export function dayOf(time: number, timeZone: string): string {
  const { year, month, day } = partsOf(time, timeZone)
  return `${year}-${month}-${day}`
}

/** Minutes since midnight of a time in a time zone. */
export function minuteOf(time: number, timeZone: string): number {
  const { hour, minute } = partsOf(time, timeZone)
  return Number(hour) * 60 + Number(minute)
}

/** The time (ms since 1970) at a minute of a day in a time zone; an hour that a clock change skips becomes the one after it. */
export function timeAt(day: string, minute: number, timeZone: string): number {
  const wanted = Date.parse(`${day}T00:00:00Z`) + minute * 60_000
  const guess = wanted - (wallClock(wanted, timeZone) - wanted)
  return guess - (wallClock(guess, timeZone) - wanted)
}

/** When the day of a moment ends in a zone: its last minute, ms. */
export const endOfDay = (time: number, timeZone: string): number => timeAt(addDays(dayOf(time, timeZone), 1), 0, timeZone) - 60_000

/** The day a number of days later or, when negative, earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A day (YYYY-MM-DD) in display form: "22 Nov 2026", or as a company has it. */
export function formatDay(day: string, format: Formats['date'] = 'D MMM YYYY'): string {
  const [year = '', month = '', date = ''] = day.split('-')
  if (format === 'D MMM YYYY') return `${Number(date)} ${months[Number(month) - 1] ?? ''} ${year}`
  return format.replace('YYYY', year).replace('MM', month).replace('DD', date)
}

/** A time on the clock of a time zone: "22 Nov 2026 08:30". */
export function formatMoment(time: number, timeZone: string, format: Formats['date'] = 'D MMM YYYY'): string {
  const { hour, minute } = partsOf(time, timeZone)
  return `${formatDay(dayOf(time, timeZone), format)} ${hour}:${minute}`
}

/** All days from the first to the last, both included; 62 at most. */
export function daysBetween(first: string, last: string): string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1
  return Array.from({ length: Math.max(0, Math.min(62, count)) }, (_, index) => addDays(first, index))
}
