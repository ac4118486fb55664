import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { eventOfTransition, type GeoEvent } from '../rules/event.ts'
import type { EventType } from '../rules/catalogue.ts'
import type { Transition } from '../fences/transition.ts'
import { moment } from './points.ts'
import type { DeviceRef } from './subject.ts'

/** An event that the messages give, and the moment its making began at (epoch ms): when that is reckoned anew, so is the event. */
export interface MadeEvent extends GeoEvent { originTime: number, origin?: Transition }
export type EventName = Pick<GeoEvent, 'type' | 'time' | 'key'>

/** What becomes of stored events: new ones wake somebody, corrected ones keep their id and wake nobody, retracted ones are marked. */
export interface EventChanges { insert: MadeEvent[], correct: { from: EventName, to: MadeEvent }[], retract: EventName[] }

export const nameOf = ({ type, time, key }: EventName): string => `${type} ${time} ${key}`

/** The same thing told again within this (ms) is a correction. */
export const sameThing = 120_000

export interface Asked {
  types: readonly EventType[]
  /** Events whose origin lies from the one to before the other are those that were reckoned anew. */
  from: number
  to: number
}

/** Stored events against the fresh ones of the same types and stretch. */
export async function changedEvents(db: Sql, { companyId, deviceId }: DeviceRef, { types, from, to }: Asked, fresh: readonly MadeEvent[]): Promise<EventChanges> {
  const stored = await db.query<EventName & { originTime: number }>(sql`
    select "type", (extract(epoch from "eventTime") * 1000)::float8 as "time", "key", (extract(epoch from "originTime") * 1000)::float8 as "originTime" from geo.event
    where "companyId" = ${companyId} and "deviceId" = ${deviceId} and "originTime" >= ${moment(from)}::timestamptz and "originTime" < ${moment(to)}::timestamptz
      and "type" = any(${types}) and not "isSuperseded" order by "eventTime", "key"`)
  const known = new Set(stored.map(nameOf))
  const names = new Map(fresh.map((event) => [nameOf(event), event]))
  const open = new Set(fresh.filter((event) => !known.has(nameOf(event))))
  const changes: EventChanges = { insert: [], correct: [], retract: [] }
  for (const old of stored) {
    const same = names.get(nameOf(old))
    // The end of one trip may have become that of another: whoever reckons that one anew must find it.
    if (same && same.originTime !== old.originTime) changes.correct.push({ from: old, to: same })
    if (same) continue
    const next = [...open].find(({ type, key, time, originTime }) => type === old.type && key === old.key && (originTime === old.originTime || Math.abs(time - old.time) <= sameThing))
    if (!next) { changes.retract.push(old); continue }
    open.delete(next)
    changes.correct.push({ from: old, to: next })
  }
  return { ...changes, insert: [...open] }
}

/** The event that a transition of a fence is, with the transition itself: from it fences go on. */
export const madeOf = (transition: Transition): MadeEvent => ({ ...eventOfTransition(transition), originTime: transition.confirmedAt, origin: transition })
