import { every, sql } from '@outpost/platform/db/sql'
import { assetAt, ofSubjectsAt } from './parameters.ts'
import { boolean, coordinates, dateTime, duration, id, subject, summed, text, type GeoReport } from './report.ts'

/** Visits of fences and places that overlap the window, in full; of one that lasts the time until now, or until the window ends. */
export const fenceStays: GeoReport = {
  columns: [
    ...subject,
    text('geofence', 'Fence'),
    id('geofenceId', 'Fence id'),
    dateTime('enterTime', 'In'),
    dateTime('exitTime', 'Out'),
    summed(duration('duration', 'Duration')),
    text('kind', 'Kind'),
    boolean('isLate', 'Came late'),
    ...coordinates(),
  ],
  rows: (ctx, asked) => {
    const { geofenceIds, from, until } = asked
    const chosen = every([
      ofSubjectsAt(asked, sql`t."enterTime"`),
      sql`t."enterTime" < ${until} and coalesce(t."exitTime", now()) > ${from}`,
      ...(asked.isOpen ? [sql`t."exitTime" is null`] : []),
      ...(geofenceIds === undefined ? [] : [sql`t."geofenceId" = any(${geofenceIds}::uuid[])`]),
    ])
    return ctx.sql.stream(sql`
    select d."name" as "device", t."deviceId", ${assetAt(sql`t."enterTime"`)} as "assetId", g."name" as "geofence", t."geofenceId", t."enterTime", t."exitTime",
      round(extract(epoch from coalesce(t."exitTime", least(now(), ${until}::timestamptz)) - t."enterTime"))::int as "duration",
      case t."kind" when 'crossed' then 'passed through' else t."kind" end as "kind", t."isLate", t."enterLatitude" as "latitude", t."enterLongitude" as "longitude"
    from geo.visit t join geo.device d on d."companyId" = t."companyId" and d."id" = t."deviceId" join geo.geofence g on g."companyId" = t."companyId" and g."id" = t."geofenceId"
    where ${chosen} order by t."enterTime", t."deviceId", t."geofenceId"`)
  },
}
