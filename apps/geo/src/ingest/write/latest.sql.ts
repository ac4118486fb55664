import { named, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Summary } from './summary.ts'
import { list } from './write.sql.ts'

const place = ['fixTime', 'deviceTime', 'latitude', 'longitude', 'altitude', 'speed', 'course', 'accuracy', 'isValid', 'attributes']
const columns = trusted(place.map((name) => `"${name}"`).join(', '))
/**
 * Only a newer place replaces the stored one. Values are merged, the newer ones on top; a state over 16,000 bytes is replaced, so that
 * it cannot grow without limit.
 */
const mergeNewest = trusted(`on conflict ("companyId", "deviceId") do update set
  ${place.map((name) => `"${name}" = case when latest."fixTime" is null or excluded."fixTime" >= latest."fixTime" then excluded."${name}" else latest."${name}" end`).join(', ')},
  "state" = case when pg_column_size(latest."state") > 16000 then excluded."state"
    when latest."stateTime" > excluded."stateTime" then excluded."state" || latest."state" else latest."state" || excluded."state" end,
  "stateTime" = greatest(latest."stateTime", excluded."stateTime"), "serverTime" = now(), "seq" = nextval('geo.latest_seq')`)

/** Updates a device's one row for the live map, from a batch whose times are all new: the sent values are stored. */
export function upsertLatest(summaries: readonly Summary[]): Statement {
  const c = (pick: (one: Summary) => string | number | boolean | null) => list(summaries.map(pick))
  return named(
    'geo latest',
    sql`
    insert into geo.latest ("companyId", "deviceId", ${columns}, "state", "stateTime")
    select t.c, t.d, to_timestamp(t.f / 1000.0), to_timestamp(t.dt / 1000.0), t.lat, t.lon, t.alt, t.speed, t.course, t.acc, t.ok, t.attributes, t.state, to_timestamp(t.st / 1000.0)
    from unnest(${c((s) => s.device.companyId)}::uuid[], ${c((s) => s.device.deviceId)}::uuid[], ${c(({ newest }) => newest && newest.fixTime)}::float8[], ${c(({ newest }) => newest && newest.deviceTime)}::float8[],
      ${c(({ newest }) => newest && newest.latitude)}::float8[], ${c(({ newest }) => newest && newest.longitude)}::float8[], ${c(({ newest }) => newest && newest.altitude)}::real[],
      ${c(({ newest }) => newest && newest.speed)}::real[], ${c(({ newest }) => newest && newest.course)}::real[], ${c(({ newest }) => newest && newest.accuracy)}::real[],
      ${c(({ newest }) => newest?.isValid ?? false)}::bool[], ${summaries.map(({ newest }) => JSON.stringify(newest?.attributes ?? {}))}::jsonb[], ${summaries.map(({ state }) => JSON.stringify(state))}::jsonb[],
      ${c((s) => s.stateTime)}::float8[]) with ordinality t(c, d, f, dt, lat, lon, alt, speed, course, acc, ok, attributes, state, st, n)
    order by t.n ${mergeNewest}`,
  )
}

/**
 * The same for a batch with times that are stored already: reads the row after insertPositions, so that messages of one time are merged
 * here too, also when the later one has no place.
 */
export function reviseLatest(summaries: readonly Summary[]): Statement {
  const c = (pick: (one: Summary) => string | number | null) => list(summaries.map(pick))
  return named(
    'geo latest revised',
    sql`
    insert into geo.latest ("companyId", "deviceId", ${columns}, "state", "stateTime")
    select t.c, t.d, p."fixTime", coalesce(p."deviceTime", p."fixTime"), p."latitude", p."longitude", p."altitude", p."speed", p."course", p."accuracy", coalesce(p."isValid", false), coalesce(p."attributes", '{}'),
      t.state, to_timestamp(t.st / 1000.0)
    from unnest(${c((s) => s.device.companyId)}::uuid[], ${c((s) => s.device.deviceId)}::uuid[], ${c(({ newest }) => newest && newest.fixTime)}::float8[], ${summaries.map(({ state }) => JSON.stringify(state))}::jsonb[],
      ${c((s) => s.stateTime)}::float8[], ${c((s) => s.since)}::float8[], ${c((s) => s.until)}::float8[]) with ordinality t(c, d, newest, state, st, since, until, n)
    left join geo.latest l on l."companyId" = t.c and l."deviceId" = t.d
    -- Offset 0: one lookup by key each, whatever the planner estimates for a week without statistics.
    left join lateral (select q.* from geo.position q where q."companyId" = t.c and q."deviceId" = t.d and q."fixTime" = greatest(to_timestamp(t.newest / 1000.0)::timestamptz(3),
      case when l."fixTime" between to_timestamp(t.since / 1000.0)::timestamptz(3) and to_timestamp(t.until / 1000.0)::timestamptz(3) then l."fixTime" end) offset 0) p on true
    order by t.n ${mergeNewest}`,
  )
}
