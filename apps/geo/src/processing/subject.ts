import { identifier, sql } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'
import { ownSettings, type MotionSettings } from '../motion/settings.ts'

export interface DeviceRef {
  companyId: string
  deviceId: string
}

/** The advisory lock for writing a device's computed rows; versions that run side by side during an update must use the same text. */
export const lockOf = ({ deviceId }: DeviceRef): Statement => sql`hashtextextended(${`geo reckoning ${deviceId}`}, 0)`

/** A device to process, with what determines how. Times are epoch ms. */
export interface Subject extends DeviceRef {
  name: string
  uniqueId: string
  /** Tenants whose rules apply to it: its own and its ancestors. */
  tenants: string[]
  timeZone: string
  settings: MotionSettings
  /** Time range of the new or changed messages. */
  from: number
  to: number
  newest: number
}

type Attributes = Record<string, unknown>
interface Row {
  name: string
  uniqueId: string
  tenants: string[]
  timeZone: string | null
  attributes: Attributes
  newest: Date | null
}

/**
 * Reads what must be processed of a device, and the version of its dirty mark; undefined when there is nothing (left). Runs in the
 * device's company.
 */
export async function readSubject(db: Sql, { companyId, deviceId }: DeviceRef): Promise<{ subject: Subject; version: number } | undefined> {
  const word = await db.maybe<{ since: Date; until: Date; version: number }>(
    sql`select "since", "until", "version" from geo.dirty where "companyId" = ${companyId} and "deviceId" = ${deviceId}`,
  )
  if (!word) return undefined
  const from = await afterDeleted(db, { companyId, deviceId }, word.since.getTime())
  const subject = await subjectOf(db, { companyId, deviceId }, { from, to: word.until.getTime() })
  return subject && { subject, version: word.version }
}

const day = 86_400_000

/**
 * A day after the remaining rows of a time whose messages have expired (positions are kept for a shorter time than trips), else the time
 * itself: such a late message must not undo what the others produced.
 */
async function afterDeleted(db: Sql, { companyId, deviceId }: DeviceRef, since: number): Promise<number> {
  if (since > Date.now() - day) return since
  const rowsOf = (table: string) => sql`
    select max(coalesce(t."endTime", t."startTime")) as "end" from ${identifier('geo', table)} t where t."companyId" = ${companyId} and t."deviceId" = ${deviceId}
      and t."startTime" < now() - interval '1 day' and coalesce(t."endTime", t."startTime") > ${new Date(since - day)}
      and (select true from geo.position p where p."companyId" = t."companyId" and p."deviceId" = t."deviceId" and p."fixTime" = t."startTime" limit 1) is null`
  const { end } = await db.one<{ end: Date | null }>(sql`select max("end") as "end" from (${rowsOf('trip')} union all ${rowsOf('stop')}) r`)
  return end ? Math.max(since, end.getTime() + day) : since
}

/** A device with a time range (epoch ms); undefined when it was deleted. */
export async function subjectOf(
  db: Sql,
  { companyId, deviceId }: DeviceRef,
  { from, to }: Pick<Subject, 'from' | 'to'>,
): Promise<Subject | undefined> {
  const row = await db.maybe<Row>(sql`
    select d."name", d."uniqueId", t."path" as "tenants", d."attributes",
      (select z."timeZone" from public.tenant z where z."companyId" = t."companyId" and z."id" = any(t."path") and z."timeZone" is not null order by array_position(t."path", z."id") desc limit 1) as "timeZone",
      (select l."stateTime" from geo.latest l where l."companyId" = d."companyId" and l."deviceId" = d."id") as "newest"
    from geo.device d join public.tenant t on t."companyId" = d."companyId" and t."id" = d."tenantId"
    where d."companyId" = ${companyId} and d."id" = ${deviceId}`)
  if (!row) return undefined
  const { name, uniqueId, tenants, timeZone, attributes, newest } = row
  return {
    companyId,
    deviceId,
    name,
    uniqueId,
    tenants,
    timeZone: timeZone ?? 'UTC',
    settings: settingsOf(attributes),
    from,
    to,
    newest: Math.max(to, newest?.getTime() ?? to),
  }
}

/** The motion settings of a device: the defaults, overridden by its attributes (motion, speedLimit km/h, fuelTank litres, engineSource). */
export function settingsOf(attributes: Attributes): MotionSettings {
  const { speedLimit, fuelTank, engineSource } = attributes
  const positive = (value: unknown) => (Number(value) > 0 && Number.isFinite(Number(value)) ? Number(value) : undefined)
  const own = ownSettings(attributes)
  return {
    ...own,
    speedLimit: positive(speedLimit) ?? own.speedLimit,
    tank: positive(fuelTank) ?? own.tank,
    engine: engineSource === 'voltage' || engineSource === 'motion' ? engineSource : own.engine,
  }
}
