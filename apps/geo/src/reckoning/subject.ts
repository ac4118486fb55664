import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { ownSettings, type MotionSettings } from '../motion/settings.ts'

export interface DeviceRef { companyId: string, deviceId: string }

/** A device that is reckoned: what of it decides how. Times are epoch ms. */
export interface Subject extends DeviceRef {
  name: string
  uniqueId: string
  /** Tenants whose rules hold for it: its own and those above. */
  tenants: string[]
  timeZone: string
  settings: MotionSettings
  /** Stretch of the messages that are new or changed. */
  from: number
  to: number
  newest: number
}

type Attributes = Record<string, unknown>
interface Row { name: string, uniqueId: string, tenants: string[], timeZone: string | null, attributes: Attributes, since: Date, until: Date, version: number, newest: Date }

/** What must be reckoned of a device and the version of that word; undefined when there is nothing (left). Inside the device's company. */
export async function readSubject(db: Sql, { companyId, deviceId }: DeviceRef): Promise<{ subject: Subject, version: number } | undefined> {
  const row = await db.maybe<Row>(sql`
    select d."name", d."uniqueId", t."path" as "tenants", d."attributes", w."since", w."until", w."version",
      (select z."timeZone" from public.tenant z where z."companyId" = t."companyId" and z."id" = any(t."path") and z."timeZone" is not null order by array_position(t."path", z."id") desc limit 1) as "timeZone",
      greatest(w."until", (select l."stateTime" from geo.latest l where l."companyId" = w."companyId" and l."deviceId" = w."deviceId")) as "newest"
    from geo.dirty w
    join geo.device d on d."companyId" = w."companyId" and d."id" = w."deviceId"
    join public.tenant t on t."companyId" = d."companyId" and t."id" = d."tenantId"
    where w."companyId" = ${companyId} and w."deviceId" = ${deviceId}`)
  if (!row) return undefined
  const { name, uniqueId, tenants, timeZone, attributes, since, until, version, newest } = row
  return {
    version,
    subject: {
      companyId, deviceId, name, uniqueId, tenants, timeZone: timeZone ?? 'UTC', settings: settingsOf(attributes),
      from: since.getTime(), to: until.getTime(), newest: newest.getTime(),
    },
  }
}

/** How a device is reckoned: as all are, with what its attributes say otherwise (motion, speedLimit km/h, fuelTank litres, engineSource). */
export function settingsOf(attributes: Attributes): MotionSettings {
  const { speedLimit, fuelTank, engineSource } = attributes
  const positive = (value: unknown) => (Number(value) > 0 && Number.isFinite(Number(value)) ? Number(value) : undefined)
  const own = ownSettings(attributes)
  return {
    ...own, speedLimit: positive(speedLimit) ?? own.speedLimit, tank: positive(fuelTank) ?? own.tank,
    engine: engineSource === 'voltage' || engineSource === 'motion' ? engineSource : own.engine,
  }
}
