import type { Sql } from '@outpost/platform/types'
import type { Replacement } from '../motion/rebuild.ts'
import type { Idle, Overspeed, Trip } from '../motion/rows.ts'
import type { EventType } from '../rules/catalogue.ts'
import { changedEvents, type EventChanges, type MadeEvent } from './changes.ts'
import type { Subject } from './subject.ts'

/** The events of trips, idling and overspeed. */
export async function processMotionEvents(db: Sql, subject: Subject, { ranges, rows }: Replacement): Promise<EventChanges[]> {
  return [
    await changedEvents(db, subject, { types: ['deviceMoving', 'deviceStopped'], ...ranges.trips }, rows.trips.flatMap(tripEvents)),
    await changedEvents(
      db,
      subject,
      { types: ['deviceIdle'], ...ranges.idles },
      rows.idles.map((idle) => idleEvent(idle, subject.settings.idleAfter)),
    ),
    await changedEvents(db, subject, { types: ['deviceOverspeed'], ...ranges.overspeeds }, rows.overspeeds.map(overspeedEvent)),
  ]
}

type Place = { latitude: number | null; longitude: number | null }

const make = (
  type: EventType,
  time: number,
  { latitude, longitude }: Place,
  more: Pick<MadeEvent, 'originTime' | 'speed' | 'attributes'>,
): MadeEvent => ({ type, time, key: '', latitude, longitude, geofenceId: null, ...more })

function tripEvents({ startTime, start, end, metres, isOpen, isTowed }: Trip): MadeEvent[] {
  const begin = make('deviceMoving', startTime, start, { originTime: startTime, speed: null, attributes: { ...(isTowed && { isTowed }) } })
  return isOpen
    ? [begin]
    : [begin, make('deviceStopped', end.time, end, { originTime: startTime, speed: 0, attributes: { metres: Math.round(metres) } })]
}

const idleEvent = (idle: Idle, after: number): MadeEvent =>
  make('deviceIdle', idle.startTime + after, idle, { originTime: idle.startTime, speed: 0, attributes: { since: idle.startTime } })

const overspeedEvent = (span: Overspeed): MadeEvent => ({
  ...make('deviceOverspeed', span.confirmedTime, span, {
    originTime: span.startTime,
    speed: span.confirmedSpeed,
    attributes: { speedLimit: span.limit, since: span.startTime },
  }),
  geofenceId: span.fenceId,
})
