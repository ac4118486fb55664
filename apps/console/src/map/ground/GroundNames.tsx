import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Map as LeafletMap } from 'leaflet'
import { useMap } from 'react-leaflet'
import { between, lineName, stepAt } from './graticule-lines.ts'
import { placeNames } from './ground-data.ts'
import { chooseNames, type NameBox } from './name-boxes.ts'

interface Edge {
  key: string
  text: string
  left?: number
  top?: number
}

/** Place names that fit, and degrees along the edge of the map. Both are decoration; screen readers read the list beside the map. */
export function GroundNames({ hasPlaces }: { hasPlaces: boolean }) {
  const map = useMap()
  const edges = useEdges(map)
  const names = useNames(map, hasPlaces)
  return (
    <>
      <div className="map-edges" aria-hidden="true">
        {edges.map(({ key, text, left, top }) => (
          <span key={key} className={left === undefined ? 'map-edge-side' : 'map-edge-top'} style={{ left, top }}>
            {text}
          </span>
        ))}
      </div>
      {createPortal(
        names.map(({ name, left, top, isCountry }) => (
          <span key={`${name} ${left} ${top}`} className={isCountry ? 'map-name map-country' : 'map-name'} style={{ left, top }}>
            {name}
          </span>
        )),
        paneOf(map),
      )}
    </>
  )
}

/** Above the tiles, below lines and points; leaflet hides it during a zoom animation. */
function paneOf(map: LeafletMap): HTMLElement {
  const known = map.getPane('names')
  if (known) return known
  const pane = map.createPane('names')
  pane.classList.add('leaflet-zoom-hide')
  pane.setAttribute('aria-hidden', 'true')
  return pane
}

function useNames(map: LeafletMap, hasPlaces: boolean): readonly NameBox[] {
  const [names, setNames] = useState<readonly NameBox[]>([])
  useEffect(() => {
    let asked = 0
    const show = () => {
      const mine = ++asked
      void (hasPlaces ? namesOn(map) : Promise.resolve([])).then((found) => {
        if (mine === asked) setNames(found)
      })
    }
    show()
    map.on('moveend resize', show)
    return () => {
      asked = -1
      map.off('moveend resize', show)
    }
  }, [map, hasPlaces])
  return names
}

/** The names that fit, placed in leaflet's own pixels, which move with the map. */
async function namesOn(map: LeafletMap): Promise<NameBox[]> {
  const bounds = map.getBounds()
  const found = await placeNames(
    { west: bounds.getWest(), east: bounds.getEast(), south: bounds.getSouth(), north: bounds.getNorth() },
    map.getZoom(),
  )
  return chooseNames(
    found.map(({ name, lat, lng, isCountry }) => {
      const { x, y } = map.latLngToLayerPoint([lat, lng])
      return { name, isCountry, left: x, top: y }
    }),
  )
}

function useEdges(map: LeafletMap): readonly Edge[] {
  const [edges, setEdges] = useState<readonly Edge[]>([])
  useEffect(() => {
    const show = () => setEdges(edgesOf(map))
    show()
    map.on('move zoomend resize', show)
    return () => void map.off('move zoomend resize', show)
  }, [map])
  return edges
}

/** Meridians are labelled along the top edge, parallels along the left one. */
function edgesOf(map: LeafletMap): Edge[] {
  const bounds = map.getBounds()
  const step = stepAt(map.getZoom())
  const size = map.getSize()
  const at = (lat: number, lng: number) => map.latLngToContainerPoint([lat, lng]).round()
  const tops = between(bounds.getWest(), bounds.getEast(), step)
    .map((lng): Edge => ({ key: `lng ${lng}`, text: lineName(((lng + 540) % 360) - 180, step, 'lng'), left: at(0, lng).x }))
    .filter(({ left = 0 }) => left > 60 && left < size.x - 90)
  const sides = between(Math.max(-85, bounds.getSouth()), Math.min(85, bounds.getNorth()), step)
    .map((lat): Edge => ({ key: `lat ${lat}`, text: lineName(lat, step, 'lat'), top: at(lat, bounds.getWest()).y }))
    .filter(({ top = 0 }) => top > 24 && top < size.y - 50)
  return [...tops, ...sides]
}
