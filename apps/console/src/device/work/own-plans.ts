import type { ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { addDays } from '@outpost/rules/time-zone'
import type { ListQuery } from '@outpost/contract/envelope'
import { isNetworkError } from '../../data/api.ts'
import { call, callOf } from '../../data/calls.ts'
import { isOnline } from '../../data/connection.ts'
import { getRecord, listRecords } from '../../data/gateway.ts'
import type { Row } from '../../data/records.ts'
import { localEntity } from '../../offline/local-entity.ts'
import { activityStatuses, ownMeaning, type ActivityStatus } from './statuses.ts'

export const planKind = 'activityPlan'

/** What My Work and the drive need of a plan; the record holds more. */
export interface KeptPlan {
  Id: string
  name: string
  startDate: string
  endDate: string
  agents: { Id: string }[]
  route?: RouteStop[]
}
/** A stop as its plan carries it. */
export interface RouteStop {
  stopId: string
  activityId: string
  userId: string
  agentName: string
  day: string
  position: number
  lock: string | null
  keepsTime: boolean
  plannedArrival: string | null
  plannedDeparture: string | null
  metres: number
}
/** A stop of a plan, under the Id of its activity. */
export interface KeptStop {
  Id: string
  planId: string
  userId: string
  day: string
  meaning: ActivityMeaning
  statusDateCreated: string | null
}

/** Days ahead whose own routes My Work shows. */
const daysAhead = 7

/** A plan, by the server or as this device holds it. */
export const planOf = async (id: string): Promise<KeptPlan> =>
  (await getRecord({ load: callOf('plans.get'), one: planKind, id, entityType: planKind })) as unknown as KeptPlan

/** The stops of a plan; without a connection, and while the plan has unsent changes, as this device knows them. */
export async function stopsOf(id: string, userId: string | undefined): Promise<KeptStop[]> {
  const held = await planHeld(id)
  if (held) return stopsHeld(held)
  try {
    const asked = { params: { id }, query: { detailsLevel: 'FULL' } } as const
    const stops = (await call('plans.activities', asked)).data.activities as KeptStop[]
    return await Promise.all(stops.map((stop) => (stop.userId === userId ? asUnsentHere(stop) : stop)))
  } catch (error) {
    const kept = isNetworkError(error) ? await localEntity(planKind)?.get(id) : undefined
    if (!kept) throw error
    return stopsHeld(kept)
  }
}

/** The plan on this device, where the server does not know better. */
async function planHeld(id: string): Promise<Row | null | undefined> {
  const entity = localEntity(planKind)
  return isOnline() ? entity?.pendingRecord(id) : entity?.get(id)
}

/** The stops of a plan from what this device holds of their activities; an activity that is gone is no stop. */
async function stopsHeld(plan: Row): Promise<KeptStop[]> {
  const [route, statuses] = [(plan.route ?? []) as RouteStop[], await activityStatuses().catch((): ActivityStatus[] => [])]
  const stops = await Promise.all(
    route.map(async ({ activityId, ...stop }): Promise<KeptStop[]> => {
      const row = await localEntity('activity')
        ?.get(activityId)
        .catch(() => null)
      return row ? [{ ...row, ...stop, ...stateOf(row, stop.userId, statuses), Id: activityId, planId: String(plan.Id) }] : []
    }),
  )
  return stops.flat()
}

/** What a visit that was not sent yet says of the stop. */
async function asUnsentHere(stop: KeptStop): Promise<KeptStop> {
  const row = await localEntity('activity')?.pendingRecord(stop.Id)
  if (!row) return stop
  const { meaning, statusDateCreated } = stateOf(row, stop.userId, await activityStatuses())
  return { ...stop, meaning, statusDateCreated: statusDateCreated ?? stop.statusDateCreated }
}

function stateOf(row: Row, userId: string, statuses: readonly ActivityStatus[]): Pick<KeptStop, 'meaning' | 'statusDateCreated'> {
  const visit = row.visit as { deviceTime?: string } | undefined
  return { meaning: ownMeaning(row, statuses, userId), statusDateCreated: visit?.deviceTime ?? null }
}

/** The plans whose days touch these, by the server or as this device holds them. */
export async function plansTouching({ from, to, userId }: { from: string; to: string; userId?: string }): Promise<KeptPlan[]> {
  const { rows } = await listRecords({
    source: callOf('plans.list'),
    resource: planKind,
    many: 'activityPlans',
    // Whose plans they are is asked of the server alone; what comes is looked through for the device's own.
    query: {
      startDate: from,
      endDate: to,
      dateType: 'planned',
      size: 200,
      sortField: 'startDate',
      sortOrder: 'ASC',
      ...(userId ? { userId } : {}),
    } as ListQuery,
  })
  const plans = rows as unknown as KeptPlan[]
  return userId ? plans.filter(({ agents }) => agents.some(({ Id }) => Id === userId)) : plans
}

/** The own plans of today and the days to come. */
export const ownPlans = (userId: string, today: string): Promise<KeptPlan[]> =>
  plansTouching({ from: today, to: addDays(today, daysAhead), userId })

/** Open activities of these days that are in no plan, as this device holds them; undefined where it holds none at all. */
export async function unplannedHeld(startDate: string, endDate: string): Promise<Row[] | undefined> {
  const [activities, plans] = [localEntity('activity'), localEntity(planKind)]
  if (!activities || !plans) return undefined
  const planned = new Set((await plans.list({})).rows.flatMap(({ activityIds }) => (activityIds ?? []) as string[]))
  const { rows } = await activities.list({ startDate, endDate, dateType: 'start', sortField: 'startDate', sortOrder: 'ASC' })
  return rows.filter(({ Id, meaning = 'open' }) => !planned.has(String(Id)) && ['open', 'started'].includes(String(meaning)))
}

/** The stops of all plans on a day as this device holds them, with the names of their plans. */
export async function dayStopsHeld(day: string): Promise<(KeptStop & { planName: string })[]> {
  const plans = (await localEntity(planKind)?.list({ startDate: day, endDate: day, dateType: 'planned' }))?.rows ?? []
  const stops = await Promise.all(
    plans.map(async (plan) => (await stopsHeld(plan)).map((stop) => ({ ...stop, planName: String(plan.name ?? '') }))),
  )
  return stops.flat().filter((stop) => stop.day === day)
}
