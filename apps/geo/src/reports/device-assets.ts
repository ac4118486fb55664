import { sql } from '@outpost/platform/db/sql'
import { onAssets, ofDevices } from './parameters.ts'
import { dateTime, subject, user, type GeoReport } from './report.ts'

/** The assets of each device and their times, as far as they overlap the window. */
export const deviceAssets: GeoReport = {
  columns: [
    ...subject,
    dateTime('since', 'From'),
    dateTime('until', 'To'),
    user('changedBy', 'Changed by'),
    dateTime('dateCreated', 'Changed at'),
  ],
  rows: (ctx, asked) =>
    ctx.sql.stream(sql`
    select d."name" as "device", t."deviceId", t."assetId", t."since", t."until", t."changedBy", t."dateCreated"
    from geo.device_asset t join geo.device d on d."companyId" = t."companyId" and d."id" = t."deviceId"
    where ${ofDevices(asked)} and ${onAssets(asked, sql`t."assetId"`)} and t."since" < ${asked.until} and (t."until" is null or t."until" > ${asked.from})
    order by t."since", t."deviceId"`),
}
