import { penalties, scoreOf, type Penalty } from '@outpost/rules/fleet/behaviour'
import { sql } from '@outpost/platform/db/sql'
import { assetAt, beganIn, ofDrivers, ofSubjects, ofSubjectsAt } from '../parameters.ts'
import { asset, duration, id, number, summed, text, type GeoReport, type Row } from '../report.ts'

/** What counts as each penalty: types of event, or names of alarms. */
export const behaviourTypes = {
  hardBraking: ['hardBraking'],
  hardAcceleration: ['hardAcceleration'],
  hardCornering: ['hardCornering'],
  speeding: ['deviceOverspeed', 'overspeed'],
  fatigueDriving: ['fatigueDriving'],
  highRpm: ['highRpm'],
} as const satisfies Record<Penalty, readonly string[]>

const words: Record<Penalty, string> = {
  hardBraking: 'Hard braking',
  hardAcceleration: 'Hard acceleration',
  hardCornering: 'Hard cornering',
  speeding: 'Too fast',
  fatigueDriving: 'Tired driving',
  highRpm: 'High revs',
}
const kinds = Object.keys(penalties) as Penalty[]

/**
 * Drivers with what they drove and what their trackers reported of it, the lowest score first. Where nobody is known the vehicle counts
 * for its driver (`subjectId`: the asset, or the device without one).
 */
export const driverBehaviour: GeoReport = {
  columns: [
    text('driver', 'Driver'),
    id('driverId', 'Driver id'),
    asset('assetId', 'Vehicle'),
    text('device', 'Devices'),
    id('deviceId', 'Device id'),
    summed(number('trips', 'Trips')),
    summed(number('km', 'Distance', 'km')),
    summed(duration('moving', 'Moving')),
    summed(duration('idle', 'Idle')),
    number('maxSpeed', 'Top speed', 'km/h'),
    ...kinds.map((kind) => summed(number(kind, words[kind]))),
    number('score', 'Score'),
    text('words', 'How it is summed'),
  ],
  async *rows(ctx, asked) {
    const rows = await ctx.sql.query<Row & Record<Penalty | 'km', number>>(sql`
      with way as (
        select t."driverId", case when t."driverId" is null then t."assetId" end as "assetId", case when t."driverId" is null and t."assetId" is null then t."deviceId" end as "deviceId",
          t."deviceId" as "by", t."metres", t."movingSeconds", t."idleSeconds", t."maxSpeed"
        from geo.trip t where ${ofSubjects(asked)} and ${beganIn(asked)} and ${ofDrivers(asked)}
      ), told as (
        select t."driverId", case when t."driverId" is null then x."assetId" end as "assetId", case when t."driverId" is null and x."assetId" is null then t."deviceId" end as "deviceId", t."deviceId" as "by",
          case when t."type" = 'alarm' then t."key" else t."type" end as "name"
        from geo.event t cross join lateral (select ${assetAt(sql`t."eventTime"`)} as "assetId") x
        where ${ofSubjectsAt(asked, sql`t."eventTime"`)} and ${beganIn(asked, 'eventTime')} and not t."isSuperseded" and ${ofDrivers(asked)}
          and (t."type" = any(${Object.values(behaviourTypes).flat()}::text[]) or t."type" = 'alarm' and t."key" = any(${Object.values(behaviourTypes).flat()}::text[]))
      ), all_of as (
        select "driverId", "assetId", "deviceId", "by", 1 as "trips", "metres", "movingSeconds", "idleSeconds", "maxSpeed", null as "name" from way
        union all select "driverId", "assetId", "deviceId", "by", 0, 0, 0, 0, null, "name" from told
      )
      select r."name" as "driver", s."driverId", s."assetId", s."deviceId",
        (select string_agg(d."name", ', ' order by d."name") from geo.device d where d."companyId" = ${asked.company} and d."id" = any(array_agg(distinct s."by"))) as "device",
        sum(s."trips")::int as "trips", round((sum(s."metres") / 1000)::numeric, 3)::float8 as "km", sum(s."movingSeconds")::int as "moving", sum(s."idleSeconds")::int as "idle",
        round(max(s."maxSpeed")::numeric, 1)::float8 as "maxSpeed", ${counts}
      from all_of s left join geo.driver r on r."companyId" = ${asked.company} and r."id" = s."driverId"
      group by s."driverId", s."assetId", s."deviceId", r."name"`)
    const scored = rows.map((row) => {
      const { score, sum } = scoreOf(row, row.km)
      return { ...row, score, words: sum }
    })
    yield* scored.toSorted((a, b) => (a.score ?? 101) - (b.score ?? 101) || b.km - a.km)
  },
}

const count = (kind: Penalty) => sql`count(*) filter (where s."name" = any(${[...behaviourTypes[kind]]}::text[]))::int`
const counts = sql`${count('hardBraking')} as "hardBraking", ${count('hardAcceleration')} as "hardAcceleration", ${count('hardCornering')} as "hardCornering",
  ${count('speeding')} as "speeding", ${count('fatigueDriving')} as "fatigueDriving", ${count('highRpm')} as "highRpm"`
