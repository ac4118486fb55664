import { useMemo } from 'react'
import { dayRoutes, plannedRoute, routeInput, timeDay, type TimedDay } from '@outpost/rules/routes/route-build'
import { findConflicts, type PlanConflict } from '@outpost/rules/routes/route-conflicts'
import { orderStops } from '@outpost/rules/routes/route-order'
import { useBusy, type Known } from '../api.ts'
import { orderDay, type Draft, type DraftStop } from './draft.ts'

export type Day = TimedDay<Known, DraftStop>
export interface DayTimes {
  days: Day[]
  conflicts: PlanConflict[]
  /** The conflicts of the draft as it is, once the server has said what it knows; without its answer when it cannot be reached. */
  settle: () => Promise<PlanConflict[]>
}

/** Times and conflicts of a draft: the sums at once on this device, other work of the agents as soon as the server has said. */
export function useDayTimes(
  draft: Draft,
  known: ReadonlyMap<string, Known>,
  { planId, timeZone }: { planId: string | undefined; timeZone: string },
): DayTimes {
  const { data: told, isFetching, refetch } = useBusy(draft, planId)
  const local = useMemo(() => {
    const days = dayRoutes(draft.stops, known, timeZone).map((route) => timeDay(draft.fields, route, timeZone))
    return {
      days,
      conflicts: findConflicts({ routes: days.map((day) => plannedRoute(draft.fields, day, timeZone)), settings: draft.fields }),
    }
  }, [draft, known, timeZone])
  const hasStops = draft.stops.length > 0
  return useMemo(() => {
    const all = (taken: readonly PlanConflict[] = []) => [...local.conflicts, ...(hasStops ? taken : [])]
    const settle = async () => all(hasStops && isFetching ? (await refetch({ cancelRefetch: false })).data : told)
    return { days: local.days, conflicts: all(told), settle }
  }, [local, told, isFetching, refetch, hasStops])
}

/** The draft with a shorter order of one agent's day, or of all days. */
export function orderDraft(draft: Draft, days: readonly Day[], timeZone: string): Draft {
  return days.reduce(
    (changed, day) =>
      orderDay(
        changed,
        day,
        orderStops(routeInput(draft.fields, day, timeZone)).map(({ id }) => id),
      ),
    draft,
  )
}

/** The day that an agent has on a date; empty when nothing is planned. */
export const dayOfAgent = (days: readonly Day[], userId: string, day: string): Day | undefined =>
  days.find((one) => one.userId === userId && one.day === day)
