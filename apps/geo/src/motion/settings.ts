import type { Place } from './point.ts'

/** Definition of a trip and a stop: metres, milliseconds, km/h. A company or a device may override them. */
export interface MotionSettings {
  /** A stop is a stay inside this radius ... */
  stopRadius: number
  /** ... for this long (60 to 600 s), */
  stopAfter: number
  /** or with the ignition off for this long, */
  ignitionOffAfter: number
  /** unless the vehicle continues sooner than this: then its two trips are one. */
  mergeWithin: number
  /** While stationary, movement within this (or twice the accuracy) is noise. */
  drift: number
  /** With the ignition on, this far from the place of the stop is a start. */
  startByIgnition: number
  /** Two points faster than `movingSpeed` over this distance are a start. */
  startByWay: number
  movingSpeed: number
  minTrip: number
  /** Longer without a place is a gap. */
  gapAfter: number
  /** When found within this distance after a gap, the vehicle was stationary all the time. */
  gapStill: number
  /** A gap up to this long, crossed at `gapSpeed` or faster, belongs to its trip; any other one ends it. */
  gapLongest: number
  gapSpeed: number
  idleAfter: number
  /** No vehicle is faster, so one of the two places is wrong. */
  impossibleSpeed: number
  worstAccuracy: number
  fewestSatellites: number
  worstHdop: number
  /** The source of the engine state; one source per device, so that a session never flickers between two. */
  engine: 'ignition' | 'voltage' | 'motion'
  /** Volts above which the alternator is charging. */
  runningVoltage: number
  /** km/h; null: no limit. */
  speedLimit: number | null
  /** The limit of the fences at a place, which overrides the device's own; null: no fence there has one. */
  limitAt?: ((place: Place) => Limit | null) | undefined
  overspeedAfter: number
  /** Litres of a full tank, for devices that send percent only. */
  tank: number | null
}

/** km/h, and the fence that sets it; null: the device's own. */
export interface Limit {
  limit: number
  fenceId: string | null
}

const second = 1_000
const minute = 60 * second

/** The default settings of a device (fleet.md 4.3). */
export const defaultSettings: Readonly<MotionSettings> = {
  stopRadius: 100,
  stopAfter: 180 * second,
  ignitionOffAfter: 60 * second,
  mergeWithin: 120 * second,
  drift: 30,
  startByIgnition: 50,
  startByWay: 100,
  movingSpeed: 5,
  minTrip: 200,
  gapAfter: 15 * minute,
  gapStill: 300,
  gapLongest: 60 * minute,
  gapSpeed: 10,
  idleAfter: 120 * second,
  impossibleSpeed: 250,
  worstAccuracy: 100,
  fewestSatellites: 4,
  worstHdop: 5,
  engine: 'ignition',
  runningVoltage: 13.2,
  speedLimit: null,
  overspeedAfter: 15 * second,
  tank: null,
}

/** The settings of a device: `attributes.motion` may override any of them; values of the wrong type are ignored. */
export function ownSettings(attributes: Readonly<Record<string, unknown>>): MotionSettings {
  const own = attributes.motion
  if (typeof own !== 'object' || own === null) return defaultSettings
  const isFit = ([key, value]: [string, unknown]) =>
    key === 'engine'
      ? ['ignition', 'voltage', 'motion'].includes(value as string)
      : Object.hasOwn(defaultSettings, key) && typeof value === 'number' && Number.isFinite(value) && value >= 0
  return { ...defaultSettings, ...Object.fromEntries(Object.entries(own).filter(isFit)) }
}
