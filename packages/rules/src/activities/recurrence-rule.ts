const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
/** Monday is 0. */
const weekdayNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const maxCounted = 400

/** A parsed recurrence rule: RFC 5545 without times of day. */
export interface RecurrenceRule {
  frequency: (typeof frequencies)[number]
  interval: number
  count?: number
  /** Wall-clock time, e.g. 2027-12-31T00:00:00. */
  until?: string
  /** Day on which a week begins; Monday is 0. */
  weekStart: number
  months: readonly number[]
  /** Negative numbers count from the end: -1 is the last day. */
  monthDays: readonly number[]
  yearDays: readonly number[]
  weekNumbers: readonly number[]
  /** Without `nth` every such day, with it the nth one of the month or year. */
  weekdays: readonly { day: number; nth?: number }[]
  positions: readonly number[]
}

/** Parses the text of a rule; returns a text that describes the error otherwise. The start is a separate value, never part of the text. */
export function readRecurrence(text: string): RecurrenceRule | string {
  if (/DTSTART|TZID/i.test(text)) return 'may not say when it starts'
  const parts = new Map<string, string>()
  for (const part of text
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')
    .filter((piece) => piece !== '')) {
    const [, name, value] = /^([A-Z]+)=(.+)$/.exec(part) ?? []
    if (name === undefined || value === undefined || parts.has(name)) return notARule
    parts.set(name, value)
  }
  return [...parts.keys()].reduce<string | undefined>((refusal, name) => refusal ?? refusePart(name), undefined) ?? readParts(parts)
}

const notARule = 'is not a recurrence rule such as FREQ=WEEKLY;BYDAY=MO'
const known = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYDAY', 'BYSETPOS'])

function refusePart(name: string): string | undefined {
  if (['BYHOUR', 'BYMINUTE', 'BYSECOND'].includes(name)) return 'may not say the time of day'
  return known.has(name) ? undefined : notARule
}

function readParts(parts: ReadonlyMap<string, string>): RecurrenceRule | string {
  const frequency = frequencies.find((name) => name === parts.get('FREQ'))
  if (!frequency) return 'must repeat by day, week, month or year'
  const interval = wholeNumber(parts.get('INTERVAL') ?? '1', 1, 99)
  if (interval === undefined) return 'needs an interval of 1 to 99'
  const count = wholeNumber(parts.get('COUNT') ?? '1', 1, maxCounted)
  if (count === undefined) return `may count to ${maxCounted} at most`
  const until = parts.has('UNTIL') ? readTime(parts.get('UNTIL')!) : ''
  const weekStart = weekdayNames.indexOf(parts.get('WKST') ?? 'MO')
  const weekdays = (parts.get('BYDAY')?.split(',') ?? []).map(readWeekday)
  const [months, monthDays, yearDays, weekNumbers, positions] = (
    [
      ['BYMONTH', 12],
      ['BYMONTHDAY', 31],
      ['BYYEARDAY', 366],
      ['BYWEEKNO', 53],
      ['BYSETPOS', 366],
    ] as const
  ).map(([name, most]) => numbers(parts.get(name), most))
  if (
    until === undefined ||
    weekStart < 0 ||
    weekdays.includes(undefined) ||
    !months ||
    !monthDays ||
    !yearDays ||
    !weekNumbers ||
    !positions ||
    months.some((month) => month < 0)
  )
    return notARule
  return {
    frequency,
    interval,
    weekStart,
    months,
    monthDays,
    yearDays,
    weekNumbers,
    positions,
    weekdays: weekdays.filter((day) => day !== undefined),
    ...(parts.has('COUNT') ? { count } : {}),
    ...(until === '' ? {} : { until }),
  }
}

const wholeNumber = (text: string, least: number, most: number): number | undefined =>
  /^[+-]?\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined

/** Numbers from 1 to most, or from -1 to -most; undefined when one is out of range. */
function numbers(text: string | undefined, most: number): number[] | undefined {
  const list = (text?.split(',') ?? []).map((part) => wholeNumber(part, -most, most))
  return list.every((value) => value !== undefined && value !== 0) ? (list as number[]) : undefined
}

function readWeekday(text: string): RecurrenceRule['weekdays'][number] | undefined {
  const [, nth, name] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? []
  const day = weekdayNames.indexOf(name ?? '')
  if (day < 0 || (nth !== undefined && (Number(nth) === 0 || Math.abs(Number(nth)) > 53))) return undefined
  return nth === undefined ? { day } : { day, nth: Number(nth) }
}

/** 20271231 or 20271231T235959Z as a wall-clock time; undefined when there is no such time. */
function readTime(text: string): string | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = parts
  const time = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const moment = new Date(`${time}Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(time) ? time : undefined
}
