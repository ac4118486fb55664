import { useSyncExternalStore } from 'react'
import type { MapLine } from '../../map/index.ts'

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

/** Places of an encoded polyline with five digits. */
export function decodePath(path: string): (readonly [lat: number, lng: number])[] {
  const places: (readonly [number, number])[] = []
  let [index, lat, lng] = [0, 0, 0]
  const next = () => {
    let [result, shift, byte] = [0, 0, 0]
    do {
      byte = path.charCodeAt(index) - 63
      index += 1
      result |= (byte & 31) << shift
      shift += 5
    } while (byte >= 32)
    return result & 1 ? ~(result >> 1) : result >> 1
  }
  while (index < path.length) {
    lat += next()
    lng += next()
    places.push([lat / 1e5, lng / 1e5])
  }
  return places
}
