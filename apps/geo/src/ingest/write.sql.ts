import { join, named, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Fix } from './codec.ts'
import type { KnownDevice } from './identity.ts'
import { cutAttributes, knownColumns } from '../positions/attributes.ts'

export interface Row { device: KnownDevice, fix: Fix }

/** An array as Postgres writes it, of numbers, booleans and uuids: nothing in them needs quoting, and quoting costs. */
const list = (values: readonly (string | number | boolean | null)[]) => `{${values.map((value) => value ?? 'null').join()}}`
const json = (value: object) => JSON.stringify(value)

const known = trusted(knownColumns.map(({ name }) => `, "${name}"`).join(''))
const nothingKnown = trusted(knownColumns.map(() => ', null').join(''))

/**
 * Inserts positions; a moment that is there already is united with what comes, whatever came first: of two places the
 * better one stays (there, valid, then the greater, so that the order of arrival decides nothing). Each moment once a call.
 */
export function insertPositions(rows: readonly Row[]): Statement {
  const c = (pick: (row: Row) => string | number | boolean | null) => list(rows.map(pick))
  const cut = cutAttributes(rows.map(({ fix }) => fix.attributes))
  const knownArrays = join(knownColumns.map(({ type }, at) => sql`${cut.known[at]}::${trusted(type)}[]`))
  return named('geo positions', sql`
    insert into geo.position ("companyId", "deviceId", "fixTime", "deviceTime", "latitude", "longitude", "altitude", "speed", "course", "accuracy", "isValid", "more"${known})
    select t.c, t.d, to_timestamp(t.f / 1000.0), to_timestamp(t.dt / 1000.0), t.lat, t.lon, t.alt, t.speed, t.course, t.acc, t.ok, t.more${known}
    from unnest(${c((r) => r.device.companyId)}::uuid[], ${c((r) => r.device.deviceId)}::uuid[], ${c((r) => r.fix.fixTime)}::float8[],
      ${c(({ fix }) => (fix.deviceTime === fix.fixTime ? null : fix.deviceTime))}::float8[], ${c((r) => r.fix.latitude)}::float8[], ${c((r) => r.fix.longitude)}::float8[],
      ${c((r) => r.fix.altitude)}::real[], ${c((r) => r.fix.speed)}::real[], ${c((r) => r.fix.course)}::real[], ${c((r) => r.fix.accuracy)}::real[],
      ${c((r) => r.fix.isValid)}::bool[], ${cut.more}::jsonb[], ${knownArrays}) t(c, d, f, dt, lat, lon, alt, speed, course, acc, ok, more${known})
    order by 1, 2, 3
    on conflict ("deviceId", "fixTime") do update set
      ("latitude", "longitude", "altitude", "speed", "course", "accuracy", "isValid") = (
        select v.* from (values
          (position."latitude", position."longitude", position."altitude", position."speed", position."course", position."accuracy", position."isValid"),
          (excluded."latitude", excluded."longitude", excluded."altitude", excluded."speed", excluded."course", excluded."accuracy", excluded."isValid")
        ) v(lat, lon, alt, speed, course, acc, ok)
        order by v.lat is not null desc, v.ok desc, v.lat desc, v.lon desc, v.speed desc nulls last, v.course desc nulls last, v.alt desc nulls last, v.acc desc nulls last limit 1),
      "deviceTime" = greatest(position."deviceTime", excluded."deviceTime"),
      -- What is united is rare, and stands together.
      ("more"${known}) = row (geo.merge_attributes(position."attributes", excluded."attributes")${nothingKnown})
    where position."companyId" = excluded."companyId" and not (position."attributes" @> excluded."attributes" and coalesce(position."deviceTime" >= excluded."deviceTime", excluded."deviceTime" is null)
      and ((excluded."latitude" is null and position."latitude" is not null) or (position."latitude", position."longitude", position."altitude", position."speed", position."course", position."accuracy", position."isValid")
        is not distinct from (excluded."latitude", excluded."longitude", excluded."altitude", excluded."speed", excluded."course", excluded."accuracy", excluded."isValid")))`)
}

/** What one batch says of one device: when its newest place was, its newest values, and the stretch of time it touched. */
export interface Summary { device: KnownDevice, newest: number | null, state: Fix['attributes'], stateTime: number, since: number, until: number }

/** Rows as they came; one summary a device, sorted by device so that two batches never wait for each other in a circle. */
export function summarise(rows: readonly Row[]): Summary[] {
  const byDevice = [...Map.groupBy(rows, (row) => row.device.deviceId).values()]
  const summaries = byDevice.map((own) => {
    const fixes = own.map((row) => row.fix).toSorted((a, b) => a.fixTime - b.fixTime)
    const [first, last] = [fixes[0], fixes.at(-1)] as [Fix, Fix]
    return {
      device: (own[0] as Row).device, newest: fixes.findLast((fix) => fix.latitude !== null)?.fixTime ?? null,
      state: lasting(Object.assign({}, ...fixes.map((fix) => fix.attributes)) as Fix['attributes']),
      stateTime: last.fixTime, since: first.fixTime, until: last.fixTime,
    }
  })
  return summaries.toSorted((a, b) => order(a.device, b.device))
}

/** What happened once and is no state of the device afterwards. */
const momentary = new Set(['alarm', 'event', 'result', 'archive', 'approximate'])
const lasting = (attributes: Fix['attributes']) => Object.fromEntries(Object.entries(attributes).filter(([key]) => !momentary.has(key)))

const order = (a: KnownDevice, b: KnownDevice) => (`${a.companyId}${a.deviceId}` < `${b.companyId}${b.deviceId}` ? -1 : 1)

/**
 * The one row a device has for the live map: its newest position as it stands after insertPositions, so that messages
 * of one moment show united here too, also when what came later has no place of its own. An older batch changes only what it knows better; values do not grow without end.
 */
export function upsertLatest(list: readonly Summary[]): Statement {
  const c = <Value>(pick: (one: Summary) => Value) => list.map(pick)
  return named('geo latest', sql`
    insert into geo.latest ("companyId", "deviceId", "fixTime", "deviceTime", "latitude", "longitude", "altitude", "speed", "course", "accuracy", "isValid", "attributes", "state", "stateTime")
    select t.c, t.d, p."fixTime", coalesce(p."deviceTime", p."fixTime"), p."latitude", p."longitude", p."altitude", p."speed", p."course", p."accuracy", coalesce(p."isValid", false), coalesce(p."attributes", '{}'),
      t.state::jsonb, to_timestamp(t.st / 1000.0)
    from unnest(${c((s) => s.device.companyId)}::uuid[], ${c((s) => s.device.deviceId)}::uuid[], ${c((s) => s.newest)}::float8[], ${c((s) => json(s.state))}::text[], ${c((s) => s.stateTime)}::float8[],
      ${c((s) => s.since)}::float8[], ${c((s) => s.until)}::float8[]) with ordinality t(c, d, newest, state, st, since, until, n)
    left join geo.latest l on l."companyId" = t.c and l."deviceId" = t.d
    left join geo.position p on p."companyId" = t.c and p."deviceId" = t.d and p."fixTime" = greatest(to_timestamp(t.newest / 1000.0)::timestamptz(3),
      case when l."fixTime" between to_timestamp(t.since / 1000.0)::timestamptz(3) and to_timestamp(t.until / 1000.0)::timestamptz(3) then l."fixTime" end)
    order by t.n
    on conflict ("companyId", "deviceId") do update set
      ("fixTime", "deviceTime", "latitude", "longitude", "altitude", "speed", "course", "accuracy", "isValid", "attributes") = (
        select v.f, v.dt, v.lat, v.lon, v.alt, v.speed, v.course, v.acc, v.ok, v.attributes from (values
          (1, excluded."fixTime", excluded."deviceTime", excluded."latitude", excluded."longitude", excluded."altitude", excluded."speed", excluded."course", excluded."accuracy", excluded."isValid", excluded."attributes"),
          (2, latest."fixTime", latest."deviceTime", latest."latitude", latest."longitude", latest."altitude", latest."speed", latest."course", latest."accuracy", latest."isValid", latest."attributes")
        ) v(n, f, dt, lat, lon, alt, speed, course, acc, ok, attributes) order by v.f desc nulls last, v.n limit 1),
      "state" = case when length(latest."state"::text) > 16000 then excluded."state"
        when latest."stateTime" > excluded."stateTime" then excluded."state" || latest."state" else latest."state" || excluded."state" end,
      "stateTime" = greatest(latest."stateTime", excluded."stateTime"), "serverTime" = now(), "seq" = nextval('geo.latest_seq')`)
}

/** Leaves word of what must be reckoned again. */
export function upsertDirty(list: readonly Summary[]): Statement {
  const c = <Value>(pick: (one: Summary) => Value) => list.map(pick)
  return named('geo dirty', sql`
    insert into geo.dirty ("companyId", "deviceId", "since", "until")
    select t.c, t.d, to_timestamp(t.since / 1000.0), to_timestamp(t.until / 1000.0)
    from unnest(${c((s) => s.device.companyId)}::uuid[], ${c((s) => s.device.deviceId)}::uuid[], ${c((s) => s.since)}::float8[], ${c((s) => s.until)}::float8[]) t(c, d, since, until)
    on conflict ("companyId", "deviceId") do update set
      "since" = least(dirty."since", excluded."since"), "until" = greatest(dirty."until", excluded."until"), "version" = dirty."version" + 1`)
}
