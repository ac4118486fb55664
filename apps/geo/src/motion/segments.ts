import { impliedSpeed, metres, momentOf, type Place } from './point.ts'
import { addPlace, arrivalIn, segmentFrom, restOf, type Segment, type RestPoint } from './segment.ts'
import type { Gap, Stop, TripEnd, TripStart } from './rows.ts'
import { extend, isWithinStop, kindOf, placeOf, stopAt } from './stop.ts'
import type { MotionSettings } from './settings.ts'
import { isGap, isMoving, measure } from './path.ts'

/** A trip before its totals: the places from the last fix of one stop to the first of the next. */
export interface TripPath {
  places: Place[]
  startReason: TripStart
  endReason: TripEnd | null
  confirmedTime: number | null
}
export interface Segments {
  paths: TripPath[]
  stops: Stop[]
  gaps: Gap[]
}

interface Machine {
  settings: MotionSettings
  stop: Stop | null
  leg: Segment | null
  out: Segments
}

/**
 * Splits the places of a device (ordered, see placesOf) into stops, trips and gaps. `from`: a stop to continue from; the places must be
 * those after its end. A stop begins with the first fix at rest and ends with the last one, whenever it became certain.
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
  else if (isGap(last, place, settings)) bridgeGap(machine, last, place)
  else if (stop && !leg?.left && isWithinStop(stop, place, settings)) {
    // It returned before the departure was certain, so it never left.
    machine.leg = null
    extend(stop, place, settings)
  } else continuePath(machine, last, place)
}

function continuePath(machine: Machine, last: Place, place: Place): void {
  const leg = (machine.leg ??= segmentFrom(last))
  addPlace(leg, place, machine.settings)
  const rest = restOf(leg, machine.settings)
  if (rest) endPath(machine, leg, rest)
}

/** The vehicle has stopped: the path before is a trip, or too short to be one. */
function endPath(machine: Machine, leg: Segment, { index, reason }: RestPoint): void {
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

/** Nothing is known between two places; together they decide. */
function bridgeGap(machine: Machine, last: Place, place: Place): void {
  const { settings } = machine
  const [way, speed, ms] = [metres(last, place), impliedSpeed(last, place), place.time - last.time]
  if (way < settings.gapStill) return stayThroughGap(machine, place)
  const isWithinTrip = !place.isJump && ms <= settings.gapLongest && speed >= settings.gapSpeed
  if (isWithinTrip) {
    const leg = (machine.leg ??= segmentFrom(last))
    leg.tail = leg.places.length
    addPlace(leg, place, settings)
  } else breakAtGap(machine, last, place)
  machine.out.gaps.push({
    startTime: last.time,
    from: momentOf(last),
    to: momentOf(place),
    metres: way,
    isWithinTrip,
    reason: place.isJump ? 'jump' : 'silent',
  })
}

/** It reappeared where it was: it has been stationary since it arrived there. */
function stayThroughGap(machine: Machine, place: Place): void {
  if (machine.leg) endAtLastRest(machine, machine.leg, 'silent')
  if (machine.stop) extend(machine.stop, place, machine.settings)
}

/** It was stationary at the last place before the silence, or was driving there. */
function endAtLastRest(machine: Machine, leg: Segment, reason: RestPoint['reason']): void {
  const stands = leg.places.slice(leg.tail).some((place) => isMoving(place, machine.settings) !== true)
  endPath(machine, leg, { index: stands ? arrivalIn(leg, machine.settings) : leg.places.length - 1, reason })
}

/** It reappeared elsewhere and may have done anything in between: what was in progress ends at the last place before the silence. */
function breakAtGap(machine: Machine, last: Place, place: Place): void {
  const { leg, settings } = machine
  const isAtRest = isMoving(last, settings) === false || last.ignition === false
  if (leg && isAtRest && !place.isJump) endAtLastRest(machine, leg, 'gap')
  else if (leg) {
    const sum = measure(leg.places, settings)
    const isTrip = sum.metres + sum.gapMetres >= settings.minTrip
    if (isTrip)
      closePath(machine, {
        places: leg.places,
        startReason: startOf(machine, leg),
        endReason: place.isJump ? 'jump' : 'gap',
        confirmedTime: place.time,
      })
    if (isTrip) machine.stop = null
  }
  if (machine.stop) {
    machine.stop.isOpen = false
    machine.stop.goneBy = place.time
  }
  machine.stop = null
  machine.leg = segmentFrom(place)
}

/** What is in progress stays open: the next fix continues it. */
function finish(machine: Machine): Segments {
  const { stop, leg, out, settings } = machine
  if (leg?.left) {
    if (stop) stop.isOpen = false
    out.paths.push({ places: leg.places, startReason: startOf(machine, leg), endReason: null, confirmedTime: null })
  }
  for (const row of out.stops) row.kind = kindOf(row, settings)
  return out
}

const startOf = ({ stop }: Machine, { left }: Segment): TripStart => (stop ? (left ?? 'moved') : 'afterGap')
