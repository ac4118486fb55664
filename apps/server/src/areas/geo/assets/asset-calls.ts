import { fail } from '@outpost/contract/errors'
import { every, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { numberLike } from '@outpost/contract/input'
import { z } from 'zod'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { listRecords } from '../../../kernel/resource/read/list.ts'
import { createRecord, getRecord, updateRecord, type WireRecord } from '../../../kernel/resource/records.ts'
import {
  checkInput,
  idInput,
  idSchema,
  listSchema,
  writeSchemas,
  type ListInput,
  type RecordInput,
} from '../../../kernel/resource/schema.ts'
import type { Answer, Ctx, Operation } from '../../../kernel/types.ts'
import { askGeo } from '../calls/ask-geo.ts'
import { asset } from './asset.resource.ts'
import { devicesOfAssets, requireFreeDevices, setDevices } from './asset-devices.ts'
import { assetDevice, assetOf, detailedAsset, deviceOf, listedAsset } from './asset-wire.ts'

/** Rows that come with their devices at once; further ones are further pages. */
const largestPage = 1_000

const listInput = listSchema({
  assetStatus: z.string().max(200).optional(),
  assetGroup: idSchema.optional(),
  assetCategory: idSchema.optional(),
})
type AssetList = ListInput & { assetStatus?: string | undefined; assetGroup?: string | undefined; assetCategory?: string | undefined }

function narrowed({ assetStatus, assetGroup, assetCategory }: AssetList): Statement | null {
  const conditions = [
    ...(assetStatus ? [sql`t."status" = any(${assetStatus.split(',').map((one) => one.trim())}::text[])`] : []),
    ...(assetCategory ? [sql`t."categoryId" = ${assetCategory}::uuid`] : []),
    ...(assetGroup
      ? [
          sql`exists (select from asset_group_member m where m."companyId" = t."companyId" and m."assetId" = t."id" and m."assetGroupId" = ${assetGroup}::uuid)`,
        ]
      : []),
  ]
  return conditions.length === 0 ? null : every(conditions)
}

const page = z.object({
  data: z.object({ assets: z.array(z.looseObject({ Id: z.string() })) }),
  meta: z.object({ page: z.number(), size: z.number(), total: z.number() }).loose(),
})

/** GET /api/geo/asset: a page of assets with their devices and places. The specification sorts by vehicle.registrationNumber. */
export const listAssets = (client: GeoClient): Operation<AssetList> => ({
  kind: 'query',
  input: listInput,
  isReadOnly: true,
  answer: () => z.strictObject({ assets: z.array(listedAsset()) }),
  run: async (ctx, { search, sortField = ['registrationNumber'], sortOrder = ['ASC'], size = 100, ...input }) => {
    const asked = {
      ...input,
      search: search?.trim().toUpperCase(),
      size: Math.min(size, largestPage),
      sortField: sortField.map((field) => field.replace(/^vehicle\./, '')),
      sortOrder,
    }
    const answer = await listRecords<AssetList>(ctx, asset, asked, { where: (_, given) => narrowed(given), dateType: 'dateCreated' })
    if (!('json' in answer)) throw new Error('a page of this size comes whole')
    const { data, meta } = page.parse(JSON.parse(answer.json))
    const devices = await devicesOfAssets(
      client,
      ctx,
      data.assets.map(({ Id }) => Id),
    )
    return { data: { assets: data.assets.map((record) => assetOf(record, devices.get(record.Id) ?? [])) }, meta }
  },
})

async function whole(client: GeoClient, ctx: Ctx, record: WireRecord): Promise<Record<string, unknown>> {
  return assetOf(record, (await devicesOfAssets(client, ctx, [record.Id])).get(record.Id) ?? [])
}

/** GET /api/geo/assets/{id}: one asset with its devices. */
export const getAsset = (client: GeoClient): Operation<{ id: string }> => ({
  kind: 'query',
  input: idInput,
  isReadOnly: true,
  answer: () => z.strictObject({ asset: detailedAsset() }),
  run: async (ctx, { id }) => ({ data: { asset: await whole(client, ctx, await getRecord(ctx, asset, id)) } }),
})

const address = z.object({ address: z.string().nullable() })

/** GET /api/geo/assets/details/{id}: the same for the panel of the map, with its place in words and its devices by id. */
export const assetDetails = (client: GeoClient): Operation<{ id: string }> => ({
  kind: 'query',
  input: idInput,
  isReadOnly: true,
  answer: () =>
    z.strictObject({ asset: detailedAsset().extend({ address: z.string().nullable(), devices: z.record(z.string(), assetDevice) }) }),
  run: async (ctx, { id }) => {
    const record = await getRecord(ctx, asset, id)
    const devices = (await devicesOfAssets(client, ctx, [id])).get(record.Id) ?? []
    const told = assetOf(record, devices)
    const { latitude, longitude } = told
    const place =
      latitude === null
        ? null
        : (await askGeo(client, ctx, 'geocoding', { params: { coordinates: `${String(latitude)},${String(longitude)}` }, shape: address }))
            .data.address
    return {
      data: { asset: { ...told, address: place, devices: Object.fromEntries(devices.map((one) => [one.deviceId, deviceOf(one)])) } },
    }
  },
})

/** GET /api/geo/assets/devices/{id}: the devices that are on an asset now. */
export const devicesOfAsset = (client: GeoClient): Operation<{ id: string }> => ({
  kind: 'query',
  input: idInput,
  isReadOnly: true,
  answer: z.strictObject({ assetDevices: z.array(assetDevice) }),
  run: async (ctx, { id }) => {
    const { Id } = await getRecord(ctx, asset, id)
    return { data: { assetDevices: ((await devicesOfAssets(client, ctx, [Id])).get(Id) ?? []).map(deviceOf) } }
  },
})

const deviceRef = z
  .union([idSchema, z.looseObject({ deviceId: idSchema })])
  .transform((given) => (typeof given === 'string' ? given : given.deviceId))
/** The asset as it is shown: facts of the vehicle beside it or within `vehicle`, and its devices. */
const written = z
  .looseObject({ vehicle: z.record(z.string(), z.unknown()).optional(), asset_devices: z.array(deviceRef).max(20).optional() })
  .transform(({ vehicle, asset_devices: devices, ...rest }) => ({
    devices: devices && [...new Set(devices)],
    record: { ...vehicle, ...Object.fromEntries(Object.entries(rest).filter(([key]) => !shown.has(key))) } as RecordInput,
  }))
type Written = z.infer<typeof written>
/** What answers add and a body may send back. */
const shown = new Set(['name', 'state', 'latitude', 'longitude', 'coords', 'lastUpdate', 'deviceTime', 'telemetry', 'address', 'devices'])

/** POST /api/geo/asset: an asset, with devices where it names some. */
export const createAsset = (client: GeoClient): Operation<Written> => ({
  kind: 'command',
  input: written,
  isReadOnly: false,
  answer: () => z.strictObject({ asset: detailedAsset() }),
  run: async (ctx, { record, devices = [] }) => {
    await requireFreeDevices(client, ctx, devices, undefined)
    const input = checkInput(writeSchemas(asset).create, record)
    const made = await ctx.transaction((inner) => createRecord(inner, asset, input))
    if (devices.length > 0) await setDevices(client, ctx, made.Id, devices)
    return { data: { asset: await whole(client, ctx, made) }, message: 'Asset created successfully' }
  },
})

/** PUT /api/geo/asset: the asset that the body's Id names; with asset_devices it has these devices afterwards and no others. */
export const updateAsset = (client: GeoClient): Operation<Written> => ({
  kind: 'command',
  input: written,
  isReadOnly: false,
  answer: () => z.strictObject({ asset: detailedAsset() }),
  run: async (ctx, { record: { Id, id = Id, ...values }, devices }) => {
    const known = idSchema.safeParse(id)
    if (!known.success) return fail('INVALID', { fields: [{ field: 'Id', message: 'is required' }] })
    await getRecord(ctx, asset, known.data)
    if (devices) await requireFreeDevices(client, ctx, devices, known.data)
    const input = checkInput(writeSchemas(asset).update, { ...values, id: known.data })
    const made = await ctx.transaction((inner) => updateRecord(inner, asset, known.data, input))
    if (devices) await setDevices(client, ctx, made.Id, devices)
    return { data: { asset: await whole(client, ctx, made) }, message: 'Asset updated successfully' }
  },
})

const reading = z.number().min(0)

/** PUT /api/geo/assets/{id}/odometer and the like: one value of the asset, and of the tracker that goes on counting from it. */
export const setReading = (client: GeoClient, field: 'odometer' | 'engineHours'): Operation<{ id: string } & RecordInput> => ({
  kind: 'command',
  input: z.strictObject({ id: idSchema, [field]: numberLike(reading.max(field === 'odometer' ? 10_000_000 : 1_000_000)) }) as never,
  isReadOnly: false,
  answer: () => z.strictObject({ asset: detailedAsset() }),
  run: async (ctx, { id, [field]: value }) => {
    const before = (await devicesOfAssets(client, ctx, [(await getRecord(ctx, asset, id)).Id])).get(id) ?? []
    const made = await ctx.transaction((inner) => updateRecord(inner, asset, id, { [field]: value }))
    const main = before.find(({ type }) => type === 'Primary') ?? before[0]
    if (main) await setOnDevice(client, ctx, main.deviceId, field, Number(value))
    return { data: { asset: await whole(client, ctx, made) }, message: 'Asset updated successfully' }
  },
})

async function setOnDevice(client: GeoClient, ctx: Ctx, id: string, field: 'odometer' | 'engineHours', value: number): Promise<void> {
  const reason = 'Read off the dashboard of the asset'
  const body = field === 'odometer' ? { metres: value * 1_000, reason } : { hours: value, reason }
  await askGeo(client, ctx, field === 'odometer' ? 'devices.setOdometer' : 'devices.setEngineHours', {
    params: { id },
    body,
    shape: z.looseObject({}),
  })
}

const iconInput = z.strictObject({ id: idSchema, mapIcon: z.string().max(40) })

/** PUT /api/geo/assets/{id}/map-icon. */
export const setMapIcon = (client: GeoClient): Operation<z.infer<typeof iconInput>> => ({
  kind: 'command',
  input: iconInput,
  isReadOnly: false,
  answer: () => z.strictObject({ asset: detailedAsset() }),
  run: async (ctx, { id, mapIcon }): Promise<Answer> => {
    const input = checkInput(writeSchemas(asset).update, { id, mapIcon })
    const made = await ctx.transaction((inner) => updateRecord(inner, asset, id, input))
    return { data: { asset: await whole(client, ctx, made) }, message: 'Asset updated successfully' }
  },
})

const types = [
  { id: 'Primary', name: 'Primary' },
  { id: 'Bluetooth Transponder', name: 'Bluetooth Transponder' },
]

/** GET /api/geo/asset/device-type. */
export const deviceTypes: Operation<Record<never, never>> = {
  kind: 'query',
  input: z.strictObject({}),
  isReadOnly: true,
  answer: z.strictObject({ deviceTypes: z.array(z.strictObject({ id: z.string(), name: z.string() })) }),
  run: async () => ({ data: { deviceTypes: types } }),
}
