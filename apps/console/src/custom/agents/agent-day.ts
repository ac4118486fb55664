import { isLate } from '@outpost/rules/activities/activity-status'
import type { FixSource } from '@outpost/rules/places/fix-quality'
import type { IntegrityFlag } from '@outpost/rules/places/integrity'

export interface DayEvent {
  at: string
  kind: 'start' | 'stop' | 'file' | 'file-removed' | 'activity' | 'lead'
  what: string
  recordId: string | null
  latitude: number | null
  longitude: number | null
  source: FixSource | null
  /** Where the device's clock was off: by how much `at` was set right (ms); less than 0 when it was ahead. */
  clockSkewMs: number | null
}
export interface Visit {
  Id: string
  name: string
  startDate: string
  endDate: string
  latitude: number | null
  longitude: number | null
  location: string | null
  status: string
  meaning: 'open' | 'started' | 'done' | 'missed' | 'cancelled'
  changedAt: string | null
}
export interface TrackPoint {
  at: string
  latitude: number
  longitude: number
  accuracy: number | null
  source: FixSource
  flags: IntegrityFlag[]
}
/** GET /api/agent/timeline/:id/:date. */
export interface AgentDayData {
  agent: { Id: string; name: string }
  date: string
  events: DayEvent[]
  visits: Visit[]
  track: TrackPoint[]
  totals: { km: number; hours: number }
}

/** How far a clock was off, as "1 h 10 min" or "2 min". */
export function clockError(skewMs: number): string {
  const minutes = Math.round(Math.abs(skewMs) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 || hours === 0 ? [`${rest} min`] : [])].join(' ')
}

/** The day's figures beside those of the server. */
export function figuresOf({ visits, track }: Pick<AgentDayData, 'visits' | 'track'>, now: number) {
  const is = (...meanings: Visit['meaning'][]) => visits.filter(({ meaning }) => meanings.includes(meaning)).length
  const late = visits.filter(({ meaning, endDate }) => isLate(meaning, Date.parse(endDate), now)).length
  return {
    planned: visits.length,
    done: is('done'),
    missed: is('missed') + late,
    doubtful: track.filter(({ flags }) => flags.length > 0).length,
  }
}

/** The track as lines: a jump that cannot be true breaks it, so that no line is drawn where nobody went. */
export function linesOf(track: readonly TrackPoint[]): (readonly [number, number])[][] {
  const lines: [number, number][][] = [[]]
  for (const { latitude, longitude, flags } of track) {
    if (flags.includes('teleport')) lines.push([])
    else lines.at(-1)?.push([latitude, longitude])
  }
  return lines.filter((line) => line.length > 1)
}

/** A day of the calendar so many days away. */
export function dayAway(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}
