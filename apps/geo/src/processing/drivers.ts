import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { Replacement } from '../motion/rebuild.ts'
import { moment } from './points.ts'
import type { Subject } from './subject.ts'

/** A driver's key stays valid this long after it was sent. */
const keyHeldMs = '24 hours'

/**
 * Sets the drivers of the trips of a replacement, and of later trips that depend on it: the owner at that time of the key that was sent
 * in the trip or is held from an earlier one; else the driver linked to the device; else the user whose phone it is.
 */
export async function writeDrivers(
  db: Sql,
  { companyId, deviceId }: Subject,
  {
    ranges: {
      trips: { from, to },
    },
  }: Replacement,
): Promise<void> {
  const own = sql`"companyId" = ${companyId} and "deviceId" = ${deviceId}`
  await db.exec(sql`
    with linked as (
      select coalesce(
        (select r."id" from geo.driver r where r."companyId" = d."companyId" and r."uniqueId" = d."attributes" ->> 'driverUniqueId' and r."deletedAt" is null),
        (select r."id" from geo.driver r where r."companyId" = d."companyId" and r."userId" = d."userId" and r."deletedAt" is null order by r."id" limit 1)) as "driverId"
      from geo.device d where d."companyId" = ${companyId} and d."id" = ${deviceId}
    ), keys as (
      select "startTime", "driverKey" from geo.trip where ${own} and "driverKey" is not null and "startTime" >= ${moment(from)}::timestamptz - ${keyHeldMs}::interval and "startTime" < ${moment(to)}::timestamptz + ${keyHeldMs}::interval
    ), named as (
      select t."startTime", case when k."driverKey" is null then (select "driverId" from linked)
        else (select h."driverId" from geo.driver_key h where h."companyId" = ${companyId} and h."driverKey" = k."driverKey" and h."since" <= t."startTime" and (h."until" is null or h."until" > t."startTime")
          order by h."since" desc limit 1) end as "driverId"
      from geo.trip t left join lateral (select "driverKey" from keys where keys."startTime" <= t."startTime" and keys."startTime" >= t."startTime" - ${keyHeldMs}::interval order by keys."startTime" desc limit 1) k on true
      where t."companyId" = ${companyId} and t."deviceId" = ${deviceId} and t."startTime" >= ${moment(from)}::timestamptz and t."startTime" < ${moment(to)}::timestamptz + ${keyHeldMs}::interval
    )
    update geo.trip t set "driverId" = n."driverId" from named n
    where t."companyId" = ${companyId} and t."deviceId" = ${deviceId} and t."startTime" = n."startTime" and t."driverId" is distinct from n."driverId"`)
}
