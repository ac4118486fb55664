import { isEqual } from 'es-toolkit/predicate/isEqual'
import { sumBy } from 'es-toolkit/math/sumBy'
import { callOf } from '../../data/calls.ts'
import { save } from '../../data/gateway.ts'
import type { KeptLater, Saved } from '../../data/saving.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import type { Row } from '../../data/records.ts'
import { planKind, type RouteStop } from '../../device/work/own-plans.ts'
import { t } from '../../session/labels.ts'
import type { Person, PlanRow } from './api.ts'
import type { Draft } from './planner/draft.ts'
import type { Day } from './planner/useDayTimes.ts'

export interface PlanToSave {
  draft: Draft
  /** The draft as it was opened. */
  start: Draft
  base: PlanRow | undefined
  days: readonly Day[]
  people: readonly Person[]
}

/** Makes or changes the plan; without a connection it is kept on this device: its fields, its stops and its status as changes of their own. */
export async function savePlan(given: PlanToSave): Promise<Saved> {
  const { draft, start, base } = given
  const { status, ...fields } = draft.fields
  const { agents, stops, setTimes } = draft
  const id = base ? { version: base.version } : { Id: crypto.randomUUID() }
  const isMoved = status !== (base?.status ?? 'PENDING')
  const isPlanned = !isEqual([agents, stops], base ? [start.agents, start.stops] : [[], []])
  const saved = await save({
    call: callOf(base ? 'plans.update' : 'plans.create'),
    entityType: planKind,
    one: planKind,
    values: { ...fields, ...id },
    body: { ...draft.fields, ...id, agents, stops, setTimes },
    ...(base ? { base: base as unknown as Row, id: base.Id } : {}),
    also: [...(isPlanned ? [plannedCall(given)] : []), ...(isMoved ? [moveCall(status)] : [])],
  })
  await queryClient.invalidateQueries({ queryKey: keys.records('activity') })
  return saved
}

const moveCall = (status: string): KeptLater => ({ field: 'move', value: { status, shows: { status }, words: status } })

/** Agents and stops as the device sends them, beside what it had seen, and what the plan shows until the office has them. */
function plannedCall({ draft, start, base, days, people }: PlanToSave): KeptLater {
  const { agents, stops, setTimes } = draft
  const nameOf = (userId: string) =>
    people.find(({ Id }) => Id === userId)?.label ?? base?.agents.find(({ Id }) => Id === userId)?.label ?? ''
  const named = agents.map((Id) => ({ Id, label: nameOf(Id) }))
  const route = days.flatMap((day) => routeOf(day, nameOf(day.userId)))
  return {
    field: 'planned',
    names: stops.map(({ activityId }) => ({ type: 'activity', id: activityId })),
    value: {
      base: base ? { agents: start.agents, stops: start.stops } : { agents: [], stops: [] },
      agents,
      stops,
      setTimes,
      shows: {
        agents: named,
        agentNames: named.map(({ label }) => label).join(', '),
        stops: stops.length,
        km: Math.round(sumBy(route, ({ metres }) => metres) / 100) / 10,
        activityIds: stops.map(({ activityId }) => activityId),
        route,
      },
      words: `${stops.length} ${t(stops.length === 1 ? 'stop' : 'stops')}`,
    },
  }
}

const iso = (time: number) => new Date(time).toISOString()

const routeOf = ({ userId, day, stops, timed }: Day, agentName: string): RouteStop[] =>
  timed.stops.map((stop, position) => ({
    stopId: `${userId} ${stop.id}`,
    activityId: stop.id,
    userId,
    agentName,
    day,
    position,
    lock: stops[position]?.stop.lock ?? null,
    keepsTime: stops[position]?.stop.keepsTime ?? false,
    plannedArrival: iso(stop.arrival),
    plannedDeparture: iso(stop.departure),
    metres: Math.round(stop.metres),
  }))
