import { isDeepStrictEqual } from 'node:util'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { eventOfTransition, type GeoEvent } from '../rules/event.ts'
import type { EventType } from '../rules/catalogue.ts'
import type { Transition } from '../fences/transition.ts'
import { moment } from './points.ts'
import type { DeviceRef } from './subject.ts'

/** An event that the messages give, and the moment its making began at (epoch ms): when that is processed anew, so is the event. */
export interface MadeEvent extends GeoEvent { originTime: number, origin?: Transition }
export type EventName = Pick<GeoEvent, 'type' | 'time' | 'key'>

/** What becomes of stored events: new ones wake somebody, corrected ones keep their id and wake nobody, retracted ones are marked. */
export interface EventChanges { insert: MadeEvent[], correct: { from: EventName, to: MadeEvent }[], retract: EventName[] }

export const nameOf = ({ type, time, key }: EventName): string => `${type} ${time} ${key}`

/** The same thing told again within this (ms) is a correction. */
export const sameThing = 120_000

export interface Asked {
  types: readonly EventType[]
  /** Events whose origin lies from the one to before the other are those that were processed anew. */
  from: number
  to: number
}

type Stored = EventName & Pick<MadeEvent, 'originTime' | 'latitude' | 'longitude' | 'speed' | 'geofenceId' | 'attributes'>

/** Stored events against the fresh ones of the same types and stretch. */
export async function changedEvents(db: Sql, { companyId, deviceId }: DeviceRef, { types, from, to }: Asked, fresh: readonly MadeEvent[]): Promise<EventChanges> {
  const stored = await db.query<Stored>(sql`
    select "type", (extract(epoch from "eventTime") * 1000)::float8 as "time", "key", (extract(epoch from "originTime") * 1000)::float8 as "originTime",
      "latitude", "longitude", "speed", "geofenceId", "attributes" from geo.event
    where "companyId" = ${companyId} and "deviceId" = ${deviceId} and "originTime" >= ${moment(from)}::timestamptz and "originTime" < ${moment(to)}::timestamptz
      and "type" = any(${types}) and not "isSuperseded" order by "eventTime", "key"`)
  const known = new Set(stored.map(nameOf))
  const names = new Map(fresh.map((event) => [nameOf(event), event]))
  const open = new Set(fresh.filter((event) => !known.has(nameOf(event))))
  const changes: EventChanges = { insert: [], correct: [], retract: [] }
  for (const old of stored) {
    const same = names.get(nameOf(old))
    // The end of one trip may have become that of another, and the trip before it longer: whoever processes anew must find it, and reads what is true now.
    if (same && !saysTheSame(old, same)) changes.correct.push({ from: old, to: same })
    if (same) continue
    const next = [...open].find(({ type, key, time, originTime }) => type === old.type && key === old.key && (originTime === old.originTime || Math.abs(time - old.time) <= sameThing))
    if (!next) { changes.retract.push(old); continue }
    open.delete(next)
    changes.correct.push({ from: old, to: next })
  }
  return { ...changes, insert: [...open] }
}

/** Whether an event of the same name tells the same, as far as Postgres keeps it: speeds are of single precision, what is undefined in JSON is not there. */
function saysTheSame(old: Stored, fresh: MadeEvent): boolean {
  const speed = fresh.speed === null ? null : Math.fround(fresh.speed)
  const isSamePlace = old.latitude === fresh.latitude && old.longitude === fresh.longitude
  return isSamePlace && old.originTime === fresh.originTime && old.geofenceId === fresh.geofenceId && (old.speed === null ? null : Math.fround(old.speed)) === speed
    && isDeepStrictEqual(old.attributes, JSON.parse(JSON.stringify(fresh.attributes)))
}

/** The event that a transition of a fence is, with the transition itself: from it fences go on. */
export const madeOf = (transition: Transition): MadeEvent => ({ ...eventOfTransition(transition), originTime: transition.confirmedAt, origin: transition })
