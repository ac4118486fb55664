import { sumBy } from 'es-toolkit/math/sumBy'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../data/calls.ts'
import { answerOrKept } from '../../../data/kept-answers.ts'
import { keys } from '../../../data/keys.ts'
import type { StopRow } from '../api.ts'
import type { Meaning } from '../formats.ts'

/** Meaning of a visit on its day: an open one whose end is past is late. */
export type DayMeaning = Meaning | 'late'
export interface Visit {
  Id: string
  name: string
  startDate: string
  endDate: string
  meaning: DayMeaning
  changedAt: string | null
  status: string
  lat: number | null
  lng: number | null
}
export type Count = 'planned' | 'done' | 'started' | 'open' | 'late' | 'missed' | 'cancelled'

export interface AgentDay extends Record<Count, number> {
  userId: string
  agent: string
  tenantId: string
  branch: string | null
  km: number
  plannedKm: number
  firstStart: string | null
  lastEnd: string | null
  dayStart: string | null
  dayStop: string | null
  isOnDuty: boolean
  current: { Id: string; name: string; since: string | null } | null
  plans: string[]
  visits: Visit[]
}

export const useDay = (date: string) =>
  useQuery({
    queryKey: [...keys.records('activity'), 'day-overview', date],
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    // A day looked at before opens without a connection, as it was then.
    queryFn: () =>
      answerOrKept(`day-overview:${date}`, async () => {
        const { data } = await call('plans.dayOverview', { query: { date, detailsLevel: 'FULL' } })
        return data.agents as AgentDay[]
      }),
  })

export interface TrackStop extends StopRow {
  isMissed: boolean
  passedBy: number | null
  actual: { at: string; latitude: number | null; longitude: number | null; metres: number | null; minutes: number | null } | null
}
export interface Track {
  userId: string
  day: string
  stops: TrackStop[]
  track: [lat: number, lng: number, at: string][]
  metres: number
  fixes: number
}

/** Planned against actual of one agent's day in a plan. */
export const useTrack = (planId: string | undefined, userId: string, day: string) =>
  useQuery({
    queryKey: [...keys.records('activityPlan'), 'track', planId ?? '', userId, day],
    enabled: planId !== undefined,
    queryFn: async () => (await call('plans.track', { params: { id: planId ?? '' }, query: { userId, day } })).data as unknown as Track,
  })

export const counts: Count[] = ['planned', 'done', 'started', 'open', 'late', 'missed', 'cancelled']
export const countLabels: Record<Count, string> = {
  planned: 'Planned',
  done: 'Done',
  started: 'In progress',
  open: 'To come',
  late: 'Late',
  missed: 'Missed',
  cancelled: 'Cancelled',
}

/** The records behind a number. */
export const visitsBehind = ({ visits }: Pick<AgentDay, 'visits'>, count: Count): Visit[] =>
  count === 'planned' ? visits : visits.filter(({ meaning }) => meaning === count)

/** All agents together. */
export function sumOf(agents: readonly AgentDay[]): Record<Count | 'km' | 'plannedKm', number> {
  const sum = (key: Count | 'km' | 'plannedKm') => sumBy(agents, (agent) => agent[key])
  return {
    planned: sum('planned'),
    done: sum('done'),
    started: sum('started'),
    open: sum('open'),
    late: sum('late'),
    missed: sum('missed'),
    cancelled: sum('cancelled'),
    km: sum('km'),
    plannedKm: sum('plannedKm'),
  }
}

/** Part of the day that bars show, in minutes: 7 to 18 o'clock, more when somebody works longer. */
export function barWindow(agents: readonly AgentDay[], minuteOf: (time: string) => number): { from: number; to: number } {
  const minutes = agents.flatMap(({ visits }) => visits.flatMap(({ startDate, endDate }) => [minuteOf(startDate), minuteOf(endDate)]))
  const hour = (value: number) => value / 60
  return {
    from: Math.floor(hour(Math.min(7 * 60, ...minutes))) * 60,
    to: Math.min(24, Math.ceil(hour(Math.max(18 * 60, ...minutes)))) * 60,
  }
}
