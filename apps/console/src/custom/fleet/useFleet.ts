import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { LivePosition } from '@outpost/contract/geo/calls'
import { call } from '../../data/calls.ts'
import { useServerMinute } from '../../view/clock.ts'
import { on, send } from '../../data/live.ts'
import { soonAfterFailure } from './Outdated.tsx'
import { fleetQuery } from './fleet-query.ts'
import { createTracker, type MapAsset, type Tracked } from './fleet.ts'

/** Moves are drawn together, so that thousands of vehicles cost one drawing. */
const drawMs = 500
const none: MapAsset[] = []
const noMoves: ReadonlyMap<string, LivePosition> = new Map()
/** While the picture is an old one it is asked for again this often. */
const soonMs = 15_000
type Box = [number, number, number, number]

/** All assets of the caller, and where those in view are now: one socket tells what moves in the box, and after each move of the map what is there is asked once. */
export function useFleet() {
  const { data, error, isPending, refetch } = useQuery({
    ...fleetQuery(),
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
