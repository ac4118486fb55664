import { impliedSpeed, metres, momentOf, type Place } from './point.ts'
import { addPlace, arrivalIn, segmentFrom, restOf, type Segment, type Rest } from './segment.ts'
import type { Gap, Stop, TripEnd, TripStart } from './rows.ts'
import { extend, isStanding, kindOf, placeOf, stopAt } from './stay.ts'
import type { MotionSettings } from './settings.ts'
import { isGap, isMoving, measure } from './path.ts'

/** A trip before its sums: the places from the last fix of one stop to the first of the next. */
export interface TripPath { places: Place[], startReason: TripStart, endReason: TripEnd | null, confirmedTime: number | null }
export interface Segments { paths: TripPath[], stops: Stop[], gaps: Gap[] }

interface Machine { settings: MotionSettings, stop: Stop | null, leg: Segment | null, out: Segments }

/**
 * Cuts the places of a device (ordered, see placesOf) into stops, ways and gaps. `from`: a stop to read on from; the
 * places must be those after its end. A stop begins with the first fix at rest and ends with the last one: when it
 * became certain changes nothing.
 */
export function segmentPlaces(places: readonly Place[], settings: MotionSettings, from: Stop | null = null): Segments {
  const stop = from && { ...from, isOpen: true, goneBy: null }
  const machine: Machine = { settings, stop, leg: null, out: { paths: [], stops: stop ? [stop] : [], gaps: [] } }
  for (const place of places) step(machine, place)
  return finish(machine)
}

function step(machine: Machine, place: Place): void {
  const { leg, stop, settings } = machine
  const last = leg ? leg.places.at(-1) : stop && placeOf(stop.end)
  if (!last) machine.leg = segmentFrom(place)
  else if (isGap(last, place, settings)) bridge(machine, last, place)
  else if (stop && !leg?.left && isStanding(stop, place, settings)) {
    // Back where it stood before it was certain that it had left: it never left.
    machine.leg = null
    extend(stop, place, settings)
  } else goOn(machine, last, place)
}

function goOn(machine: Machine, last: Place, place: Place): void {
  const leg = machine.leg ??= segmentFrom(last)
  addPlace(leg, place, machine.settings)
  const rest = restOf(leg, machine.settings)
  if (rest) settle(machine, leg, rest)
}

/** The vehicle has come to rest: the way before is a trip, or too short to be one. */
function settle(machine: Machine, leg: Segment, { index, reason }: Rest): void {
  const { settings, out } = machine
  const places = leg.places.slice(0, index + 1)
  const [arrival, confirmed] = [leg.places[index] as Place, (leg.places.at(-1) as Place).time]
  const sum = measure(places, settings)
  const isTrip = sum.metres + sum.gapMetres >= settings.minTrip
  if (isTrip) closePath(machine, { places, startReason: startOf(machine, leg), endReason: reason, confirmedTime: confirmed })
  if (machine.stop && !isTrip) {
    machine.stop.metres += sum.metres
    machine.stop.anchor = { latitude: arrival.latitude, longitude: arrival.longitude }
    if (arrival.time > machine.stop.end.time) extend(machine.stop, arrival, settings)
  } else {
    machine.stop = stopAt(arrival, isTrip ? reason : 'first', confirmed)
    out.stops.push(machine.stop)
  }
  for (const place of leg.places.slice(index + 1)) extend(machine.stop, place, settings)
  machine.leg = null
}

function closePath(machine: Machine, way: TripPath): void {
  if (machine.stop) machine.stop.isOpen = false
  machine.out.paths.push(way)
}

/** Nobody knows what happened between two places; what they say together decides. */
function bridge(machine: Machine, last: Place, place: Place): void {
  const { settings } = machine
  const [way, speed, ms] = [metres(last, place), impliedSpeed(last, place), place.time - last.time]
  if (way < settings.gapStill) return standThrough(machine, place)
  const isWithinTrip = !place.isJump && ms <= settings.gapLongest && speed >= settings.gapSpeed
  if (isWithinTrip) {
    const leg = machine.leg ??= segmentFrom(last)
    leg.tail = leg.places.length
    addPlace(leg, place, settings)
  } else breakOff(machine, last, place)
  machine.out.gaps.push({ startTime: last.time, from: momentOf(last), to: momentOf(place), metres: way, isWithinTrip, reason: place.isJump ? 'jump' : 'silent' })
}

/** Heard of again where it was: it stood since it came there. */
function standThrough(machine: Machine, place: Place): void {
  if (machine.leg) comeToRest(machine, machine.leg, 'silent')
  if (machine.stop) extend(machine.stop, place, machine.settings)
}

/** Where it was last seen it stood, or it was last seen driving. */
function comeToRest(machine: Machine, leg: Segment, reason: Rest['reason']): void {
  const stands = leg.places.slice(leg.tail).some(place => isMoving(place, machine.settings) !== true)
  settle(machine, leg, { index: stands ? arrivalIn(leg, machine.settings) : leg.places.length - 1, reason })
}

/** Heard of again elsewhere, and it may have done anything meanwhile: what was under way ends where it was last seen. */
function breakOff(machine: Machine, last: Place, place: Place): void {
  const { leg, settings } = machine
  const isAtRest = isMoving(last, settings) === false || last.ignition === false
  if (leg && isAtRest && !place.isJump) comeToRest(machine, leg, 'gap')
  else if (leg) {
    const sum = measure(leg.places, settings)
    const isTrip = sum.metres + sum.gapMetres >= settings.minTrip
    if (isTrip) closePath(machine, { places: leg.places, startReason: startOf(machine, leg), endReason: place.isJump ? 'jump' : 'gap', confirmedTime: place.time })
    if (isTrip) machine.stop = null
  }
  if (machine.stop) {
    machine.stop.isOpen = false
    machine.stop.goneBy = place.time
  }
  machine.stop = null
  machine.leg = segmentFrom(place)
}

/** What is under way stays open: the next fix goes on with it. */
function finish(machine: Machine): Segments {
  const { stop, leg, out, settings } = machine
  if (leg?.left) {
    if (stop) stop.isOpen = false
    out.paths.push({ places: leg.places, startReason: startOf(machine, leg), endReason: null, confirmedTime: null })
  }
  for (const row of out.stops) row.kind = kindOf(row, settings)
  return out
}

const startOf = ({ stop }: Machine, { left }: Segment): TripStart => (stop ? left ?? 'moved' : 'afterGap')
