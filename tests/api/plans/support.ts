import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import { expect } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'

export const zone = 'Africa/Nairobi'
export const today = () => dayOf(Date.now(), zone)
/** The Monday after next week begins, so that no test runs at the edge of a day. */
export const planDay = () => addDays(today(), 7)
export const at = (day: string, hour: number) => new Date(timeAt(day, hour * 60, zone)).toISOString()

export interface ActivityRow {
  Id: string
  name: string
  startDate: string
  endDate: string
  assignedUsers: { Id: string }[]
  version: number
}
export interface PlanRow {
  Id: string
  name: string
  status: string
  stops: number
  done: number
  km: number
  agents: { Id: string }[]
  activityIds: string[]
  tenantId: string
  version: number
  startDate: string
  endDate: string
}
export interface StopRow {
  Id: string
  userId: string
  day: string
  position: number
  plannedArrival: string
  plannedDeparture: string
  metres: number
  name: string
  meaning: string
  lock: string | null
  description?: string
}

let count = 0
/** Creates an activity of half an hour near Nairobi. */
export async function makeActivity(
  by: SignedInClient,
  {
    day = planDay(),
    hour = 9,
    lat = -1.28,
    lng = 36.8,
    users,
    ...over
  }: { day?: string; hour?: number; lat?: number | null; lng?: number | null; users?: string[]; [key: string]: unknown } = {},
): Promise<ActivityRow> {
  const body = {
    name: `Visit ${(count += 1)}`,
    location: 'Nairobi',
    lat,
    lng,
    startDate: at(day, hour),
    endDate: at(day, hour + 0.5),
    ...(users ? { assignedUsers: users } : {}),
    ...over,
  }
  const { status, body: answer, text } = await by.post<{ activity: ActivityRow }>('/api/activities', body)
  expect(status, text).toBe(200)
  return answer.data.activity
}

export async function makePlan(by: SignedInClient, over: object): Promise<PlanRow> {
  const answer = await by.post<{ activityPlan: PlanRow }>('/api/activities/activity-plan', {
    name: 'West round',
    startDate: planDay(),
    endDate: addDays(planDay(), 4),
    ...over,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.activityPlan
}

export const stopsOf = async (by: SignedInClient, id: string, level = 'BASIC'): Promise<StopRow[]> =>
  (await by.get<{ activities: StopRow[] }>(`/api/activities/activity-plan-activities/${id}?detailsLevel=${level}`)).body.data.activities
