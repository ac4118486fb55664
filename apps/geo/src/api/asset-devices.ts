import { escapeLike, every, sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { selection, timeText } from '../sql/fields.ts'
import { orderOf, pageStatement } from './crud/read.ts'
import { id, listShape, searchText } from './input.ts'
import { deviceState, deviceStatus, placeOf } from './positions/fields.ts'
import { handler } from './types.ts'

const maxRows = 10_000
const ids = z
  .string()
  .max(800_000)
  .transform((text) => text.split(',').filter((part) => part !== ''))
  .pipe(z.array(id).min(1, 'names none').max(maxRows, `may name ${maxRows} at most`))

const fields = {
  assetId: sql`a."assetId"`,
  deviceId: sql`t."id"`,
  since: timeText(sql`a."since"`),
  uniqueId: sql`t."uniqueId"`,
  name: sql`t."name"`,
  type: sql`t."type"`,
  make: sql`t."make"`,
  model: sql`t."model"`,
  protocol: sql`t."protocol"`,
  status: deviceStatus,
  state: deviceState,
  lastUpdate: timeText(sql`l."serverTime"`),
  position: sql`case when l."latitude" is null then null else ${placeOf} end`,
}

/** The devices that are on assets now, all or of those named: for the server, which keeps the assets. */
export const listAssetDevices = handler(z.strictObject({ assetIds: ids.optional() }), async ({ sql: reader, caller }, { assetIds }) => {
  const where = every([
    sql`a."companyId" = ${caller.company}`,
    sql`a."until" is null`,
    sql`t."deletedAt" is null`,
    ...(assetIds === undefined ? [] : [sql`a."assetId" = any(${assetIds}::uuid[])`]),
  ])
  const assetDevices = await reader.query(sql`select ${selection(fields)} from geo.device_asset a
    join geo.device t on t."companyId" = a."companyId" and t."id" = a."deviceId"
    left join geo.latest l on l."companyId" = t."companyId" and l."deviceId" = t."id"
    where ${where} order by a."assetId", t."name", t."id" limit ${maxRows}`)
  return { data: { assetDevices } }
})

const short = {
  assetId: sql`a."assetId"`,
  deviceId: sql`t."id"`,
  uniqueId: sql`t."uniqueId"`,
  name: sql`t."name"`,
  type: sql`t."type"`,
  state: deviceState,
  lastUpdate: timeText(sql`l."serverTime"`),
  fixTime: timeText(sql`l."fixTime"`),
  latitude: sql`l."latitude"`,
  longitude: sql`l."longitude"`,
  speed: sql`l."speed"`,
  course: sql`l."course"`,
  alarm: sql`left(l."attributes" ->> 'alarm', 100)`,
}
/** A fleet as large as one map shows. */
const mostPlaces = 20_000

/** Where the devices on all assets of the caller are, one short row each: a map asks for all of them at once. */
export const listAssetPlaces = handler(z.strictObject({}), async ({ sql: reader, caller }) => ({
  json: await reader.text(sql`select json_build_object('success', true, 'data', json_build_object('assetPlaces', coalesce(json_agg(r), '[]')))::text from (
    select ${selection(short)} from geo.device_asset a join geo.device t on t."companyId" = a."companyId" and t."id" = a."deviceId"
      left join geo.latest l on l."companyId" = t."companyId" and l."deviceId" = t."id"
    where a."companyId" = ${caller.company} and a."until" is null and t."deletedAt" is null order by a."assetId", t."name", t."id" limit ${mostPlaces}) r`),
}))

/** Metres and seconds of the engine that the trackers of assets measured since their dashboards were read; from the first on where nobody read them. */
export const measuredByAsset = handler(z.strictObject({ assetIds: ids }), async ({ sql: reader, caller }, { assetIds }) => ({
  data: {
    measured: await reader.query(sql`select a."id" as "assetId",
      coalesce((select sum(t."metres") from geo.trip t where t."companyId" = a."companyId" and t."assetId" = a."id" and t."startTime" >= coalesce(a."odometerAt", '-infinity')), 0)::float8 as "metres",
      coalesce((select sum(t."seconds") from geo.engine_session t where t."companyId" = a."companyId" and t."assetId" = a."id" and t."startTime" >= coalesce(a."engineHoursAt", '-infinity')), 0)::float8 as "engineSeconds"
      from public.asset a where a."companyId" = ${caller.company} and a."id" = any(${assetIds}::uuid[]) and a."deletedAt" is null
        and exists (select from geo.device_asset d where d."companyId" = a."companyId" and d."assetId" = a."id")`),
  },
}))

const unlinked = {
  id: sql`t."id"`,
  uniqueId: sql`t."uniqueId"`,
  name: sql`t."name"`,
  protocol: sql`t."protocol"`,
  model: sql`t."model"`,
  status: sql`t."status"`,
  lastUpdate: timeText(sql`t."lastUpdate"`),
  dateCreated: timeText(sql`t."dateCreated"`),
}
const ordering = {
  fields: { ...unlinked, lastUpdate: sql`t."lastUpdate"`, dateCreated: sql`t."dateCreated"` },
  sorts: ['name', 'uniqueId', 'protocol', 'model', 'status', 'lastUpdate', 'dateCreated'],
  sort: ['dateCreated', 'DESC'] as const,
}

/**
 * Devices on no asset that nobody carries, and identities that came in over the company's own feeds and are not registered (id null).
 * Strangers that came in otherwise belong to nobody: a list of them would let one company take another's trackers.
 */
export const listUnlinked = handler(z.strictObject(listShape), async ({ sql: reader, caller }, input) => {
  const text = searchText(input)?.toUpperCase()
  const from = sql`(select d."id", d."uniqueId", d."name", d."protocol", d."model", ${deviceStatus} as "status", l."serverTime" as "lastUpdate", d."dateCreated"
      from geo.device d join geo.device t on t."companyId" = d."companyId" and t."id" = d."id" left join geo.latest l on l."companyId" = d."companyId" and l."deviceId" = d."id"
      where d."companyId" = ${caller.company} and d."deletedAt" is null and d."userId" is null
        and not exists (select from geo.device_asset a where a."companyId" = d."companyId" and a."deviceId" = d."id" and a."until" is null)
    union all
    select null, u."uniqueId", coalesce(u."words" ->> 'name', u."uniqueId"), u."protocol", u."words" ->> 'model', 'unknown', u."lastSeen", u."firstSeen"
      from geo.unlinked u where u."companyId" = ${caller.company}
        and not exists (select from geo.device d where d."companyId" = u."companyId" and d."uniqueId" = u."uniqueId" and d."deletedAt" is null)) t`
  const where =
    text === undefined ? sql`true` : sql`upper(concat_ws(' ', t."uniqueId", t."name", t."model")) like ${`%${escapeLike(text)}%`}`
  return {
    json: await reader.text(
      pageStatement({
        many: 'unlinkedDevices',
        input,
        fields: unlinked,
        from,
        joins: sql``,
        where,
        order: orderOf(ordering, input, sql`t."uniqueId"`),
      }),
    ),
  }
})
