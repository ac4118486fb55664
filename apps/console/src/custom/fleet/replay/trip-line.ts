import { useSyncExternalStore } from 'react'
import type { MapLine } from '../../../map/index.ts'

interface Shown {
  assetId: string
  lines: MapLine[]
}
let shown: Shown | undefined
const listeners = new Set<() => void>()

/** Shows the way of a trip of one asset on the live map; another asset has none. */
export function showTrip(next: Shown | undefined): void {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The way that is shown of this asset: selecting another one forgets it. */
export const useTripLine = (assetId: string | undefined): MapLine[] | undefined =>
  useSyncExternalStore(subscribe, () => (shown !== undefined && shown.assetId === assetId ? shown.lines : undefined))
