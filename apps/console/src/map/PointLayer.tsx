import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useMap } from 'react-leaflet'
import type { Map as LeafletMap } from 'leaflet'
import { useScheme } from '../theme/scheme.ts'
import { clusterZoom, indexPoints } from './clusters.ts'
import type { Mark, PointIndex } from './clusters.ts'
import { makeDotCanvas } from './dots.ts'
import type { DotCanvas } from './dots.ts'
import { makeMarkerPool } from './markers.ts'
import type { MarkerPool } from './markers.ts'
import { labelsThatFit } from './ground/labels.ts'
import type { Bounds, MapPoint, Place } from './shapes.ts'

/** Maximum number of HTML markers; more single points are drawn on a canvas. */
const maxMarkers = 300

export interface PointLayerProps {
  points: readonly MapPoint[]
  isClustered: boolean
  selected: ReadonlySet<string>
  onPick: (point: MapPoint) => void
  /** Points at the same place, which zooming cannot separate. */
  onPickStack: (points: MapPoint[]) => void
}

/** Draws the points through leaflet itself; React only passes changes on. */
export function PointLayer({ points, isClustered, selected, onPick, onPickStack }: PointLayerProps) {
  const map = useMap()
  const scheme = useScheme()
  const index = useMemo(() => indexPoints(points, isClustered), [points, isClustered])
  const pick = useEffectEvent((mark: Mark) => {
    if (mark.kind === 'point') return onPick(mark.point)
    const zoom = index.splitZoom(mark)
    if (zoom > clusterZoom) onPickStack(index.members(mark))
    else map.flyTo([mark.lat, mark.lng], zoom, { duration: 0.4 })
  })
  const layers = useRef<{ pool: MarkerPool; dots: DotCanvas } | null>(null)
  useEffect(() => {
    const onMark = (mark: Mark) => pick(mark)
    const made = { pool: makeMarkerPool(onMark), dots: makeDotCanvas(map, onMark) }
    layers.current = made
    made.dots.group.addTo(map)
    made.pool.group.addTo(map)
    return () => {
      made.pool.group.remove()
      made.dots.group.remove()
      layers.current = null
    }
  }, [map])
  useEffect(() => {
    const draw = () => {
      if (layers.current) drawMarks(layers.current, map, index, selected)
    }
    draw()
    map.on('moveend', draw)
    return () => void map.off('moveend', draw)
  }, [map, index, selected, scheme])
  return null
}

function drawMarks(
  { pool, dots }: { pool: MarkerPool; dots: DotCanvas },
  map: LeafletMap,
  index: PointIndex,
  selected: ReadonlySet<string>,
): void {
  const marks = index.marksIn(paddedBounds(map), map.getZoom())
  const singles = marks.filter((mark) => mark.kind === 'point')
  const isMany = singles.length > maxMarkers
  const labelled = isMany
    ? new Set()
    : labelsThatFit(marks.map((mark) => ({ key: mark.key, isPoint: mark.kind === 'point', ...pixelOf(map, mark) })))
  const look = { isLabelled: (key: string) => labelled.has(key), isSelected: (id: string) => selected.has(id) }
  dots.show(isMany ? singles.filter(({ point }) => point.number === undefined) : [], look)
  pool.show(isMany ? marks.filter((mark) => mark.kind === 'cluster' || mark.point.number !== undefined) : marks, look)
}

function pixelOf(map: LeafletMap, place: Place): { x: number; y: number } {
  const { x, y } = map.latLngToLayerPoint(place)
  return { x, y }
}

/** The visible bounds plus a quarter on each side, so that a drag shows marks that are already drawn. */
function paddedBounds(map: LeafletMap): Bounds {
  const bounds = map.getBounds().pad(0.25)
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
}
