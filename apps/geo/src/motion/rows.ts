import type { Moment } from './point.ts'

/** Why a stop began and the trip before it ended. */
export type StopReason = 'still' | 'ignitionOff' | 'silent' | 'gap' | 'first'
/** Why a trip ended; null while it is under way. */
export type TripEnd = Exclude<StopReason, 'first'> | 'jump'
export type TripStart = 'ignition' | 'speed' | 'moved' | 'afterGap'
export type StopKind = 'parked' | 'idling' | 'gap'

/**
 * A stop. With the device, `startTime` (its first fix) identifies it. The row is also the full state of the machine at its `end`:
 * processing can continue from there, whatever came before.
 */
export interface Stop {
  startTime: number
  latitude: number
  longitude: number
  /** The last fix of the stop. */
  end: Moment
  /** The first fix elsewhere after a silence: it left at an unknown time between `end` and this. */
  goneBy: number | null
  /** Where the vehicle is now: it may have been moved a little within the stop. */
  anchor: { latitude: number; longitude: number }
  kind: StopKind
  reason: StopReason
  /** The fix that made it final. */
  confirmedTime: number
  /** Milliseconds with the ignition on, and without any position. */
  ignitionMs: number
  silentMs: number
  hasIgnitionOff: boolean
  /** Metres moved within the stop: less than a trip. */
  metres: number
  points: number
  isOpen: boolean
}

/** A trip from one stop to the next, identified by the device and `start.time`. Metres, milliseconds, km/h. */
export interface Trip {
  startTime: number
  start: Moment
  end: Moment
  metres: number
  /** Across gaps in the data, drawn dashed and counted separately. */
  gapMetres: number
  gapMs: number
  movingMs: number
  idleMs: number
  averageSpeed: number | null
  maxSpeed: number | null
  startReason: TripStart
  endReason: TripEnd | null
  /** The fix that made the end final; null while in progress. */
  confirmedTime: number | null
  /** Moved with the ignition off all the time. */
  isTowed: boolean
  points: number
  /** Share (0 to 1) of the fixes with a place that could be used for measuring. */
  quality: number
  startOdometer: number | null
  endOdometer: number | null
  /** Litres. */
  fuelUsed: number | null
  /** The last driver's key sent before its end; null when none was sent since shortly before it began. */
  driverKey: string | null
  /** Encoded polyline, five digits. */
  path: string
  isOpen: boolean
}

/** A gap in the data across which the device changed its place. */
export interface Gap {
  startTime: number
  from: Moment
  to: Moment
  metres: number
  /** Within a trip (the vehicle can hardly have stopped), or between two. */
  isWithinTrip: boolean
  reason: 'silent' | 'jump'
}

/** A time span, identified by the device, its kind and `startTime`. */
export interface Span {
  startTime: number
  endTime: number
  isOpen: boolean
  points: number
}
export interface EngineSession extends Span {
  source: 'ignition' | 'voltage' | 'motion'
  metres: number
  movingMs: number
  idleMs: number
}
export interface Idle extends Span {
  latitude: number | null
  longitude: number | null
}
export interface Overspeed extends Span {
  latitude: number
  longitude: number
  limit: number
  /** The fence with that limit; null: the device's own limit. */
  fenceId: string | null
  maxSpeed: number
  /** The fix at which it had lasted long enough, and its speed; the event uses them. */
  confirmedTime: number
  confirmedSpeed: number
  metres: number
}

export interface MotionRows {
  trips: Trip[]
  stops: Stop[]
  gaps: Gap[]
  sessions: EngineSession[]
  idles: Idle[]
  overspeeds: Overspeed[]
}
