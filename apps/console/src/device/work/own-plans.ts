import type { ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { addDays } from '@outpost/rules/time-zone'
import { call } from '../../data/calls.ts'
import { isOnline } from '../../data/connection.ts'
import { answerOrKept } from '../../data/kept-answers.ts'
import { localEntity } from '../../offline/local-entity.ts'
import { untilSignOut } from '../../session/leaving.ts'
import { activityStatuses, ownMeaning } from './statuses.ts'

/** What My Work and the drive need of a plan; the answer holds more. */
export interface KeptPlan {
  Id: string
  name: string
  endDate: string
}
/** A stop of a plan, under the Id of its activity. */
export interface KeptStop {
  Id: string
  userId: string
  day: string
  meaning: ActivityMeaning
  statusDateCreated: string | null
}

/** Days ahead for which the own routes are kept on the device. */
const daysAhead = 7

/** A plan, by the server or as this device kept it. */
export const planOf = (id: string): Promise<KeptPlan> =>
  answerOrKept(`plan:${id}`, async () => {
    const { data } = await call('plans.get', { params: { id } }, { signal: untilSignOut() })
    return data.activityPlan as unknown as KeptPlan
  })

/** The stops of a plan; the own ones as this device knows them, where the server does not know better. */
export async function stopsOf(id: string, userId: string | undefined): Promise<KeptStop[]> {
  const stops = await keptStops(id)
  return userId ? Promise.all(stops.map((stop) => (stop.userId === userId ? asKnownHere(stop) : stop))) : stops
}

const keptStops = (id: string): Promise<KeptStop[]> =>
  answerOrKept(`plan-stops:${id}`, async () => {
    const asked = { params: { id }, query: { detailsLevel: 'FULL' } } as const
    return (await call('plans.activities', asked, { signal: untilSignOut() })).data.activities as KeptStop[]
  })

/** Without a connection what was kept of the route is older than what is kept of its activities. */
async function asKnownHere(stop: KeptStop): Promise<KeptStop> {
  const entity = localEntity('activity')
  const row = await (isOnline() ? entity?.pendingRecord(stop.Id) : entity?.get(stop.Id).catch(() => null))
  if (!row) return stop
  const visit = row.visit as { deviceTime?: string } | undefined
  const meaning = ownMeaning(row, await activityStatuses(), stop.userId)
  return { ...stop, meaning, statusDateCreated: visit?.deviceTime ?? stop.statusDateCreated }
}

/** The own plans of today and the days to come. With a connection each is kept with its stops, so that its route opens without one. */
export async function ownPlans(userId: string, today: string): Promise<KeptPlan[]> {
  const plans = await answerOrKept('plans-mine', async () => {
    const query = {
      userId,
      startDate: today,
      endDate: addDays(today, daysAhead),
      size: 20,
      sortField: 'startDate',
      sortOrder: 'ASC',
    } as const
    return (await call('plans.list', { query })).data.activityPlans as unknown as KeptPlan[]
  })
  const signal = untilSignOut()
  if (isOnline()) for (const { Id } of plans) if (!signal.aborted) await Promise.all([planOf(Id), keptStops(Id)])
  return plans.filter(({ endDate }) => endDate >= today)
}
