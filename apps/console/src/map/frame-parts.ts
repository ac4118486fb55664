import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { Map as LeafletMap } from 'leaflet'
import { useMapEvents } from 'react-leaflet'
import type { Bounds, MapArea, MapLine, MapPoint, Place } from './shapes.ts'
import { boundsOf, parseViewport, viewportText } from './viewport.ts'

interface ViewportRequest { map: LeafletMap | null, points: readonly MapPoint[], lines: readonly MapLine[], areas: readonly MapArea[], viewport: string | undefined, onViewport: ((text: string) => void) | undefined }

/**
 * Keeps map and address together: the address moves the map, the user's moves go into the address. Without a viewport
 * the map shows all there is as soon as there is something, and that is not written down.
 */
export function useViewport({ map, points, lines, areas, viewport, onViewport }: ViewportRequest): { fit: () => void } {
  const isOwn = useRef(false)
  const tell = useRef(onViewport)
  tell.current = onViewport
  const bounds = useMemo(() => contentBounds(points, lines, areas), [points, lines, areas])
  const fit = useCallback(() => {
    if (map && bounds) map.fitBounds([[bounds.south, bounds.west], [bounds.north, bounds.east]], { padding: [40, 40], maxZoom: 15, animate: false })
  }, [map, bounds])
  const hasBounds = bounds !== undefined
  useEffect(() => {
    if (!map) return
    const wanted = parseViewport(viewport)
    if (wanted && viewportText(wanted) === textOf(map)) return
    isOwn.current = true
    if (wanted) map.setView([wanted.lat, wanted.lng], wanted.zoom, { animate: false })
    else fit()
    isOwn.current = false
    // New points do not pull the map away from where the user looks.
  }, [map, viewport, hasBounds])
  useEffect(() => {
    if (!map) return
    const note = () => { if (!isOwn.current) tell.current?.(textOf(map)) }
    map.on('moveend', note)
    return () => void map.off('moveend', note)
  }, [map])
  return { fit }
}

const textOf = (map: LeafletMap): string => viewportText({ ...plain(map.getCenter()), zoom: map.getZoom() })
const plain = ({ lat, lng }: Place): Place => ({ lat, lng })

function contentBounds(points: readonly MapPoint[], lines: readonly MapLine[], areas: readonly MapArea[]): Bounds | undefined {
  const corners = [...lines.flatMap(({ positions }) => positions), ...areas.flatMap((area) => 'corners' in area ? area.corners : [])]
  const circles = areas.flatMap((area) => 'radius' in area ? aroundOf(area) : [])
  return boundsOf([...points, ...corners.map(([lat, lng]) => ({ lat, lng })), ...circles])
}

const metresOfDegree = 111_320

/** North, south, east and west of a circle. */
function aroundOf({ lat, lng, radius }: Place & { radius: number }): Place[] {
  const [up, side] = [radius / metresOfDegree, radius / (metresOfDegree * Math.max(0.01, Math.cos((lat * Math.PI) / 180)))]
  return [{ lat: lat + up, lng }, { lat: lat - up, lng }, { lat, lng: lng + side }, { lat, lng: lng - side }]
}

/** Tells leaflet when its place grew or shrank. */
export function useResize(map: LeafletMap | null): void {
  useEffect(() => {
    if (!map) return
    const observer = new ResizeObserver(() => map.invalidateSize({ animate: false, pan: false }))
    observer.observe(map.getContainer())
    return () => observer.disconnect()
  }, [map])
}

/** Hands on clicks on the ground. */
export function GroundClicks({ onGround }: { onGround: (place: Place) => void }) {
  useMapEvents({ click: ({ latlng }) => onGround(plain(latlng)) })
  return null
}
