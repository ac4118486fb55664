import { isDeepStrictEqual } from 'node:util'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { eventOfTransition, type GeoEvent } from '../rules/event.ts'
import type { EventType } from '../rules/catalogue.ts'
import type { Transition } from '../fences/transition.ts'
import { moment } from './points.ts'
import type { DeviceRef } from './subject.ts'

/** A computed event, and the time (epoch ms) from which it was computed: when that time is processed again, so is the event. */
export interface MadeEvent extends GeoEvent {
  originTime: number
  origin?: Transition
}
export type EventName = Pick<GeoEvent, 'type' | 'time' | 'key'>

/** Changes to stored events: new ones notify, corrected ones keep their id and do not notify, retracted ones are marked. */
export interface EventChanges {
  insert: MadeEvent[]
  correct: { from: EventName; to: MadeEvent }[]
  retract: EventName[]
}

export const nameOf = ({ type, time, key }: EventName): string => `${type} ${time} ${key}`

/** The same event reported again within this time (ms) is a correction. */
export const correctionMs = 120_000

export interface EventRange {
  types: readonly EventType[]
  /** Events whose origin lies in [from, to) are those that were processed again. */
  from: number
  to: number
}

type Stored = EventName & Pick<MadeEvent, 'originTime' | 'latitude' | 'longitude' | 'speed' | 'geofenceId' | 'attributes'>

/** Compares stored events with the fresh ones of the same types and time range. */
export async function changedEvents(
  db: Sql,
  { companyId, deviceId }: DeviceRef,
  { types, from, to }: EventRange,
  fresh: readonly MadeEvent[],
): Promise<EventChanges> {
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
    // The end of one trip may have become that of another, and the trip before it longer: the stored event must then refer to the
    // current one.
    if (same && !isSameContent(old, same)) changes.correct.push({ from: old, to: same })
    if (same) continue
    const next = [...open].find(
      ({ type, key, time, originTime }) =>
        type === old.type && key === old.key && (originTime === old.originTime || Math.abs(time - old.time) <= correctionMs),
    )
    if (!next) {
      changes.retract.push(old)
      continue
    }
    open.delete(next)
    changes.correct.push({ from: old, to: next })
  }
  return { ...changes, insert: [...open] }
}

/**
 * Whether an event of the same name has the same content, as far as Postgres stores it: speeds have single precision, and undefined is
 * absent in JSON.
 */
function isSameContent(old: Stored, fresh: MadeEvent): boolean {
  const speed = fresh.speed === null ? null : Math.fround(fresh.speed)
  const isSamePlace = old.latitude === fresh.latitude && old.longitude === fresh.longitude
  return (
    isSamePlace &&
    old.originTime === fresh.originTime &&
    old.geofenceId === fresh.geofenceId &&
    (old.speed === null ? null : Math.fround(old.speed)) === speed &&
    isDeepStrictEqual(old.attributes, JSON.parse(JSON.stringify(fresh.attributes)))
  )
}

/** The event of a fence transition, with the transition itself, from which fences continue. */
export const eventFromTransition = (transition: Transition): MadeEvent => ({
  ...eventOfTransition(transition),
  originTime: transition.confirmedAt,
  origin: transition,
})
