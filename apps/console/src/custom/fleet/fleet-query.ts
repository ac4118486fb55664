import { isNetworkError } from '../../data/api.ts'
import { call } from '../../data/calls.ts'
import { cached, putCached } from '../../offline/store/views-cache.ts'
import { getTenantId, serverNow } from '../../session/token.ts'
import { assetsOf, type MapAsset } from './fleet.ts'

/** All assets, and when that was so; `isKept`: as this device knew them last, without a connection. */
interface Picture {
  assets: MapAsset[]
  at: number
  isKept?: boolean
}
/** A device keeps the last picture of so many; more are nobody's to find on foot. */
const mostKept = 1_000
const keptName = () => `fleet:${getTenantId() ?? ''}`

async function readAll(signal: AbortSignal): Promise<Picture> {
  try {
    const [fleet, places] = await Promise.all([call('fleet.assets', {}, { signal }), call('geo.assets.places', {}, { signal })])
    const assets = assetsOf(fleet.data.assets, { groups: fleet.data.groups, places: places.data.assetPlaces })
    const picture: Picture = { assets, at: serverNow() }
    if (assets.length <= mostKept) void putCached(keptName(), picture)
    return picture
  } catch (error) {
    const kept = isNetworkError(error) ? await cached<Picture>(keptName()) : undefined
    if (!kept) throw error
    return { ...kept, isKept: true, assets: kept.assets.map(asLastKnown) }
  }
}

/** What it does now nobody knows; where it was is still of use. */
const asLastKnown = (asset: MapAsset): MapAsset => ({
  ...asset,
  devices: asset.devices.map((device) => ({ ...device, state: 'offline', alarm: null })),
})

/** How all assets of the caller and their last places are asked for. */
export const fleetQuery = () => ({
  queryKey: ['records', 'asset', 'fleet'],
  queryFn: ({ signal }: { signal: AbortSignal }) => readAll(signal),
  staleTime: 60_000,
})
