import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { Map as LeafletMap } from 'leaflet'
import { useMapEvents } from 'react-leaflet'
import type { Bounds, MapArea, MapLine, MapPoint, Place } from './shapes.ts'
import { boundsOf, parseViewport, viewportText } from './viewport.ts'

interface ViewportRequest {
  map: LeafletMap | null
  points: readonly MapPoint[]
  lines: readonly MapLine[]
  areas: readonly MapArea[]
  viewport: string | undefined
  onViewport: ((text: string) => void) | undefined
}

/**
 * Synchronises map and address: the address sets the viewport, and the user's moves update the address. Without a viewport the map shows
 * all content once there is any, and the address stays unchanged.
 */
export function useViewport({ map, points, lines, areas, viewport, onViewport }: ViewportRequest): { fit: () => void } {
  const isOwn = useRef(false)
  const bounds = useMemo(() => contentBounds(points, lines, areas), [points, lines, areas])
  const fit = useCallback(() => {
    if (map && bounds)
      map.fitBounds(
        [
          [bounds.south, bounds.west],
          [bounds.north, bounds.east],
        ],
        { padding: [40, 40], maxZoom: 15, animate: false },
      )
  }, [map, bounds])
  const fitOnce = useEffectEvent(fit)
  const report = useEffectEvent((text: string) => onViewport?.(text))
  const hasBounds = bounds !== undefined
  useEffect(() => {
    if (!map) return
    const wanted = parseViewport(viewport)
    if (wanted && viewportText(wanted) === textOf(map)) return
    isOwn.current = true
    if (wanted) map.setView([wanted.lat, wanted.lng], wanted.zoom, { animate: false })
    else fitOnce()
    isOwn.current = false
    // New points do not move the map while the user looks at it.
  }, [map, viewport, hasBounds])
  useEffect(() => {
    if (!map) return
    const note = () => {
      if (!isOwn.current) report(textOf(map))
    }
    map.on('moveend', note)
    return () => void map.off('moveend', note)
  }, [map])
  return { fit }
}

const textOf = (map: LeafletMap): string => viewportText({ ...plain(map.getCenter()), zoom: map.getZoom() })
const plain = ({ lat, lng }: Place): Place => ({ lat, lng })

function contentBounds(points: readonly MapPoint[], lines: readonly MapLine[], areas: readonly MapArea[]): Bounds | undefined {
  const corners = [...lines.flatMap(({ positions }) => positions), ...areas.flatMap((area) => ('corners' in area ? area.corners : []))]
  const circles = areas.flatMap((area) => ('radius' in area ? aroundOf(area) : []))
  return boundsOf([...points, ...corners.map(([lat, lng]) => ({ lat, lng })), ...circles])
}

const metresOfDegree = 111_320

/** Points north, south, east and west on a circle. */
function aroundOf({ lat, lng, radius }: Place & { radius: number }): Place[] {
  const [up, side] = [radius / metresOfDegree, radius / (metresOfDegree * Math.max(0.01, Math.cos((lat * Math.PI) / 180)))]
  return [
    { lat: lat + up, lng },
    { lat: lat - up, lng },
    { lat, lng: lng + side },
    { lat, lng: lng - side },
  ]
}

/** Notifies leaflet when its container is resized. */
export function useResize(map: LeafletMap | null): void {
  useEffect(() => {
    if (!map) return
    const observer = new ResizeObserver(() => map.invalidateSize({ animate: false, pan: false }))
    observer.observe(map.getContainer())
    return () => observer.disconnect()
  }, [map])
}

/** Reports clicks on the base map. */
export function GroundClicks({ onGround }: { onGround: (place: Place) => void }) {
  useMapEvents({ click: ({ latlng }) => onGround(plain(latlng)) })
  return null
}
