import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import { wasInside, type Visit } from '../fences/visits.ts'
import type { GeoEvent } from './event.ts'

/** "Not arrived by 08:00", "still there at 22:00": a required state of a device at a fence at a time of day. */
export interface ScheduleCheck {
  id: string
  fenceId: string
  /** The required state; an event is raised when the device is not in it. */
  expects: 'inside' | 'outside'
  /** ISO numbers, 1 Monday. */
  days: readonly number[]
  /** HH:MM in the tenant's zone. */
  at: string
}

const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/**
 * Times (epoch ms) of a check after one time and up to another, in order. A local time that a clock change skips becomes the one after
 * it.
 */
export function momentsOf(
  { days, at }: ScheduleCheck,
  { after, upTo, timeZone }: { after: number; upTo: number; timeZone: string },
): number[] {
  const minute = Number(at.slice(0, 2)) * 60 + Number(at.slice(3))
  const moments: number[] = []
  for (let day = dayOf(after, timeZone); day <= dayOf(upTo, timeZone); day = addDays(day, 1)) {
    if (!days.includes(weekday(day))) continue
    const moment = timeAt(day, minute, timeZone)
    if (moment > after && moment <= upTo) moments.push(moment)
  }
  return moments
}

/**
 * Events of checks that failed between two times. Ask only up to the device's last position: later nothing is known, and a late position
 * changes the visits, so that asking again gives the right events under the same keys.
 */
export function failedChecks(
  checks: readonly ScheduleCheck[],
  visits: readonly Visit[],
  span: { after: number; upTo: number; timeZone: string },
): GeoEvent[] {
  return checks.flatMap((check) =>
    momentsOf(check, span)
      .filter((moment) => wasInside(visits, check.fenceId, moment) !== (check.expects === 'inside'))
      .map((time): GeoEvent => ({
        type: check.expects === 'inside' ? 'geofenceNotInside' : 'geofenceNotOutside',
        time,
        key: `${check.id}:${check.fenceId}`,
        latitude: null,
        longitude: null,
        speed: null,
        geofenceId: check.fenceId,
        attributes: { rule: check.id, expected: check.expects, at: check.at },
      })),
  )
}
