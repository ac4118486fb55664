import { addDays } from '../time-zone.ts'

/** How often something is done: whichever comes first. Kilometres, hours of the engine, days. */
export interface Interval {
  everyKm: number | null
  everyHours: number | null
  everyDays: number | null
}
/** What a vehicle shows: kilometres and hours; null where nobody knows. */
export interface Reading {
  km: number | null
  hours: number | null
}
export interface DueAt {
  state: 'overdue' | 'soon' | 'later'
  /** At which reading, and on which day (YYYY-MM-DD); null where the plan does not go by it, or nobody can say. */
  km: number | null
  hours: number | null
  on: string | null
  kmLeft: number | null
  hoursLeft: number | null
  daysLeft: number | null
}

/** Within this share of an interval something is due soon, and within 14 days at most. */
const soonShare = 0.1
const soonDays = 14

/**
 * When something is due again: an interval after it was last done, or after the plan began. `last`: the readings and the day when it was done,
 * or when the plan began; readings that are not known count as 0. The first of km, hours and day decides.
 */
export function maintenanceDue(
  plan: Interval,
  { last, now, today }: { last: Reading & { on: string }; now: Reading; today: string },
): DueAt {
  const after = (every: number | null, before: number | null): number | null => (every === null ? null : (before ?? 0) + every)
  const left = (due: number | null, reads: number | null): number | null => (due === null || reads === null ? null : tenth(due - reads))
  const [km, hours] = [after(plan.everyKm, last.km), after(plan.everyHours, last.hours)]
  const on = plan.everyDays === null ? null : addDays(last.on, plan.everyDays)
  const daysLeft = on === null ? null : Math.round((Date.parse(on) - Date.parse(today)) / 86_400_000)
  const [kmLeft, hoursLeft] = [left(km, now.km), left(hours, now.hours)]
  const each = [
    [kmLeft, (plan.everyKm ?? 0) * soonShare],
    [hoursLeft, (plan.everyHours ?? 0) * soonShare],
    [daysLeft, Math.min(soonDays, (plan.everyDays ?? 0) * soonShare)],
  ] as const
  const isWithin = (limit: (soon: number) => number) => each.some(([value, soon]) => value !== null && value <= limit(soon))
  const state = isWithin(() => 0) ? 'overdue' : isWithin((soon) => soon) ? 'soon' : 'later'
  return { state, km, hours, on, kmLeft, hoursLeft, daysLeft }
}

/** Rounded to a tenth; never minus zero. */
const tenth = (value: number): number => (Math.round(value * 10) || 0) / 10
