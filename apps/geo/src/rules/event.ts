import type { Attributes } from '../positions/fix.ts'
import { keyOf, type Transition } from '../fences/transition.ts'
import type { EventType } from './catalogue.ts'

/** An event of a device. With the device, `type`, `time` and `key` identify it permanently: detecting it again writes nothing new. */
export interface GeoEvent {
  type: EventType
  /** epoch ms */
  time: number
  /** Distinguishes two events of one type and time: the alarm, the fence; '' when there is nothing to distinguish. */
  key: string
  latitude: number | null
  longitude: number | null
  /** km/h */
  speed: number | null
  geofenceId: string | null
  attributes: Attributes
}

const typeOf = {
  enter: 'geofenceEnter',
  exit: 'geofenceExit',
  crossed: 'geofenceCrossed',
  dwell: 'geofenceDwell',
  insideAtStart: 'geofenceInsideAtStart',
} as const

/** The event of a fence transition. */
export function eventOfTransition(transition: Transition): GeoEvent {
  const { kind, at, until, dwell, window, fenceId, latitude, longitude } = transition
  const attributes: Attributes = {
    ...(until !== null && { leftAt: until }),
    ...(dwell !== null && { dwellSeconds: dwell }),
    ...(window && { windowFrom: window.from, windowTo: window.to }),
  }
  return { type: typeOf[kind], time: at, key: keyOf(transition), latitude, longitude, speed: null, geofenceId: fenceId, attributes }
}
