import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { metresBetween } from '@outpost/rules/places/distance'
import type { MotionFacts } from './interlock.ts'

interface Row {
  fixTime: Date
  latitude: number
  longitude: number
  isValid: boolean
  isExact: boolean
  speed: number | null
  fastest: number | null
  count: number
  previous: { latitude: number; longitude: number; speed: number | null } | null
}

/** Reads how a device moves. `now` comes from the caller, because tests pin the clock and fix times are compared with it. */
export async function motionFacts(
  db: Pick<Sql, 'maybe'>,
  { companyId, deviceId }: { companyId: string; deviceId: string },
  now: number,
): Promise<MotionFacts> {
  const own = sql`p."companyId" = l."companyId" and p."deviceId" = l."deviceId" and p."isValid" and p."latitude" is not null`
  const row = await db.maybe<Row>(sql`
    select l."fixTime", l."latitude", l."longitude", l."isValid", l."attributes" -> 'approximate' is distinct from 'true'::jsonb as "isExact", l."speed", m."fastest", m."count", b."previous"
    from geo.latest l
    cross join lateral (select max(p."speed") as "fastest", count(*)::int as "count" from geo.position p where ${own} and p."fixTime" between l."fixTime" - interval '1 minute' and l."fixTime") m
    left join lateral (select jsonb_build_object('latitude', p."latitude", 'longitude', p."longitude", 'speed', p."speed") as "previous" from geo.position p
      where ${own} and m."count" < 2 and p."fixTime" < l."fixTime" - interval '1 minute' order by p."fixTime" desc limit 1) b on true
    where l."companyId" = ${companyId} and l."deviceId" = ${deviceId} and l."fixTime" is not null and l."latitude" is not null`)
  if (!row) return { now, last: null, fastestOfMinute: null, before: null }
  const { fixTime, isValid, isExact, speed, fastest, previous } = row
  return {
    now,
    last: { fixTime: fixTime.getTime(), isValid, isExact, speed },
    fastestOfMinute: fastest,
    before: previous && { speed: previous.speed, metres: metresBetween(previous, row) },
  }
}
