import { call } from '../../data/calls.ts'
import { assetsOf, type MapAsset, type MapDevice } from './fleet.ts'

async function readAll(signal: AbortSignal): Promise<MapAsset[]> {
  const [fleet, places] = await Promise.all([call('fleet.assets', {}, { signal }), call('geo.assets.places', {}, { signal })])
  return assetsOf(fleet.data.assets, { groups: fleet.data.groups, places: places.data.assetPlaces as MapDevice[] })
}

/** How all assets of the caller and their last places are asked for. */
export const fleetQuery = () => ({
  queryKey: ['records', 'asset', 'fleet'],
  queryFn: ({ signal }: { signal: AbortSignal }) => readAll(signal),
  staleTime: 60_000,
})
