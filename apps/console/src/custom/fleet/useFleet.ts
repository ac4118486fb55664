import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { LivePosition } from '@outpost/contract/geo/calls'
import { call } from '../../data/calls.ts'
import { useServerMinute } from '../../view/clock.ts'
import { on, send } from '../../data/live.ts'
import { getTenantId, serverNow } from '../../session/token.ts'
import { cached, putCached } from '../../offline/store/views-cache.ts'
import { isNetworkError } from '../../data/api.ts'
import { soonAfterFailure } from './Outdated.tsx'
import { assetsOf, createTracker, type MapAsset, type Tracked } from './fleet.ts'

/** Moves are drawn together, so that thousands of vehicles cost one drawing. */
const drawMs = 500
const none: MapAsset[] = []
const noMoves: ReadonlyMap<string, LivePosition> = new Map()
/** While the picture is an old one it is asked for again this often. */
const soonMs = 15_000
type Box = [number, number, number, number]

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

/** All assets of the caller, and where those in view are now: one socket tells what moves in the box, and after each move of the map what is there is asked once. */
export function useFleet() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['records', 'asset', 'fleet'],
    queryFn: ({ signal }) => readAll(signal),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.isKept ? soonMs : soonAfterFailure(120_000)({ state })),
  })
  const [moves, setMoves] = useState<ReadonlyMap<string, LivePosition>>(new Map())
  const waiting = useRef<LivePosition[]>([])
  const box = useRef<Box>(undefined)
  const take = useCallback((positions: readonly LivePosition[]) => void waiting.current.push(...positions), [])
  const follow = useCallback(
    async (next: Box) => {
      box.current = next
      send('followPositions', { box: next })
      const answer = await call('geo.positions.changes', { query: { box: next.map((degrees) => degrees.toFixed(5)).join(',') } }).catch(
        () => undefined,
      )
      if (answer) take(answer.data.positions as LivePosition[])
    },
    [take],
  )
  useEffect(() => {
    const stops = [
      on('positions', ({ positions }) => take(positions)),
      // A new socket follows nothing yet.
      on('session', () => void (box.current && follow(box.current))),
    ]
    const timer = setInterval(() => {
      if (waiting.current.length === 0) return
      const news = waiting.current
      waiting.current = []
      setMoves((before) => merged(before, news))
    }, drawMs)
    return () => {
      for (const stop of stops) stop()
      clearInterval(timer)
      send('unfollowPositions', {})
    }
  }, [take, follow])
  const { assets = none, at: asOf = 0, isKept = false } = data ?? {}
  const now = useServerMinute()
  const [track] = useState(createTracker)
  const tracked = useMemo((): Tracked[] => track(assets, isKept ? noMoves : moves, now), [track, assets, isKept, moves, now])
  return { tracked, hasData: data !== undefined, error, isPending, refetch, asOf, isKept, follow }
}

/** Of two of one device the greater number counts. */
function merged(before: ReadonlyMap<string, LivePosition>, news: readonly LivePosition[]): ReadonlyMap<string, LivePosition> {
  const after = new Map(before)
  for (const one of news) if (one.seq >= (after.get(one.deviceId)?.seq ?? 0)) after.set(one.deviceId, one)
  return after
}
