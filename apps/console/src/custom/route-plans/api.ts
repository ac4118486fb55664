import { useMemo } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { PlanActivity } from '@outpost/rules/routes/route-build'
import type { PlanConflict } from '@outpost/rules/routes/route-conflicts'
import type { StopLock } from '@outpost/rules/routes/route-plan'
import { isNetworkError } from '../../data/api.ts'
import { call } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { dayStopsHeld, planOf, stopsOf, unplannedHeld } from '../../device/work/own-plans.ts'
import { keptOptions } from '../../offline/options.ts'
import { getSession } from '../../session/store.ts'
import type { Draft, PlanFields } from './planner/draft.ts'
import type { Meaning } from './formats.ts'

/** An activity as lists and plans carry it. */
export interface ActivityRow {
  Id: string
  name: string
  location: string | null
  lat: number | null
  lng: number | null
  startDate: string
  endDate: string
  typeDesc?: string | null
  status?: string
  agentName?: string | null
  assignedUsers?: { Id: string; label: string }[]
}
/** An activity as a stop of a plan. */
export interface StopRow extends ActivityRow {
  stopId: string
  planId: string
  userId: string
  agentName: string
  day: string
  position: number
  lock: StopLock | null
  keepsTime: boolean
  plannedArrival: string | null
  plannedDeparture: string | null
  metres: number
  meaning: Meaning
  statusDateCreated: string | null
}
export interface PlanRow extends PlanFields {
  Id: string
  version: number
  agents: { Id: string; label: string }[]
  stops: number
  done: number
  km: number
}
export interface Person {
  Id: string
  label: string
}

/** What planning needs to know of an activity, beside what a person wants to read. */
export interface Known extends PlanActivity {
  place: string
  type: string
  agents: string
  users: string[]
}

export const knownOf = (row: ActivityRow): Known => ({
  id: row.Id,
  name: row.name,
  lat: row.lat,
  lng: row.lng,
  start: Date.parse(row.startDate),
  end: Date.parse(row.endDate),
  place: row.location ?? '',
  type: row.typeDesc ?? '',
  agents: row.agentName ?? '',
  users: row.assignedUsers?.map(({ Id }) => Id) ?? [],
})

/** True when every word of a search is in the name, place, type or agents of an activity. */
export function matchesSearch({ name, place, type, agents }: Known, search: string): boolean {
  const text = `${name} ${place} ${type} ${agents}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** People in the caller's reach, by name; those kept for choosing where there is no connection. */
export const usePeople = () =>
  useQuery({
    queryKey: [...keys.records('user'), 'plan-people'],
    staleTime: 5 * 60_000,
    queryFn: async (): Promise<Person[]> => (await peopleInReach()).toSorted((a, b) => a.label.localeCompare(b.label)),
  })

async function peopleInReach(): Promise<Person[]> {
  try {
    const { data } = await call('users.list', { query: { size: 2_000 } })
    return data.users.map(({ Id, firstName, lastName }) => ({ Id, label: `${firstName} ${lastName}` }))
  } catch (error) {
    if (!isNetworkError(error)) throw error
    const kept = (await keptOptions('user')).map(({ value, label }) => ({ Id: value, label }))
    const user = getSession().layout?.user
    // Whoever plans is there, also on a device that has kept nobody yet.
    if (!user || kept.some(({ Id }) => Id === user.Id)) return kept
    return [...kept, { Id: user.Id, label: `${user.firstName} ${user.lastName}` }]
  }
}

/** Activities still to be done that are in no plan, of the days of the plan. */
export const useUnplanned = (startDate: string, endDate: string) =>
  useQuery({
    queryKey: [...keys.records('activity'), 'unplanned', startDate, endDate],
    enabled: endDate >= startDate,
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<ActivityRow[]> => {
      try {
        const query = { startDate, endDate, isOpen: 'true', size: 5_000 } as const
        return (await call('plans.unplanned', { query })).data.activities as ActivityRow[]
      } catch (error) {
        const held = isNetworkError(error) ? await unplannedHeld(startDate, endDate) : undefined
        if (!held) throw error
        return held as unknown as ActivityRow[]
      }
    },
  })

/** A plan with its stops, by the server or as this device kept them. The stops are activities: what is done there is seen here. */
export function usePlan(id: string | undefined): {
  data: { plan: PlanRow; stops: StopRow[] } | undefined
  error: Error | null
  refetch: () => void
} {
  const isAsked = { enabled: id !== undefined }
  const plan = useQuery({
    ...isAsked,
    queryKey: [...keys.records('activityPlan'), 'plan', id ?? ''],
    queryFn: async () => (await planOf(id ?? '')) as PlanRow,
  })
  const stops = useQuery({
    ...isAsked,
    queryKey: [...keys.records('activity'), 'stops', id ?? ''],
    queryFn: async () => (await stopsOf(id ?? '', getSession().layout?.user.Id)) as StopRow[],
  })
  const data = useMemo(() => (plan.data && stops.data ? { plan: plan.data, stops: stops.data } : undefined), [plan.data, stops.data])
  return { data, error: plan.error ?? stops.error, refetch: () => void Promise.all([plan.refetch(), stops.refetch()]) }
}

/** The draft of a plan that was saved. */
export function draftOf({ plan, stops }: { plan: PlanRow; stops: StopRow[] }): Draft {
  const { name, startDate, endDate, status, speed, roadFactor, longestDay, dayStart, dayEnd, startLat, startLng, returnsToStart } = plan
  return {
    fields: {
      name,
      startDate,
      endDate,
      status,
      notes: plan.notes ?? '',
      startLocation: plan.startLocation ?? '',
      startLat,
      startLng,
      returnsToStart,
      speed,
      roadFactor,
      longestDay,
      dayStart,
      dayEnd,
    },
    agents: plan.agents.map(({ Id }) => Id),
    setTimes: true,
    stops: stops.map(({ Id, userId, day, lock, keepsTime }) => ({ activityId: Id, userId, day, lock, keepsTime })),
  }
}

export const settingsOf = ({ speed, roadFactor, longestDay, dayStart, dayEnd, startLat, startLng, returnsToStart }: PlanFields) => ({
  speed,
  roadFactor,
  longestDay,
  dayStart,
  dayEnd,
  startLat,
  startLng,
  returnsToStart,
})

/** What only the server knows of a draft: the agents' other work at these times. */
export const useBusy = (draft: Draft, planId: string | undefined) =>
  useQuery({
    queryKey: [...keys.records('activityPlan'), 'conflicts', planId ?? '', settingsOf(draft.fields), draft.stops],
    enabled: draft.stops.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<PlanConflict[]> => {
      const { data } = await call(
        'plans.conflicts',
        { body: { ...settingsOf(draft.fields), ...(planId ? { planId } : {}), stops: draft.stops } },
        { signal },
      )
      return (data.conflicts as PlanConflict[]).filter(({ kind }) => kind === 'busy')
    },
  })

/** The routes of a day, over all plans one sees. */
export const useDayRoutes = (date: string) =>
  useQuery({
    queryKey: [...keys.records('activity'), 'day-routes', date],
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<(StopRow & { planName: string })[]> => {
      try {
        return (await call('plans.dayRoutes', { query: { date } })).data.stops as (StopRow & { planName: string })[]
      } catch (error) {
        const held = isNetworkError(error) ? await dayStopsHeld(date) : undefined
        if (!held) throw error
        return held as unknown as (StopRow & { planName: string })[]
      }
    },
  })
