import { join, named, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { splitAttributes, knownColumns } from '../../positions/attributes.ts'
import type { Row, Summary } from './summary.ts'

/** A Postgres array literal of numbers, booleans or uuids: none of them needs quoting, which is slow. */
export const list = (values: readonly (string | number | boolean | null)[]) => `{${values.map((value) => value ?? 'null').join()}}`

const knownList = trusted(knownColumns.map(({ name }) => `, "${name}"`).join(''))
const nullKnown = trusted(knownColumns.map(() => ', null').join(''))

/**
 * Inserts positions. A time that is stored already is merged with the new message, whichever came first: of two places the better one
 * stays (present, valid, then the greater, so that the order of arrival decides nothing). Each time once per call. Returns one row
 * {fresh, outdated}: how many times were new, and which devices (id and generation) have changed since their lookup. Nothing is written
 * for those; because this statement itself checks, no change of a device can come between.
 */
export function insertPositions(rows: readonly Row[]): Statement {
  const c = (pick: (row: Row) => string | number | boolean | null) => list(rows.map(pick))
  const cut = splitAttributes(rows.map(({ fix }) => fix.attributes))
  const knownArrays = join(knownColumns.map(({ type }, at) => sql`${cut.known[at]}::${trusted(type)}[]`))
  return named(
    'geo positions',
    sql`
    with told as materialized (select t.*, d."id" is not null as "isCurrent"
    from unnest(${c((r) => r.device.companyId)}::uuid[], ${c((r) => r.device.deviceId)}::uuid[], ${c((r) => r.device.generation)}::int[], ${c((r) => r.fix.fixTime)}::float8[],
      ${c(({ fix }) => (fix.deviceTime === fix.fixTime ? null : fix.deviceTime))}::float8[], ${c((r) => r.fix.latitude)}::float8[], ${c((r) => r.fix.longitude)}::float8[],
      ${c((r) => r.fix.altitude)}::real[], ${c((r) => r.fix.speed)}::real[], ${c((r) => r.fix.course)}::real[], ${c((r) => r.fix.accuracy)}::real[],
      ${c((r) => r.fix.isValid)}::bool[], ${cut.more}::jsonb[], ${knownArrays}) t(c, d, g, f, dt, lat, lon, alt, speed, course, acc, ok, more${knownList})
    left join geo.device d on d."companyId" = t.c and d."id" = t.d and d."generation" = t.g and d."deletedAt" is null and not d."disabled"),
    stored as (insert into geo.position ("companyId", "deviceId", "fixTime", "deviceTime", "latitude", "longitude", "altitude", "speed", "course", "accuracy", "isValid", "more"${knownList})
    select t.c, t.d, to_timestamp(t.f / 1000.0), to_timestamp(t.dt / 1000.0), t.lat, t.lon, t.alt, t.speed, t.course, t.acc, t.ok, t.more${knownList}
    from told t where t."isCurrent" order by 1, 2, 3
    on conflict ("deviceId", "fixTime") do update set
      ("latitude", "longitude", "altitude", "speed", "course", "accuracy", "isValid") = (
        select v.* from (values
          (position."latitude", position."longitude", position."altitude", position."speed", position."course", position."accuracy", position."isValid"),
          (excluded."latitude", excluded."longitude", excluded."altitude", excluded."speed", excluded."course", excluded."accuracy", excluded."isValid")
        ) v(lat, lon, alt, speed, course, acc, ok)
        order by v.lat is not null desc, v.ok desc, v.lat desc, v.lon desc, v.speed desc nulls last, v.course desc nulls last, v.alt desc nulls last, v.acc desc nulls last limit 1),
      "deviceTime" = greatest(position."deviceTime", excluded."deviceTime"),
      -- Merged rows are rare, and their attributes are stored in one column.
      ("more"${knownList}) = row (geo.merge_attributes(position."attributes", excluded."attributes")${nullKnown})
    where position."companyId" = excluded."companyId" and not (position."attributes" @> excluded."attributes" and coalesce(position."deviceTime" >= excluded."deviceTime", excluded."deviceTime" is null)
      and ((excluded."latitude" is null and position."latitude" is not null) or (position."latitude", position."longitude", position."altitude", position."speed", position."course", position."accuracy", position."isValid")
        is not distinct from (excluded."latitude", excluded."longitude", excluded."altitude", excluded."speed", excluded."course", excluded."accuracy", excluded."isValid")))
    returning old."deviceId" is null as "isFresh")
    select count(*) filter (where "isFresh")::int as "fresh", (select array_agg(distinct t.d || ' ' || t.g) from told t where not t."isCurrent") as "outdated" from stored`,
  )
}

/** Marks the time range of a device as dirty, to be processed again. */
export function upsertDirty(summaries: readonly Summary[]): Statement {
  const c = (pick: (one: Summary) => string | number) => list(summaries.map(pick))
  return named(
    'geo dirty',
    sql`
    insert into geo.dirty ("companyId", "deviceId", "since", "until")
    select t.c, t.d, to_timestamp(t.since / 1000.0), to_timestamp(t.until / 1000.0)
    from unnest(${c((s) => s.device.companyId)}::uuid[], ${c((s) => s.device.deviceId)}::uuid[], ${c((s) => s.since)}::float8[], ${c((s) => s.until)}::float8[]) t(c, d, since, until)
    on conflict ("companyId", "deviceId") do update set
      "since" = least(dirty."since", excluded."since"), "until" = greatest(dirty."until", excluded."until"), "version" = dirty."version" + 1`,
  )
}
