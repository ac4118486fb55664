import { useEffect } from 'react'
import { AttributionControl, TileLayer, useMap } from 'react-leaflet'
import { useFrame } from '../data/queries.ts'
import { useScheme } from '../theme/scheme.ts'
import { makeGraticule } from './graticule.ts'

/**
 * What lies under everything: the tiles of the company's source when it has one, and always the lines of latitude and
 * longitude below them, so that a map is of use without a network too.
 */
export function BaseLayer() {
  const map = useMap()
  const scheme = useScheme()
  const tiles = useFrame().data?.company.tiles
  useEffect(() => {
    const layer = makeGraticule(map).addTo(map)
    return () => void layer.remove()
  }, [map, scheme])
  if (!tiles) return null
  return (
    <>
      <AttributionControl prefix={false} />
      <TileLayer key={tiles.url} url={tiles.url} attribution={tiles.attribution} maxNativeZoom={tiles.maxZoom ?? 19} maxZoom={19} zIndex={1} className="map-tiles" />
    </>
  )
}
