import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { metresBetween } from '../places/distance.ts'
import { findConflicts, type PlannedRoute } from './route-conflicts.ts'
import { addDays, daysBetween, dayOf, minuteOf, timeAt } from '../time-zone.ts'
import { orderStops } from './route-order.ts'
import { defaultRouteSettings, type RouteStop } from './route-plan.ts'
import { splitStops } from './route-split.ts'
import { dayRoutes, plannedStarts, routeSummary, routeTotals, timeDay } from './route-build.ts'
import { routeCost, timeRoute } from './route-schedule.ts'
import { deviationOf, metresToPath, thinned, trackMetres, visitOf } from './route-track.ts'

const startsAt = Date.parse('2026-11-23T05:00:00Z')
const minute = 60_000
const nairobi = { latitude: -1.2864, longitude: 36.8172 }
const point = fc.record({
  latitude: fc.double({ min: -1.5, max: -1.1, noNaN: true }),
  longitude: fc.double({ min: 36.6, max: 37.0, noNaN: true }),
})
const window = fc.option(
  fc.integer({ min: 0, max: 540 }).map((from) => ({ notBefore: startsAt + from * minute, notAfter: startsAt + (from + 60) * minute })),
  { nil: {} },
)
const stop = fc.record({
  point,
  stay: fc.integer({ min: 0, max: 7_200 }),
  lock: fc.constantFrom(null, null, null, 'first' as const, 'last' as const, 'place' as const),
  window,
})
const stopsOf = (made: { point: RouteStop['point']; stay: number; lock?: RouteStop['lock']; window: object }[]): RouteStop[] =>
  made.map(({ window: times, ...rest }, index) => ({ id: `s${index}`, ...rest, ...times }))
const free = (stops: RouteStop[]) => stops.map((one): RouteStop => ({ ...one, lock: null }))
const idsOf = (stops: readonly { id: string }[]) => stops.map(({ id }) => id)

describe('ordering the stops', () => {
  it('is never costlier than the given order and holds every stop once', () => {
    fc.assert(
      fc.property(fc.array(stop, { maxLength: 14 }), fc.option(point), fc.option(point), (made, start, end) => {
        const stops = free(stopsOf(made))
        const ordered = orderStops({ stops, startsAt, start, end })
        expect(idsOf(ordered).toSorted()).toEqual(idsOf(stops).toSorted())
        const cost = (order: RouteStop[]) => routeCost(timeRoute({ stops: order, startsAt, start, end }))
        expect(cost(ordered)).toBeLessThanOrEqual(cost(stops) + 1e-3)
      }),
      { numRuns: 300 },
    )
  })

  it('keeps locked stops in place', () => {
    fc.assert(
      fc.property(fc.array(stop, { maxLength: 12 }), fc.option(point), (made, start) => {
        const stops = stopsOf(made)
        const ordered = orderStops({ stops, startsAt, start })
        const held = stops.filter(({ lock }) => lock === 'place')
        for (const one of held) expect(ordered.indexOf(one)).toBe(stops.indexOf(one))
        const rest = ordered.filter(({ lock }) => lock !== 'place')
        const [firsts, lasts] = [rest.filter(({ lock }) => lock === 'first'), rest.filter(({ lock }) => lock === 'last')]
        expect(rest.slice(0, firsts.length)).toEqual(firsts)
        expect(rest.slice(rest.length - lasts.length)).toEqual(lasts)
      }),
      { numRuns: 300 },
    )
  })

  it('finds the round trip of a ring given crosswise', () => {
    const ring = Array.from({ length: 12 }, (_, index) => ({
      latitude: -1.3 + 0.05 * Math.sin((index * Math.PI) / 6),
      longitude: 36.8 + 0.05 * Math.cos((index * Math.PI) / 6),
    }))
    const stops = ring.map((place, index): RouteStop => ({ id: `s${index}`, point: place, stay: 0 }))
    const mixed = [0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11].map((index) => stops[index] as RouteStop)
    const side = metresBetween(ring[0] as never, ring[1] as never) * 1.3
    const { metres } = timeRoute({
      stops: orderStops({ stops: mixed, startsAt, start: ring[0], end: ring[0] }),
      startsAt,
      start: ring[0],
      end: ring[0],
    })
    expect(metres / (side * 12)).toBeCloseTo(1, 2)
  })

  it('takes a detour to be in time: a near stop with all day waits for a far one that closes soon', () => {
    const stops: RouteStop[] = [
      { id: 'near', point: { latitude: -1.29, longitude: 36.82 }, stay: 3_600 },
      { id: 'far', point: { latitude: -1.2, longitude: 36.9 }, stay: 600, notAfter: startsAt + 50 * minute },
    ]
    expect(idsOf(orderStops({ stops, startsAt, start: nairobi }))).toEqual(['far', 'near'])
  })

  it('puts stops without a place last and does not change none or one', () => {
    const nowhere: RouteStop = { id: 'x', point: null, stay: 60 }
    const somewhere: RouteStop = { id: 'y', point: nairobi, stay: 60 }
    expect(idsOf(orderStops({ stops: [nowhere, somewhere], startsAt }))).toEqual(['y', 'x'])
    expect(orderStops({ stops: [], startsAt })).toEqual([])
    expect(orderStops({ stops: [nowhere], startsAt })).toEqual([nowhere])
  })
})

describe('distributing stops', () => {
  it('gives every stop to exactly one agent, about the same work to each', () => {
    fc.assert(
      fc.property(fc.array(stop, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (made, agents) => {
        const stops = stopsOf(made)
        const pieces = splitStops(stops, agents)
        expect(pieces).toHaveLength(agents)
        expect(
          pieces
            .flat()
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(idsOf(stops).toSorted())
      }),
    )
    const two = [36.7, 36.95, 36.71, 36.96, 36.72, 36.97].map((longitude, index): RouteStop => ({
      id: `s${index}`,
      point: { latitude: -1.3, longitude },
      stay: 1_800,
    }))
    expect(
      splitStops(two, 2)
        .map((piece) => idsOf(piece).toSorted())
        .toSorted(),
    ).toEqual([
      ['s0', 's2', 's4'],
      ['s1', 's3', 's5'],
    ])
  })
  it('sorts stops by agent and day, an appointment onto its own', () => {
    const known = new Map(['a', 'b'].map((id) => [id, { id, name: id, lat: 0, lng: 0, start: startsAt, end: startsAt + minute }]))
    const stops = [
      { activityId: 'a', userId: 'u', day: '2026-11-25' },
      { activityId: 'b', userId: 'u', day: '2026-11-25', keepsTime: true },
      { activityId: 'gone', userId: 'u' },
    ]
    expect(dayRoutes(stops, known, 'Africa/Nairobi').map(({ day, stops: own }) => [day, own.map(({ activity }) => activity.id)])).toEqual([
      ['2026-11-25', ['a']],
      ['2026-11-23', ['b']],
    ])
  })
})

describe('times of a route', () => {
  it('drives, waits for a window, stays and drives back', () => {
    const [a, b] = [
      { latitude: -1.3, longitude: 36.8 },
      { latitude: -1.3, longitude: 36.9 },
    ]
    const metres = metresBetween(a, b) * 1.3
    const route = timeRoute({
      start: a,
      end: a,
      startsAt,
      stops: [{ id: 'b', point: b, stay: 1_800, notBefore: startsAt + 60 * minute, notAfter: startsAt + 70 * minute }],
    })
    expect(route.metres).toBeCloseTo(metres * 2, 3)
    const drive = metres / (30 / 3.6)
    expect(route.stops[0]).toMatchObject({ arrival: startsAt + 60 * minute, departure: startsAt + 90 * minute, late: 0 })
    expect(route.stops[0]?.wait).toBeCloseTo(3_600 - drive, 3)
    expect(route.endsAt).toBeCloseTo(startsAt + 90 * minute + drive * 1000, 0)
  })
})

const routeFrom = (stops: RouteStop[], over: Partial<PlannedRoute> = {}): PlannedRoute => {
  const timed = timeRoute({ stops, startsAt, start: nairobi })
  return {
    userId: 'u',
    day: '2026-11-23',
    start: nairobi,
    opensAt: startsAt,
    closesAt: startsAt + 24 * 60 * minute,
    endsAt: timed.endsAt,
    stops: timed.stops.map((one, index) => ({
      id: one.id,
      activityId: `a${index}`,
      point: stops[index]?.point ?? null,
      arrival: one.arrival,
      departure: one.departure,
      ...(stops[index]?.notAfter === undefined ? {} : { notAfter: stops[index].notAfter }),
    })),
    ...over,
  }
}
const kindsOf = (route: PlannedRoute, busy: Parameters<typeof findConflicts>[0]['busy'] = []) =>
  findConflicts({ routes: [route], busy }).map(({ kind }) => kind)

describe('conflicts', () => {
  it('finds none in times that were calculated by the same rules within a long day', () => {
    fc.assert(
      fc.property(fc.array(stop, { maxLength: 8 }), (made) => {
        const stops = free(stopsOf(made)).map(({ notAfter: _, notBefore: __, ...rest }): RouteStop => rest)
        expect(
          findConflicts({
            routes: [routeFrom(stops, { closesAt: startsAt + 48 * 60 * minute })],
            settings: { ...defaultRouteSettings, longestDay: 48 },
          }),
        ).toEqual([])
      }),
    )
  })

  const near: RouteStop = { id: 'near', point: { latitude: -1.29, longitude: 36.82 }, stay: 3_600 }
  const far: RouteStop = { id: 'far', point: { latitude: -1.2, longitude: 36.9 }, stay: 600 }

  it('distinguishes an appointment during another visit from one that cannot be reached', () => {
    expect(kindsOf(routeFrom([near, { ...far, notAfter: startsAt + 30 * minute }]))).toEqual(['overlap'])
    expect(kindsOf(routeFrom([near, { ...far, notAfter: startsAt + 65 * minute }]))).toEqual(['late'])
  })

  it('finds stored times that overlap or leave no time to travel', () => {
    const route = routeFrom([near, far])
    const [first, second] = route.stops
    const moved = (arrival: number) => ({ ...route, stops: [first, { ...second, arrival, departure: arrival + 600_000 }] as never })
    expect(kindsOf(moved((first?.departure ?? 0) - 10 * minute))).toEqual(['overlap'])
    expect(findConflicts({ routes: [moved((first?.departure ?? 0) + minute)] })).toMatchObject([
      { kind: 'travel', stopId: 'far', with: { activityId: 'a0' } },
    ])
  })

  it('finds stops outside working hours, too long days, unknown places and other work at that time', () => {
    expect(kindsOf(routeFrom([near], { closesAt: startsAt + 30 * minute }))).toEqual(['outside'])
    const {
      stops: [stop],
    } = routeFrom([near])
    const late = findConflicts({ routes: [routeFrom([near], { closesAt: stop!.departure, endsAt: stop!.departure + 20 * minute })] })
    expect(late).toEqual([{ kind: 'outside', minutes: 20, userId: 'u', day: expect.any(String) }])
    expect(kindsOf(routeFrom([{ ...near, stay: 10 * 3_600 }]))).toEqual(['longDay'])
    expect(kindsOf(routeFrom([{ ...near, point: null }]))).toEqual(['noPlace'])
    const busy = [{ userId: 'u', from: startsAt, to: startsAt + 20 * minute, name: 'Audit', activityId: 'other', planName: 'West' }]
    expect(findConflicts({ routes: [routeFrom([near])], busy })).toMatchObject([
      { kind: 'busy', with: { name: 'Audit', planName: 'West' } },
    ])
    expect(
      kindsOf(
        routeFrom([near]),
        busy.map((time) => ({ ...time, userId: 'somebody else' })),
      ),
    ).toEqual([])
    expect(
      kindsOf(
        routeFrom([near]),
        busy.map((time) => ({ ...time, activityId: 'a0' })),
      ),
    ).toEqual([])
  })
})

describe('days in a time zone', () => {
  it.each(['Africa/Nairobi', 'Africa/Johannesburg', 'Europe/Berlin', 'America/New_York', 'UTC'])('come and go in %s', (timeZone) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 4 * 60, max: 23 * 60 }), (days, minutes) => {
        const day = addDays('2026-01-01', days)
        const time = timeAt(day, minutes, timeZone)
        expect([dayOf(time, timeZone), minuteOf(time, timeZone)]).toEqual([day, minutes])
      }),
    )
  })
  it('knows the offset of Nairobi and counts days over a month’s end', () => {
    expect(new Date(timeAt('2026-11-23', 8 * 60, 'Africa/Nairobi')).toISOString()).toBe('2026-11-23T05:00:00.000Z')
    expect(daysBetween('2026-11-29', '2026-12-01')).toEqual(['2026-11-29', '2026-11-30', '2026-12-01'])
  })
})

describe('driven distance', () => {
  const fix = (longitude: number, over: object = {}) => ({
    latitude: -1.3,
    longitude,
    at: startsAt + longitude * 1e6,
    accuracy: 10,
    source: 'live',
    ...over,
  })
  it('adds up fresh fixes and leaves reused, vague and doubted ones out', () => {
    const way = metresBetween(fix(36.8), fix(36.81))
    expect(trackMetres([fix(36.81), fix(36.8)])).toBeCloseTo(way, 6)
    const doubtful = [{ source: 'cached' }, { accuracy: 9_999 }, { flags: ['teleport'] }].map((over) =>
      fix(36.805, { latitude: -1.4, ...over }),
    )
    expect(trackMetres([fix(36.8), ...doubtful, fix(36.81)])).toBeCloseTo(way, 6)
  })
  it('measures the deviation of a visit', () => {
    expect(deviationOf({ point: nairobi, arrival: startsAt }, { point: nairobi, at: startsAt + 12 * minute })).toEqual({
      metres: 0,
      minutes: 12,
    })
    expect(deviationOf({ point: nairobi, arrival: null }, { point: null, at: startsAt })).toEqual({ metres: null, minutes: null })
  })
  it('measures from a place to a path', () => {
    const way = [
      { latitude: 0, longitude: 0 },
      { latitude: 0, longitude: 1 },
    ]
    expect(metresToPath({ latitude: 0.01, longitude: 0.5 }, way)).toBeCloseTo(1_111.9, 0)
    expect(metresToPath({ latitude: 0, longitude: 1.01 }, way)).toBeCloseTo(1_111.9, 0)
    expect(metresToPath(nairobi, [])).toBe(Infinity)
  })
})

describe('a visit', () => {
  const [at, minute] = [Date.parse('2026-11-20T08:00:00Z'), 60_000]
  const fix = (after: number, longitude: number) => ({ at: at + after * minute, latitude: -1.3, longitude })
  const way = [fix(-20, 36.7), fix(-3, 36.8), fix(2, 36.9)]
  const report = { startedAt: at, endedAt: at + 30 * minute, point: null }

  it('was where the report was made, else where the agent was within ten minutes', () => {
    const point = { latitude: -1.2, longitude: 36.5 }
    expect(visitOf({ meaning: 'done', changedAt: null }, { ...report, point }, way)).toEqual({ at, point })
    expect(visitOf({ meaning: 'done', changedAt: null }, report, way)).toEqual({ at, point: way[2] })
    expect(visitOf({ meaning: 'done', changedAt: null }, report, way.slice(0, 1))).toEqual({ at, point: null })
  })
  it('began with the first report, else with its end, else with the status', () => {
    expect(visitOf({ meaning: 'done', changedAt: at + 1 }, { ...report, startedAt: null }, [])?.at).toBe(at + 30 * minute)
    expect(visitOf({ meaning: 'started', changedAt: at + 1 }, undefined, [])?.at).toBe(at + 1)
  })
  it.each(['open', 'missed', 'cancelled'])('is none while the part is %s', (meaning) =>
    expect(visitOf({ meaning, changedAt: at }, report, way)).toBeNull(),
  )
  it('keeps both ends of a path that is thinned', () => {
    const path = Array.from({ length: 1_001 }, (_, index) => index)
    const thin = thinned(path, 100)
    expect([thin[0], thin.at(-1), thin.length]).toEqual([0, 1_000, 92])
    expect(thinned([1, 2, 3], 100)).toEqual([1, 2, 3])
  })
})

describe('what calls answer of a day', () => {
  const start = Date.parse('2026-11-20T06:00:00Z')
  const visit = (id: string, lat: number) => ({ id, name: id, lat, lng: 36.8, start, end: start + 1_800_000 })
  const activities = new Map([visit('first', -1.3), visit('second', -1.31)].map((one) => [one.id, one]))
  const settings = { ...defaultRouteSettings, dayStart: 480, dayEnd: 1_020, returnsToStart: false }
  const stops = [
    { activityId: 'first', userId: 'u', day: '2026-11-20' },
    { activityId: 'second', userId: 'u', day: '2026-11-20', keepsTime: true },
  ]
  const days = dayRoutes(stops, activities, 'Africa/Nairobi').map((route) => timeDay(settings, route, 'Africa/Nairobi'))

  it('has whole metres and minutes, and names its stops', () => {
    const [day] = days.map(routeSummary)
    expect(day?.stops.map(({ name }) => name)).toEqual(['first', 'second'])
    expect([day?.metres, day?.travelMinutes].every(Number.isInteger)).toBe(true)
    expect(routeTotals(days)).toEqual({ metres: day?.metres, travelMinutes: day?.travelMinutes })
  })
  it('moves what does not keep its time', () => {
    expect([...plannedStarts(days).keys()]).toEqual(['first'])
  })
})
