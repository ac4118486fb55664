import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../data/calls.ts'
import { ApiError } from '../../data/api.ts'
import type { MapArea, MapLine, MapPoint } from '../../map/index.ts'
import { t } from '../../session/labels.ts'
import { useServerMinute } from '../../view/clock.ts'
import { areasOf, type Fence } from './fence/fences.ts'
import { placedDevice, type MapAsset } from './fleet.ts'

const trailMs = 3_600_000

/** None for whoever may not see them. */
async function noneIfForbidden<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  try {
    return await rows
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return []
    throw error
  }
}

const readFences = async (signal: AbortSignal): Promise<Fence[]> =>
  (await call('fences.all', { params: { x: 'map' } }, { signal })).data.geofences

function useAllFences(isWanted: boolean): Fence[] | undefined {
  const { data } = useQuery({
    queryKey: ['records', 'fence', 'all'],
    enabled: isWanted,
    staleTime: 300_000,
    queryFn: ({ signal }) => noneIfForbidden(readFences(signal)),
  })
  return isWanted ? data : undefined
}

/** Fences as areas of the live map; undefined while they are not wanted. */
export function useFences(isWanted: boolean): MapArea[] | undefined {
  const fences = useAllFences(isWanted)
  return useMemo(() => fences && areasOf(fences.filter(({ type }) => type === 'geofence')), [fences])
}

interface Place {
  Id: string
  name: string
  kind: string
  latitude: number | null
  longitude: number | null
}

/** Company's own locations. */
async function readPlaces(signal: AbortSignal): Promise<Place[]> {
  const { data } = await call(
    'locations.list',
    { query: { size: 1_000, filter: JSON.stringify([{ field: 'isActive', op: 'eq', value: true }]) } },
    { signal },
  )
  return data.locations
}

/** Points of interest and the company's locations as points of the live map; their ids say that they are no assets. */
export function usePlaces(isWanted: boolean): MapPoint[] {
  const fences = useAllFences(isWanted)
  const { data: places } = useQuery({
    queryKey: ['records', 'location', 'places'],
    enabled: isWanted,
    staleTime: 300_000,
    queryFn: ({ signal }) => noneIfForbidden(readPlaces(signal)),
  })
  return useMemo(() => {
    if (!isWanted) return []
    const points = (fences ?? []).flatMap(({ id, name, type, area }): MapPoint[] => {
      const [lng, lat] = type === 'poi' && area.type === 'Point' ? area.coordinates : []
      return lat === undefined || lng === undefined
        ? []
        : [{ id: `place-${id}`, lat, lng, label: name, tone: 'quiet', note: t('Point of interest') }]
    })
    const own = (places ?? []).flatMap(({ Id, name, kind, latitude, longitude }): MapPoint[] =>
      latitude === null || longitude === null
        ? []
        : [{ id: `place-${Id}`, lat: latitude, lng: longitude, label: name, tone: 'quiet', note: t(kind) }],
    )
    return [...own, ...points]
  }, [isWanted, fences, places])
}

export const isPlace = (id: string): boolean => id.startsWith('place-')

/** The way of the last hour of an asset, drawn anew every minute; undefined while it is not wanted. */
export function useTrail(asset: MapAsset | undefined, isWanted: boolean): MapLine[] | undefined {
  const minute = useServerMinute()
  const deviceId = asset && (placedDevice(asset) ?? asset.devices[0])?.deviceId
  const { data } = useQuery({
    queryKey: ['records', 'trail', deviceId, minute],
    enabled: isWanted && deviceId !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = {
        deviceId: deviceId ?? '',
        from: new Date(minute - trailMs).toISOString(),
        to: new Date(minute + 60_000).toISOString(),
        size: '5000',
        fields: 'id,latitude,longitude,isValid',
      }
      const answer = await call('geo.positions.list', { query }, { signal })
      const rows = answer.data.position
      return {
        deviceId,
        positions: rows.flatMap(({ latitude, longitude, isValid }) =>
          isValid && typeof latitude === 'number' && typeof longitude === 'number' ? [[latitude, longitude] as const] : [],
        ),
      }
    },
  })
  return useMemo(
    () =>
      isWanted && data && data.deviceId === deviceId && data.positions.length > 1
        ? [{ id: 'trail', positions: data.positions, tone: 'good', isDashed: true, label: t('The way of the last hour') }]
        : undefined,
    [isWanted, data, deviceId],
  )
}
