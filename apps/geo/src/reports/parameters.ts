import { geoReportCalls, type GeoReportName } from '@outpost/contract/geo/reports'
import { fail } from '@outpost/contract/errors'
import { every, identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { day, id, yesNo } from '../api/input.ts'
import { deviceStatus, readPositionId } from '../api/positions/fields.ts'
import type { Caller } from '../api/token.ts'
import type { GeoCtx } from '../api/types.ts'

/** The parameters of a report. */
export interface ReportParameters {
  company: string
  timeZone: string
  /** The first moment of the first day, and of the day after the last. */
  from: Date
  until: Date
  firstDay: string
  lastDay: string
  deviceIds: readonly string[] | undefined
  assetIds: readonly string[] | undefined
  /** Also include rows of almost no distance. */
  zeros: boolean
  /** Types of event, or names of alarms. */
  types: readonly string[] | undefined
  /** Drivers; `none` means nobody known. */
  driverIds: readonly string[] | undefined
  geofenceIds: readonly string[] | undefined
  /** Only trips whose fuel was measured. */
  isMeasured: boolean
  /** Only what happened on this trip. */
  trip: { deviceId: string; fixTime: Date } | undefined
  /** Only stops of the hotspot here. */
  near: { latitude: number; longitude: number } | undefined
  /** Only stops that began within the window. */
  isBegun: boolean
  /** Only visits that last now. */
  isOpen: boolean
  /** Only messages that told this battery; with `below` those at which it fell below, as seen by the messages from `since` on. */
  supply: { series: BatterySeries; below: number | undefined; since: Date } | undefined
  now: Date
}

export const batterySeries = ['main', 'backup', 'level'] as const
export type BatterySeries = (typeof batterySeries)[number]

const maxDays = 400
const maxNamed = 300
const listOf = (one: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(one).min(1, 'names none').max(maxNamed, `may name ${maxNamed} at most`))

/** In place of the id of a driver or an asset: none known. */
export const none = 'none'

const shape = {
  from: day,
  to: day,
  deviceIds: listOf(id).optional(),
  assetIds: listOf(z.union([z.literal(none), id])).optional(),
  zeros: yesNo.default(false),
  places: yesNo.optional(),
  types: listOf(z.string().regex(/^[A-Za-z]{1,40}$/, 'is no type of event')).optional(),
  driverIds: listOf(z.union([z.literal(none), id])).optional(),
  geofenceIds: listOf(id).optional(),
  tripId: z.string().max(60).optional(),
  isMeasured: yesNo.default(false),
  near: z
    .string()
    .regex(/^-?\d{1,2}(\.\d{1,9})?,-?\d{1,3}(\.\d{1,9})?$/, 'is a latitude, a comma and a longitude')
    .optional(),
  isBegun: yesNo.default(false),
  isOpen: yesNo.default(false),
  series: z.enum(batterySeries).optional(),
  below: z.coerce.number().min(0).max(1_000).optional(),
  since: day.optional(),
}
type RawParameters = {
  from: string
  to: string
  deviceIds?: string[]
  assetIds?: string[]
  zeros?: boolean
  places?: boolean
  types?: string[]
  driverIds?: string[]
  isMeasured?: boolean
  geofenceIds?: string[]
  tripId?: string
  near?: string
  isBegun?: boolean
  isOpen?: boolean
  series?: BatterySeries
  below?: number
  since?: string
}

/** The query schema of a report; unknown names are refused. */
export function inputOf(name: GeoReportName): z.ZodType<RawParameters> {
  const known = Object.entries(shape).filter(([key]) => geoReportCalls[name].query?.includes(key))
  return z.strictObject(Object.fromEntries(known)) as unknown as z.ZodType<RawParameters>
}

/** Parses whole days of the company's calendar, the last one included. Throws INVALID when the window is invalid. */
export function parametersOf(given: RawParameters, { company, timeZone }: Caller, now: number): ReportParameters {
  const {
    from,
    to,
    deviceIds,
    assetIds,
    zeros = false,
    types,
    driverIds,
    geofenceIds,
    tripId,
    isMeasured = false,
    isBegun = false,
    isOpen = false,
  } = given
  const trip = tripId === undefined ? undefined : readPositionId(tripId)
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  if (days < 1) fail('INVALID', { fields: [{ field: 'to', message: 'is before from' }] })
  if (days > maxDays) fail('INVALID', { fields: [{ field: 'to', message: `ask for ${maxDays} days at most` }] })
  if (tripId !== undefined && trip === undefined) fail('INVALID', { fields: [{ field: 'tripId', message: 'is no trip' }] })
  return {
    company,
    timeZone,
    firstDay: from,
    lastDay: to,
    from: new Date(timeAt(from, 0, timeZone)),
    until: new Date(timeAt(addDays(to, 1), 0, timeZone)),
    deviceIds,
    assetIds,
    zeros,
    types,
    driverIds,
    geofenceIds,
    isMeasured,
    trip,
    near: placeOf(given.near),
    isBegun,
    isOpen,
    supply: supplyOf(given, timeZone),
    now: new Date(now),
  }
}

function placeOf(near: string | undefined): ReportParameters['near'] {
  const [latitude, longitude] = near?.split(',').map(Number) ?? []
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
}

function supplyOf({ series, below, since, from, to }: RawParameters, timeZone: string): ReportParameters['supply'] {
  if (since !== undefined && since > from) fail('INVALID', { fields: [{ field: 'since', message: 'is after from' }] })
  if (since !== undefined && (Date.parse(to) - Date.parse(since)) / 86_400_000 >= maxDays)
    fail('INVALID', { fields: [{ field: 'since', message: `is more than ${maxDays} days before to` }] })
  return series === undefined ? undefined : { series, below, since: new Date(timeAt(since ?? from, 0, timeZone)) }
}

/** Throws NOT_FOUND when a named device is out of the caller's reach; a deleted device still has its past. */
export async function assertReadable({ sql: reader }: GeoCtx, { company, deviceIds }: ReportParameters): Promise<void> {
  if (deviceIds === undefined) return
  const wanted = new Set(deviceIds)
  const { count } = await reader.one<{ count: number }>(
    sql`select count(*) as count from geo.device where "companyId" = ${company} and "id" = any(${[...wanted]}::uuid[])`,
  )
  if (count < wanted.size) fail('NOT_FOUND')
}

/** Rows of alias t of the company and of the selected devices, if any. */
export const ofDevices = ({ company, deviceIds }: ReportParameters): Statement =>
  every([sql`t."companyId" = ${company}`, ...(deviceIds === undefined ? [] : [sql`t."deviceId" = any(${deviceIds}::uuid[])`])])

/** The same for rows that store their asset. */
export const ofSubjects = (asked: ReportParameters): Statement => every([ofDevices(asked), onAssets(asked, sql`t."assetId"`)])

/** The asset that the device of alias t was on at a moment. */
export const assetAt = (time: Statement): Statement => sql`(select a."assetId" from geo.device_asset a
  where a."companyId" = t."companyId" and a."deviceId" = t."deviceId" and a."since" <= ${time} and (a."until" is null or a."until" > ${time}))`

/** The same for rows that do not store their asset: their device was on a selected asset at that time. */
export const ofSubjectsAt = (asked: ReportParameters, time: Statement): Statement =>
  every([ofDevices(asked), onAssets(asked, assetAt(time))])

/** Rows of alias t that began within the window: every row belongs to one day, so that days add up to months. */
export const beganIn = ({ from, until }: ReportParameters, column = 'startTime'): Statement => {
  const time = identifier('t', column)
  return sql`${time} >= ${from} and ${time} < ${until}`
}

/** Rows of alias t that overlap the window, including open ones. */
export const overlapping = ({ from, until }: ReportParameters): Statement =>
  sql`t."startTime" < ${until} and coalesce(t."endTime", now()) > ${from}`

/** The asset expression is one of the selected assets, if any; `none` asks for what was on no asset. */
export const onAssets = ({ assetIds }: ReportParameters, asset: Statement): Statement =>
  assetIds === undefined ? sql`true` : assetIds.includes(none) ? sql`${asset} is null` : sql`${asset} = any(${assetIds}::uuid[])`

/** Rows of alias t of the selected drivers, if any. */
export const ofDrivers = ({ driverIds }: ReportParameters): Statement =>
  driverIds === undefined
    ? sql`true`
    : sql`coalesce(t."driverId"::text, ${none}) = any(${driverIds.map((one) => one.toLowerCase())}::text[])`

export interface Device {
  id: string
  name: string
  status: string
}

/** The devices of a report, by name; for reports that read one device after the other. */
export function devicesOf({ sql: reader }: GeoCtx, { company, deviceIds, assetIds, from, until }: ReportParameters): Promise<Device[]> {
  const conditions = every([
    sql`t."companyId" = ${company}`,
    sql`(t."deletedAt" is null or t."deletedAt" > ${from})`,
    ...(deviceIds === undefined ? [] : [sql`t."id" = any(${deviceIds}::uuid[])`]),
    ...(assetIds === undefined || assetIds.includes(none)
      ? []
      : [
          sql`exists (select from geo.device_asset a where a."companyId" = t."companyId" and a."deviceId" = t."id" and a."assetId" = any(${assetIds}::uuid[])
      and a."since" < ${until} and (a."until" is null or a."until" > ${from}))`,
        ]),
  ])
  return reader.query<Device>(
    sql`select t."id", t."name", ${deviceStatus} as "status" from geo.device t where ${conditions} order by t."name", t."id"`,
  )
}
