import { addDays, dayOf, minuteOf, timeAt } from '../time-zone.ts'

/** Hours of the day (0 to 23) between which nobody is disturbed, over midnight too; the same hour twice is none. */
export interface QuietHours {
  from: number
  until: number
  timeZone: string
}

/** When the quiet hours end in which a time (ms since 1970) lies; null outside them. */
export function quietUntil(now: number, { from, until, timeZone }: QuietHours): number | null {
  if (from === until) return null
  const [day, hour] = [dayOf(now, timeZone), minuteOf(now, timeZone) / 60]
  const isOverMidnight = until < from
  if (!isOverMidnight) return hour >= from && hour < until ? timeAt(day, until * 60, timeZone) : null
  if (hour >= from) return timeAt(addDays(day, 1), until * 60, timeZone)
  return hour < until ? timeAt(day, until * 60, timeZone) : null
}
