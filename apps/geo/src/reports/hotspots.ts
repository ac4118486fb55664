import { sum } from 'es-toolkit/math/sum'
import { meanBy } from 'es-toolkit/math/meanBy'
import { minBy } from 'es-toolkit/array/minBy'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { metresBetween, type Point } from '@outpost/rules/places/distance'
import { dayOf, timeAt } from '@outpost/rules/time-zone'
import type { GeoCtx } from '../api/types.ts'
import { ofSubjects, overlapping, type ReportParameters } from './parameters.ts'
import { clustersOf } from './parts/cluster.ts'
import { coordinates, dateTime, duration, number, percent, text, type GeoReport, type Row } from './report.ts'

/** Metres between stops of one place. */
const radius = 75
const maxStays = 200_000
const hour = 3_600_000

/** A stop, cut to the window; epoch milliseconds. */
export interface Stay {
  deviceId: string
  /** When it began, before it was cut. */
  began: Date
  latitude: number
  longitude: number
  start: number
  end: number
}

/** Places where the selected devices stopped at least twice, the most visited first. */
export const hotspots: GeoReport = {
  columns: [
    text('place', 'Place'),
    ...coordinates(),
    number('visits', 'Visits'),
    number('devices', 'Devices'),
    duration('total', 'Time there'),
    duration('median', 'Usual stay'),
    duration('longest', 'Longest stay'),
    dateTime('firstVisit', 'First visit'),
    dateTime('lastVisit', 'Last visit'),
    percent('nights', 'Share of nights'),
  ],
  places: { place: ['latitude', 'longitude'] },
  async *rows(ctx, asked) {
    const stays = await staysOf(ctx, asked)
    const nights = nightsOf(asked)
    const spots = clustersOf(stays, radius).map((members) =>
      spotOf(
        members.map((index) => stays[index]!),
        nights,
      ),
    )
    yield* spots.toSorted((a, b) => Number(b.visits) - Number(a.visits) || Number(b.total) - Number(a.total))
  },
}

/** The stops that a place counts as its visits: those of the hotspot whose middle is nearest to it. */
export async function visitsOf(ctx: GeoCtx, asked: ReportParameters, place: Point): Promise<Stay[]> {
  const stays = await staysOf(ctx, asked)
  const spots = clustersOf(stays, radius).map((members) => members.map((index) => stays[index]!))
  const nearest = minBy(spots, (spot) => metresBetween(middleOf(spot), place))
  return nearest !== undefined && metresBetween(middleOf(nearest), place) <= radius ? nearest : []
}

/** The middle of some places. Across the date line the plain mean would be on the other side of the world. */
function middleOf(stays: readonly Point[]): Point {
  const east = stays[0]!.longitude
  const turned = meanBy(stays, ({ longitude }) => ((longitude - east + 540) % 360) - 180) + east
  const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  return { latitude: rounded(meanBy(stays, ({ latitude }) => latitude)), longitude: rounded(((turned + 540) % 360) - 180) }
}

/** The totals of one place's stops; a night counts when a device was there in the middle of it. */
export function spotOf(stays: readonly Stay[], nights: readonly number[]): Row {
  const seconds = stays.map(({ start, end }) => Math.round((end - start) / 1_000)).toSorted((a, b) => a - b)
  const spent = nights.filter((night) => stays.some(({ start, end }) => start <= night && end > night)).length
  return {
    ...middleOf(stays),
    visits: stays.length,
    devices: new Set(stays.map(({ deviceId }) => deviceId)).size,
    total: sum(seconds),
    median: seconds[Math.floor(seconds.length / 2)],
    longest: seconds.at(-1),
    firstVisit: new Date(Math.min(...stays.map(({ start }) => start))),
    lastVisit: new Date(Math.max(...stays.map(({ start }) => start))),
    nights: nights.length === 0 ? 0 : spent / nights.length,
  }
}

/** 3 a.m. of each day of the window that has passed. */
function nightsOf({ from, until, now, timeZone }: ReportParameters): number[] {
  const nights: number[] = []
  for (let noon = from.getTime() + 12 * hour; noon < until.getTime(); noon += 24 * hour) {
    const night = timeAt(dayOf(noon, timeZone), 180, timeZone)
    if (night <= now.getTime()) nights.push(night)
  }
  return nights
}

async function staysOf({ sql: reader }: GeoCtx, asked: ReportParameters): Promise<Stay[]> {
  const epoch = sql`* 1000`
  const rows = await reader.query<Stay>(sql`
    select t."deviceId", t."startTime" as "began", t."latitude", t."longitude", (extract(epoch from greatest(t."startTime", ${asked.from}::timestamptz)) ${epoch})::float8 as "start",
      (extract(epoch from least(coalesce(t."endTime", now()), ${asked.until}::timestamptz)) ${epoch})::float8 as "end"
    from geo.stop t where ${ofSubjects(asked)} and ${overlapping(asked)} limit ${maxStays + 1}`)
  if (rows.length > maxStays)
    return fail('INVALID', { fields: [{ field: 'to', message: `There are more than ${maxStays} stops: ask for fewer days or devices` }] })
  return rows
}
