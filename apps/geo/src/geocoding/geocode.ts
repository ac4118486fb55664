import type { Point } from '@outpost/rules/places/distance'
import { cellOf, writeCoordinates } from './coordinates.ts'

/** The name of a place and its source; distance in metres from what is named, null when unknown. */
export interface Address {
  address: string
  source: 'poi' | 'fence' | 'cache' | 'remote' | 'place' | 'coordinates'
  distanceM: number | null
  placeId: string | null
}

export interface CachedAddress {
  address: string
  placeId: string | null
}

/** Sources of names. Each may fail or know nothing; then the next is asked. */
export interface Sources {
  /** The company's own fences and points of interest. */
  own(point: Point): Promise<{ id: string; name: string; source: 'poi' | 'fence'; metres: number } | undefined>
  /** Cached lookups, by cell (cellOf). */
  cache: { read(cell: string): Promise<CachedAddress | undefined>; write(cell: string, found: CachedAddress): Promise<void> }
  /** The operator's geocoder; null when none is configured. */
  remote: ((point: Point) => Promise<CachedAddress | undefined>) | null
  /** The bundled places. */
  place(point: Point): Promise<{ address: string; metres: number; placeId: string } | undefined>
  /** Reports a failed source for the log; the caller never sees it. */
  failed(source: string, error: unknown): void
}

/** Names a place: own fences, cache, configured geocoder, bundled places, finally its coordinates. Never fails and needs no internet. */
export async function geocode(point: Point, sources: Sources): Promise<Address> {
  const cell = cellOf(point)
  const steps: [string, () => Promise<Address | undefined>][] = [
    [
      'own',
      async () => {
        const found = await sources.own(point)
        return found && { address: found.name, source: found.source, distanceM: found.metres, placeId: found.id }
      },
    ],
    [
      'cache',
      async () => {
        const found = await sources.cache.read(cell)
        return found && { ...found, source: 'cache', distanceM: null }
      },
    ],
    ['remote', () => fromRemote(point, cell, sources)],
    [
      'place',
      async () => {
        const found = await sources.place(point)
        return found && { address: found.address, source: 'place', distanceM: found.metres, placeId: found.placeId }
      },
    ],
  ]
  for (const [name, step] of steps) {
    const found = await step().catch((error: unknown) => {
      sources.failed(name, error)
    })
    if (found) return found
  }
  return { address: writeCoordinates(point), source: 'coordinates', distanceM: 0, placeId: null }
}

async function fromRemote(point: Point, cell: string, { remote, cache, failed }: Sources): Promise<Address | undefined> {
  const found = await remote?.(point)
  if (!found) return undefined
  await cache.write(cell, found).catch((error: unknown) => {
    failed('cache', error)
  })
  return { ...found, source: 'remote', distanceM: null }
}
