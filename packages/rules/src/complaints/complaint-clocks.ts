import { addWorkingMinutes, minutesOfDay, workingMinutesBetween, type WorkingTime } from '../calendar/working-time.ts'

export const severities = ['Low', 'Medium', 'High', 'Critical'] as const
export type Severity = (typeof severities)[number]

/** What share of the company's times a complaint of that severity has: a critical one a quarter, a slight one twice as long. */
export const severityShares: Readonly<Record<Severity, number>> = { Low: 2, Medium: 1, High: 0.5, Critical: 0.25 }

/** Shares of a time limit (percent) at which somebody is notified, and who: up the ladder. */
export const escalations = [
  { percent: 50, rung: 'leader' },
  { percent: 80, rung: 'branch' },
  { percent: 100, rung: 'company' },
] as const
export type Rung = (typeof escalations)[number]['rung']

/** A stretch (ms since 1970) in which the clock of the resolution is paused; one without an end is still going on. */
export interface Pause {
  start: number
  end: number | null
}

/** Pauses in their order, as one where they touch. */
function merged(pauses: readonly Pause[], now: number): { start: number; end: number }[] {
  const whole: { start: number; end: number }[] = []
  for (const { start, end } of pauses.toSorted((a, b) => a.start - b.start)) {
    const last = whole.at(-1)
    const until = end ?? now
    if (last && start <= last.end) last.end = Math.max(last.end, until)
    else if (until > start) whole.push({ start, end: until })
  }
  return whole
}

/** Minutes of work from the start until now, less those in pauses. */
export function elapsedMinutes(
  start: number,
  now: number,
  { time, pauses = [] }: { time: WorkingTime; pauses?: readonly Pause[] },
): number {
  const stood = merged(pauses, now).map((pause) => workingMinutesBetween(Math.max(start, pause.start), Math.min(now, pause.end), time))
  return Math.max(0, workingMinutesBetween(start, now, time) - stood.reduce((sum, minutes) => sum + minutes, 0))
}

/**
 * When (ms since 1970) so many minutes of work will have passed, pauses left out. A pause that lasts counts as far as it has
 * come: the time moves on with it.
 */
export function dueAt(
  start: number,
  minutes: number,
  { time, pauses = [], now }: { time: WorkingTime; pauses?: readonly Pause[]; now: number },
): number {
  let [from, left] = [start, minutes]
  for (const pause of merged(pauses, now)) {
    if (pause.end <= from) continue
    const before = workingMinutesBetween(from, pause.start, time)
    if (before >= left) break
    left -= before
    from = pause.end
  }
  return addWorkingMinutes(from, left, time)
}

/** The minutes of work that a complaint has, by the company's times for one of medium severity. */
export function allowedMinutes(
  severity: Severity,
  { firstResponseHours, resolutionDays }: { firstResponseHours: number; resolutionDays: number },
  time: Pick<WorkingTime, 'shifts'>,
): { firstResponse: number; resolution: number } {
  const share = severityShares[severity]
  return { firstResponse: firstResponseHours * 60 * share, resolution: resolutionDays * minutesOfDay(time) * share }
}
