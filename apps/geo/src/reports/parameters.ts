import { geoReportCalls, type GeoReportName } from '@outpost/contract/geo-reports'
import { fail } from '@outpost/contract/errors'
import { every, identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { day, id, yesNo } from '../api/input.ts'
import { deviceStatus } from '../api/positions/fields.ts'
import type { Caller } from '../api/token.ts'
import type { GeoCtx } from '../api/types.ts'

/** What a report is asked for. */
export interface ReportParameters {
  company: string
  timeZone: string
  /** First moment of the first day, and of the day after the last. */
  from: Date
  until: Date
  firstDay: string
  lastDay: string
  deviceIds: readonly string[] | undefined
  assetIds: readonly string[] | undefined
  /** Rows of next to nothing are shown too. */
  zeros: boolean
  /** Types of event, or names of alarms. */
  types: readonly string[] | undefined
  now: Date
}

const longestDays = 400
const mostNamed = 300
const listOf = (one: z.ZodType<string, string>) => z.string().transform((text) => text.split(',').filter((part) => part !== ''))
  .pipe(z.array(one).min(1, 'names none').max(mostNamed, `may name ${mostNamed} at most`))

const shape = {
  from: day, to: day, deviceIds: listOf(id).optional(), assetIds: listOf(id).optional(), zeros: yesNo.default(false), places: yesNo.optional(),
  types: listOf(z.string().regex(/^[A-Za-z]{1,40}$/, 'is no type of event')).optional(),
}
type Given = { from: string, to: string, deviceIds?: string[], assetIds?: string[], zeros?: boolean, places?: boolean, types?: string[] }

/** The query that a report understands; another name is refused. */
export function inputOf(name: GeoReportName): z.ZodType<Given> {
  const known = Object.entries(shape).filter(([key]) => geoReportCalls[name].query?.includes(key))
  return z.strictObject(Object.fromEntries(known)) as unknown as z.ZodType<Given>
}

/** Whole days of the company's calendar, the last one included. Stops with INVALID on a window that is none. */
export function parametersOf(given: Given, { company, timeZone }: Caller, now: number): ReportParameters {
  const { from, to, deviceIds, assetIds, zeros = false, types } = given
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  if (days < 1) fail('INVALID', { fields: [{ field: 'to', message: 'is before from' }] })
  if (days > longestDays) fail('INVALID', { fields: [{ field: 'to', message: `ask for ${longestDays} days at most` }] })
  return {
    company, timeZone, firstDay: from, lastDay: to, from: new Date(timeAt(from, 0, timeZone)), until: new Date(timeAt(addDays(to, 1), 0, timeZone)),
    deviceIds, assetIds, zeros, types, now: new Date(now),
  }
}

/** Stops with NOT_FOUND when a device is named that the caller does not see; one that was removed has its past still. */
export async function assertReadable({ sql: reader }: GeoCtx, { company, deviceIds }: ReportParameters): Promise<void> {
  if (deviceIds === undefined) return
  const wanted = new Set(deviceIds)
  const { count } = await reader.one<{ count: number }>(sql`select count(*) as count from geo.device where "companyId" = ${company} and "id" = any(${[...wanted]}::uuid[])`)
  if (count < wanted.size) fail('NOT_FOUND')
}

/** Rows of alias t of the company and of the devices that were asked for, if any were. */
export const ofDevices = ({ company, deviceIds }: ReportParameters): Statement =>
  every([sql`t."companyId" = ${company}`, ...(deviceIds === undefined ? [] : [sql`t."deviceId" = any(${deviceIds}::uuid[])`])])

/** The same for rows that keep the asset of their time. */
export const ofSubjects = (asked: ReportParameters): Statement =>
  every([ofDevices(asked), onAssets(asked, sql`t."assetId"`)])

/** The asset that the device of alias t was on at a moment. */
export const assetAt = (time: Statement): Statement => sql`(select a."assetId" from geo.device_asset a
  where a."companyId" = t."companyId" and a."deviceId" = t."deviceId" and a."since" <= ${time} and (a."until" is null or a."until" > ${time}))`

/** The same for rows that know no asset: their device was on one of those asked for at that moment. */
export const ofSubjectsAt = (asked: ReportParameters, time: Statement): Statement =>
  every([ofDevices(asked), onAssets(asked, assetAt(time))])

/** Rows of alias t that began within the window: every row belongs to one day, so that days and months add up. */
export const begunIn = ({ from, until }: ReportParameters, column = 'startTime'): Statement => {
  const time = identifier('t', column)
  return sql`${time} >= ${from} and ${time} < ${until}`
}

/** Rows of alias t that touch the window, those still going on included. */
export const touching = ({ from, until }: ReportParameters): Statement => sql`t."startTime" < ${until} and coalesce(t."endTime", now()) > ${from}`

/** An asset, as a statement tells it, is one of those asked for, if any were. */
export const onAssets = ({ assetIds }: ReportParameters, asset: Statement): Statement => (assetIds === undefined ? sql`true` : sql`${asset} = any(${assetIds}::uuid[])`)

export interface Device { id: string, name: string, status: string }

/** The devices that a report is about, by name; for those that look at one device after the other. */
export function devicesOf({ sql: reader }: GeoCtx, { company, deviceIds, assetIds, from, until }: ReportParameters): Promise<Device[]> {
  const conditions = every([
    sql`t."companyId" = ${company}`, sql`(t."deletedAt" is null or t."deletedAt" > ${from})`,
    ...(deviceIds === undefined ? [] : [sql`t."id" = any(${deviceIds}::uuid[])`]),
    ...(assetIds === undefined ? [] : [sql`exists (select from geo.device_asset a where a."companyId" = t."companyId" and a."deviceId" = t."id" and a."assetId" = any(${assetIds}::uuid[])
      and a."since" < ${until} and (a."until" is null or a."until" > ${from}))`]),
  ])
  return reader.query<Device>(sql`select t."id", t."name", ${deviceStatus} as "status" from geo.device t where ${conditions} order by t."name", t."id"`)
}
