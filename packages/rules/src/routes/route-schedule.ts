import { defaultRouteSettings, roadMetres, travelSeconds, type RouteInput } from './route-plan.ts'

/** A stop with its times. `metres` and `travel` (seconds) are those from the previous place. */
export interface TimedStop {
  id: string
  arrival: number
  departure: number
  metres: number
  travel: number
  /** Seconds of waiting until the stop's time window opens. */
  wait: number
  /** Seconds after the window had closed; 0 when in time. */
  late: number
}

export interface TimedRoute {
  stops: TimedStop[]
  /** Includes the way back. */
  metres: number
  travel: number
  /** The end of the last stop, or of the way back. */
  endsAt: number
}

/** Times the stops in their order: arrival and departure of each. A stop without a location takes time but no distance. */
export function timeRoute({ stops, startsAt, start, end, settings = defaultRouteSettings }: RouteInput): TimedRoute {
  let at = start ?? null
  let now = startsAt
  let [metres, travel] = [0, 0]
  const timed = stops.map((stop): TimedStop => {
    const way = roadMetres(at, stop.point, settings)
    const seconds = travelSeconds(way, settings)
    const reached = now + seconds * 1000
    const arrival = Math.max(reached, stop.notBefore ?? reached)
    const departure = arrival + stop.stay * 1000
    const late = stop.notAfter === undefined ? 0 : Math.max(0, (arrival - stop.notAfter) / 1000)
    metres += way
    travel += seconds
    now = departure
    at = stop.point ?? at
    return { id: stop.id, arrival, departure, metres: way, travel: seconds, wait: (arrival - reached) / 1000, late }
  })
  const back = roadMetres(at, end, settings)
  const backSeconds = travelSeconds(back, settings)
  return { stops: timed, metres: metres + back, travel: travel + backSeconds, endsAt: now + backSeconds * 1000 }
}

/** The cost of an order: metres driven, plus a kilometre for each minute of lateness. */
export function routeCost(route: TimedRoute): number {
  const late = route.stops.reduce((sum, stop) => sum + stop.late, 0)
  return route.metres + (late / 60) * 1000
}
