import { useEffect, useState } from 'react'
import { AttributionControl, TileLayer, useMap } from 'react-leaflet'
import type { TileSource } from '@outpost/contract/console'
import { useLayout } from '../../data/queries.ts'
import { useScheme } from '../../theme/scheme.ts'
import { groundShapes, type GroundShapes } from './ground-data.ts'
import { GroundNames } from './GroundNames.tsx'
import { makeGround } from './ground.ts'
import { isTileSourceAvailable } from './tiles.ts'

/**
 * The base layer: always the bundled base map, so that a map is useful without a network, and above it the tiles of the company's source
 * once it has answered.
 */
export function BaseLayer() {
  const map = useMap()
  const scheme = useScheme()
  const shapes = useShapes()
  const tiles = useAvailableTiles(useLayout().data?.company.tiles)
  useEffect(() => {
    const layer = makeGround(map, shapes).addTo(map)
    return () => void layer.remove()
  }, [map, scheme, shapes])
  return (
    <>
      <GroundNames hasPlaces={!tiles} />
      {tiles ? (
        <>
          <AttributionControl prefix={false} />
          <TileLayer
            key={tiles.url}
            url={tiles.url}
            attribution={tiles.attribution}
            maxNativeZoom={tiles.maxZoom ?? 19}
            maxZoom={19}
            zIndex={1}
            className="map-tiles"
          />
        </>
      ) : null}
    </>
  )
}

function useShapes(): GroundShapes | undefined {
  const [shapes, setShapes] = useState<GroundShapes>()
  useEffect(() => {
    let isGone = false
    // Without a network the map shows its graticule; the next map tries again.
    groundShapes().then(
      (found) => {
        if (!isGone) setShapes(found)
      },
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [])
  return shapes
}

/** The tile source, once it has returned one tile: a map must not show holes of a source that does not answer. */
function useAvailableTiles(tiles: TileSource | undefined): TileSource | undefined {
  const [answering, setAnswering] = useState<TileSource>()
  useEffect(() => {
    let isGone = false
    if (tiles)
      void isTileSourceAvailable(tiles.url).then((answers) => {
        if (answers && !isGone) setAnswering(tiles)
      })
    return () => {
      isGone = true
    }
  }, [tiles])
  // A former source's answer says nothing of this one.
  return answering === tiles ? answering : undefined
}
