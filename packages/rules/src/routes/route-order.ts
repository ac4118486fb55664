import type { Point } from '../places/distance.ts'
import { defaultRouteSettings, roadMetres, travelSeconds, type RouteInput, type RouteSettings, type RouteStop } from './route-plan.ts'
import { routeCost, timeRoute } from './route-schedule.ts'

const better = 1e-6
/** Orders whose lateness is computed in one search. A day that needs more is hopelessly late, and the best order so far is used. */
const maxWalks = 60_000

/**
 * Orders the stops for a shorter route: starts from the nearest-neighbour order and from the given one, then 2-opt, swaps and moves of
 * up to three stops (Or-opt) until none helps. Locked stops keep their place; stops without a location come last. Never costlier
 * (routeCost) than the given order with its locks. Source: Croes 1958 (2-opt), Or 1976.
 */
export function orderStops(input: RouteInput): RouteStop[] {
  const slots = lockedSlots(input.stops)
  const tour = createTour(input, slots)
  const inOrder = (order: readonly number[]) => order.map((index) => slots.stops[index] as RouteStop)
  const orders = [
    improve(tour, nearestFirst(tour)),
    improve(
      tour,
      slots.stops.map((_, index) => index),
    ),
  ].map(inOrder)
  const cost = (stops: readonly RouteStop[]) => routeCost(timeRoute({ ...input, stops }))
  return orders.reduce((best, order) => (cost(order) < cost(best) - better ? order : best), slots.stops)
}

interface Slots {
  stops: RouteStop[]
  isFixed: boolean[]
}

/**
 * Stops locked first come first, those locked last come last, stops without a location before these; a stop locked to its place keeps
 * its number.
 */
function lockedSlots(given: readonly RouteStop[]): Slots {
  const rank = (stop: RouteStop) => (stop.lock === 'first' ? 0 : stop.lock === 'last' ? 3 : stop.point ? 1 : 2)
  const held = new Map(given.flatMap((stop, index) => (stop.lock === 'place' ? [[index, stop] as const] : [])))
  const free = given.filter((stop) => stop.lock !== 'place').toSorted((a, b) => rank(a) - rank(b))
  const stops = given.map((_, index) => held.get(index) ?? (free.shift() as RouteStop))
  return { stops, isFixed: stops.map((stop) => Boolean(stop.lock) || !stop.point) }
}

/** The data of one ordering. Numbers represent stops; n is the start, n + 1 the end. */
interface Tour {
  n: number
  isFixed: readonly boolean[]
  /** Metres between two stops. */
  way(from: number, to: number): number
  metres(order: readonly number[]): number
  /** The lateness of all stops in metres, priced as in routeCost; the partial sum once it exceeds `most`. */
  late(order: ArrayLike<number>, most?: number): number
}

function createTour({ start, end, startsAt, settings = defaultRouteSettings }: RouteInput, { stops, isFixed }: Slots): Tour {
  const n = stops.length
  const ways = waysBetween([...pointsOf(stops, start), start ?? null, end ?? null], settings)
  const way = (from: number, to: number) => ways[from * (n + 2) + to] as number
  const metres = (order: readonly number[]) =>
    order.reduce((sum, index, place) => sum + way(order[place - 1] ?? n, index), 0) + way(order.at(-1) ?? n, n + 1)
  return { n, isFixed, way, metres, late: latenessOf(stops, startsAt, { ways, msPerMetre: travelSeconds(1000, settings) }) }
}

/** Plain numbers instead of stops: this sum is computed some hundred thousand times. */
function latenessOf(
  stops: readonly RouteStop[],
  startsAt: number,
  { ways, msPerMetre }: { ways: Float64Array; msPerMetre: number },
): Tour['late'] {
  const n = stops.length
  if (stops.every(({ notAfter }) => notAfter === undefined)) return () => 0
  const [stay, opens, closes] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)]
  stops.forEach((stop, index) => {
    stay[index] = stop.stay * 1000
    opens[index] = stop.notBefore ?? 0
    closes[index] = stop.notAfter ?? Infinity
  })
  return (order, most = Infinity) => {
    let [now, from, sum] = [startsAt, n, 0]
    for (let place = 0; place < n && sum / 60 <= most; place += 1) {
      const index = order[place] as number
      now = Math.max(now + (ways[from * (n + 2) + index] as number) * msPerMetre, opens[index] as number)
      sum += Math.max(0, now - (closes[index] as number))
      now += stay[index] as number
      from = index
    }
    return sum / 60
  }
}

/** A stop without a location counts as being at the previous one: it is fixed, so this only affects the cost of its neighbours. */
function pointsOf(stops: readonly RouteStop[], start: Point | null | undefined): (Point | null)[] {
  let last = start ?? stops.find(({ point }) => point)?.point ?? null
  return stops.map(({ point }) => (last = point ?? last))
}

function waysBetween(points: readonly (Point | null)[], settings: RouteSettings): Float64Array {
  const size = points.length
  const ways = new Float64Array(size * size)
  for (let from = 0; from < size; from += 1) {
    for (let to = from + 1; to < size; to += 1)
      ways[from * size + to] = ways[to * size + from] = roadMetres(points[from], points[to], settings)
  }
  return ways
}

/** Fills the free places one after the other with the nearest remaining stop. */
function nearestFirst({ n, isFixed, way }: Tour): number[] {
  const left = new Set(Array.from({ length: n }, (_, index) => index).filter((index) => !isFixed[index]))
  let from = n
  return Array.from({ length: n }, (_, place) => {
    if (isFixed[place]) return (from = place)
    let nearest = -1
    for (const index of left) if (nearest < 0 || way(from, index) < way(from, nearest)) nearest = index
    left.delete(nearest)
    return (from = nearest)
  })
}

interface Search {
  tour: Tour
  order: number[]
  metres: number
  late: number
  walks: number
  runs: [from: number, to: number][]
}

/** Repeats the three kinds of change until none helps; each pass is quadratic, and passes are few. */
function improve(tour: Tour, order: number[]): number[] {
  const search: Search = { tour, order, metres: tour.metres(order), late: tour.late(order), walks: 0, runs: freeRuns(tour) }
  for (let pass = 0; pass < 60; pass += 1) {
    const before = search.metres + search.late
    reverseParts(search)
    moveParts(search)
    swapStops(search)
    if (search.metres + search.late >= before - better) break
  }
  return search.order
}

/** Places between locked ones, as [first, last]. */
function freeRuns({ n, isFixed }: Tour): [number, number][] {
  const runs: [number, number][] = []
  for (let place = 0; place < n; place += 1) {
    if (isFixed[place]) continue
    const last = runs.at(-1)
    if (last && last[1] === place - 1) last[1] = place
    else runs.push([place, place])
  }
  return runs
}

const at = ({ tour: { n }, order }: Search, place: number) => (place < 0 ? n : place >= n ? n + 1 : (order[place] as number))

/**
 * Accepts a change that shortens the route by `gain` metres when the total cost falls. A change that lengthens it by more than all
 * present lateness cannot help and is skipped.
 */
function attempt(search: Search, gain: number, change: () => number[]): void {
  if (gain + search.late <= better || search.walks >= maxWalks) return
  if (search.late > 0) search.walks += 1
  const order = change()
  const late = search.tour.late(order, gain + search.late)
  if (gain + search.late - late <= better) return
  Object.assign(search, { order, late, metres: search.metres - gain })
}

/** 2-opt inside each run of free places. */
function reverseParts(search: Search): void {
  const { way } = search.tour
  for (const [from, to] of search.runs) {
    for (let i = from; i < to; i += 1) {
      for (let j = i + 1; j <= to; j += 1) {
        const [before, first, last, after] = [at(search, i - 1), at(search, i), at(search, j), at(search, j + 1)]
        const gain = way(before, first) + way(last, after) - way(before, last) - way(first, after)
        attempt(search, gain, () => [...search.order.slice(0, i), ...search.order.slice(i, j + 1).reverse(), ...search.order.slice(j + 1)])
      }
    }
  }
}

/** Or-opt: moves one to three neighbours elsewhere in their run. */
function moveParts(search: Search): void {
  for (const [from, to] of search.runs) {
    for (let length = 1; length <= Math.min(3, to - from); length += 1) {
      for (let i = from; i + length - 1 <= to; i += 1) movePart(search, { i, length, from, to })
    }
  }
}

function movePart(search: Search, { i, length, from, to }: { i: number; length: number; from: number; to: number }): void {
  const { way } = search.tour
  const j = i + length - 1
  for (let place = from - 1; place <= to; place += 1) {
    if (place >= i - 1 && place <= j) continue
    const [before, first, last, after, left, right] = [
      at(search, i - 1),
      at(search, i),
      at(search, j),
      at(search, j + 1),
      at(search, place),
      at(search, place + 1),
    ]
    const gain = way(before, first) + way(last, after) + way(left, right) - way(before, after) - way(left, first) - way(last, right)
    attempt(search, gain, () => {
      const part = search.order.slice(i, j + 1)
      const rest = [...search.order.slice(0, i), ...search.order.slice(j + 1)]
      rest.splice(place < i ? place + 1 : place + 1 - length, 0, ...part)
      return rest
    })
  }
}

/** Swaps two free stops, also across a locked one. */
function swapStops(search: Search): void {
  const free = search.runs.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  for (const [number, i] of free.entries()) {
    for (const j of free.slice(number + 1)) {
      attempt(search, swapGain(search, i, j), () => search.order.with(i, search.order[j] as number).with(j, search.order[i] as number))
    }
  }
}

function swapGain(search: Search, i: number, j: number): number {
  const { way } = search.tour
  const [a, b] = [at(search, i), at(search, j)]
  const [beforeA, afterA, beforeB, afterB] = [at(search, i - 1), at(search, i + 1), at(search, j - 1), at(search, j + 1)]
  if (j === i + 1) return way(beforeA, a) + way(b, afterB) - way(beforeA, b) - way(a, afterB)
  return (
    way(beforeA, a) +
    way(a, afterA) +
    way(beforeB, b) +
    way(b, afterB) -
    way(beforeA, b) -
    way(b, afterA) -
    way(beforeB, a) -
    way(a, afterB)
  )
}
