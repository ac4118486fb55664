import { fail, Failure } from '@outpost/contract/errors'
import { chunk } from 'es-toolkit/array/chunk'
import { z } from 'zod'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { askGeo } from '../calls/ask-geo.ts'
import { mounted, type Mounted } from './asset-wire.ts'

/** An address takes 16 KiB with all else that travels before a body. */
export const idsInAnAddress = 300

const shape = z.object({ assetDevices: z.array(mounted) })

/** The devices that are on these assets now, by asset. */
export async function devicesOfAssets(client: GeoClient, ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, Mounted[]>> {
  const answers = await Promise.all(
    chunk(ids, idsInAnAddress).map((some) => askGeo(client, ctx, 'assets.devices', { query: { assetIds: some.join(',') }, shape })),
  )
  return Map.groupBy(
    answers.flatMap(({ data }) => data.assetDevices),
    ({ assetId }) => assetId,
  )
}

const owned = z.object({
  geoDevice: z.object({ id: z.string(), assets: z.array(z.object({ assetId: z.string(), until: z.string().nullable() })) }),
})

/** Devices that are to be on an asset: each in the caller's sight, and none on another asset already. INVALID names which is not. */
export async function requireFreeDevices(
  client: GeoClient,
  ctx: Ctx,
  deviceIds: readonly string[],
  assetId: string | undefined,
): Promise<void> {
  for (const [index, id] of deviceIds.entries()) {
    const refuse = (message: string) => fail('INVALID', { fields: [{ field: `asset_devices.${index}.deviceId`, message }] })
    const { data } = await askGeo(client, ctx, 'devices.get', { params: { id }, shape: owned }).catch((error: unknown) => {
      if (error instanceof Failure && error.failure === 'NOT_FOUND') return refuse('is no device of yours')
      throw error
    })
    if (data.geoDevice.assets.some((link) => link.until === null && link.assetId !== assetId))
      refuse('is on another asset: take it off there first')
  }
}

/** Gives an asset exactly these devices: those that go are taken off, those that come are mounted, from now on. */
export async function setDevices(client: GeoClient, ctx: Ctx, assetId: string, deviceIds: readonly string[]): Promise<void> {
  const present = (await devicesOfAssets(client, ctx, [assetId])).get(assetId) ?? []
  const wanted = new Set(deviceIds)
  const gone = present.filter(({ deviceId }) => !wanted.has(deviceId)).map(({ deviceId }) => ({ deviceId, on: null }))
  const come = deviceIds.filter((id) => !present.some(({ deviceId }) => deviceId === id)).map((deviceId) => ({ deviceId, on: assetId }))
  for (const { deviceId, on } of [...gone, ...come])
    await askGeo(client, ctx, 'devices.setAsset', { params: { id: deviceId }, body: { assetId: on }, shape: z.looseObject({}) })
}
