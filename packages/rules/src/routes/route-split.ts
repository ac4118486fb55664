import { metresBetween } from '../places/distance.ts'
import { orderStops } from './route-order.ts'
import type { RouteStop } from './route-plan.ts'

/**
 * Distributes stops among agents: one short round trip over all stops is split into parts that are close together and take about the
 * same time. Stops without a location are in the last part. Every stop is in exactly one part.
 */
export function splitStops(stops: readonly RouteStop[], agents: number): RouteStop[][] {
  const round = orderStops({ stops: stops.map((stop): RouteStop => ({ id: stop.id, point: stop.point, stay: stop.stay })), startsAt: 0 })
  const known = new Map(stops.map((stop) => [stop.id, stop]))
  const hours = round.map(({ stay, point }, index) => {
    const before = round[index - 1]?.point
    return stay + (point && before ? (metresBetween(before, point) * 1.3) / (30 / 3.6) : 0) + 1
  })
  const total = hours.reduce((sum, seconds) => sum + seconds, 0)
  const pieces = Array.from({ length: Math.max(1, agents) }, (): RouteStop[] => [])
  let sum = 0
  for (const [index, { id }] of round.entries()) {
    const middle = sum + (hours[index] as number) / 2
    pieces[Math.min(pieces.length - 1, Math.floor((middle / total) * pieces.length))]?.push(known.get(id) as RouteStop)
    sum += hours[index] as number
  }
  return pieces
}
