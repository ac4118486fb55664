import { addDays, daysBetween, dayOf } from '@outpost/rules/time-zone'
import { routeStop, type PlanActivity, type PlanSettings, type PlanStop } from '@outpost/rules/routes/route-build'
import type { StopLock } from '@outpost/rules/routes/route-plan'
import { splitStops } from '@outpost/rules/routes/route-split'

export interface DraftStop extends PlanStop {
  day: string
  lock: StopLock | null
  keepsTime: boolean
}

export interface PlanFields extends PlanSettings {
  name: string
  startDate: string
  endDate: string
  status: string
  notes: string
  startLocation: string
}

/** A plan as it is being made. The order of the stops is the order of each agent's day. */
export interface Draft {
  fields: PlanFields
  agents: string[]
  stops: DraftStop[]
  setTimes: boolean
}

/** What was, what is and what was taken back. */
export interface History {
  past: Draft[]
  now: Draft
  future: Draft[]
}

const maxSteps = 100

export const begin = (now: Draft): History => ({ past: [], now, future: [] })
export const step = ({ past, now }: History, next: Draft): History =>
  next === now ? { past, now, future: [] } : { past: [...past, now].slice(-maxSteps), now: next, future: [] }
export const undo = ({ past, now, future }: History): History =>
  past.length === 0 ? { past, now, future } : { past: past.slice(0, -1), now: past.at(-1) as Draft, future: [now, ...future] }
export const redo = ({ past, now, future }: History): History =>
  future[0] ? { past: [...past, now], now: future[0], future: future.slice(1) } : { past, now, future }

/** An empty plan of the working week after today. */
export function emptyDraft(today: string): Draft {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  const monday = addDays(today, (8 - weekday) % 7 || 7)
  return {
    agents: [],
    stops: [],
    setTimes: true,
    fields: {
      name: '',
      startDate: monday,
      endDate: addDays(monday, 4),
      status: 'PENDING',
      notes: '',
      startLocation: '',
      startLat: null,
      startLng: null,
      returnsToStart: false,
      speed: 30,
      roadFactor: 1.3,
      longestDay: 9,
      dayStart: 480,
      dayEnd: 1_020,
    },
  }
}

/** The days of the plan; the first alone while the dates are the wrong way round. */
export const daysOf = ({ fields }: Draft): string[] =>
  fields.endDate < fields.startDate ? [fields.startDate] : daysBetween(fields.startDate, fields.endDate)

const within = (day: string, { startDate, endDate }: PlanFields) => (day < startDate ? startDate : day > endDate ? endDate : day)

export interface Adding {
  activities: readonly PlanActivity[]
  agents: readonly string[]
  day: string | 'due'
  timeZone: string
}

/** Adds activities at the end of the agents' days, shared out among several by nearness; `due`: each on its own day. */
export function addStops(draft: Draft, { activities, agents, day, timeZone }: Adding): Draft {
  const fresh = activities.filter(({ id }) => !draft.stops.some((stop) => stop.activityId === id))
  if (fresh.length === 0 || agents.length === 0) return draft
  const byDay = Map.groupBy(fresh, (activity) => within(day === 'due' ? dayOf(activity.start, timeZone) : day, draft.fields))
  const made = [...byDay].flatMap(([date, some]) => {
    const stops = some.map((activity) => routeStop({ stop: { activityId: activity.id, userId: '' }, activity }))
    return splitStops(stops, agents.length).flatMap((piece, index) =>
      piece.map(({ id }): DraftStop => ({ activityId: id, userId: agents[index] as string, day: date, lock: null, keepsTime: false })),
    )
  })
  return { ...draft, agents: [...new Set([...draft.agents, ...agents])], stops: [...draft.stops, ...made] }
}

export const removeStops = (draft: Draft, ids: ReadonlySet<string>): Draft => ({
  ...draft,
  stops: draft.stops.filter(({ activityId }) => !ids.has(activityId)),
})

const isOn = (stop: DraftStop, { userId, day }: { userId: string; day: string }) => stop.userId === userId && stop.day === day

/** Moves a stop to a place of an agent's day (0 first, absent last). */
export function moveStop(draft: Draft, activityId: string, to: { userId: string; day: string; index?: number }): Draft {
  const stop = draft.stops.find((one) => one.activityId === activityId)
  if (!stop) return draft
  const rest = draft.stops.filter((one) => one !== stop)
  const own = rest.filter((one) => isOn(one, to))
  const moved: DraftStop = { ...stop, userId: to.userId, day: to.day, keepsTime: stop.keepsTime && stop.day === to.day }
  own.splice(to.index ?? own.length, 0, moved)
  return { ...draft, agents: [...new Set([...draft.agents, to.userId])], stops: [...rest.filter((one) => !isOn(one, to)), ...own] }
}

/** One place up (-1) or down (1) in its day. */
export function nudgeStop(draft: Draft, activityId: string, by: -1 | 1): Draft {
  const stop = draft.stops.find((one) => one.activityId === activityId)
  if (!stop) return draft
  const own = draft.stops.filter((one) => isOn(one, stop))
  const index = own.indexOf(stop) + by
  return index < 0 || index >= own.length ? draft : moveStop(draft, activityId, { userId: stop.userId, day: stop.day, index })
}

export function changeStop(draft: Draft, activityId: string, change: Partial<Pick<DraftStop, 'lock' | 'keepsTime' | 'day'>>): Draft {
  return { ...draft, stops: draft.stops.map((stop) => (stop.activityId === activityId ? { ...stop, ...change } : stop)) }
}

/** Sets the order of one agent's day; stops that the order does not name stay behind the others. */
export function orderDay(draft: Draft, at: { userId: string; day: string }, order: readonly string[]): Draft {
  const place = new Map(order.map((id, index) => [id, index]))
  const own = draft.stops
    .filter((stop) => isOn(stop, at))
    .toSorted((a, b) => (place.get(a.activityId) ?? 9_999) - (place.get(b.activityId) ?? 9_999))
  return { ...draft, stops: [...draft.stops.filter((stop) => !isOn(stop, at)), ...own] }
}

/** Changes fields; stops that fall out of new dates move to the nearest day. */
export function changeFields(draft: Draft, change: Partial<PlanFields>): Draft {
  const fields = { ...draft.fields, ...change }
  const isRightWay = fields.endDate >= fields.startDate
  return { ...draft, fields, stops: isRightWay ? draft.stops.map((stop) => ({ ...stop, day: within(stop.day, fields) })) : draft.stops }
}

/** An agent goes, and the agent's stops are unplanned again. */
export const setAgents = (draft: Draft, agents: string[]): Draft => ({
  ...draft,
  agents,
  stops: draft.stops.filter(({ userId }) => agents.includes(userId)),
})
