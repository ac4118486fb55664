import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Map as LeafletMap } from 'leaflet'
import { MapContainer, ScaleControl } from 'react-leaflet'
import { t } from '../session/labels.ts'
import { BaseLayer } from './ground/BaseLayer.tsx'
import { clusterZoom } from './clusters.ts'
import { GroundClicks, useResize, useViewport } from './viewport-hooks.ts'
import { idsInside } from './inside.ts'
import { MapList } from './MapList.tsx'
import { MapTools } from './MapTools.tsx'
import type { DrawKind } from './MapTools.tsx'
import { PointLayer } from './PointLayer.tsx'
import { PointPopup } from './PointPopup.tsx'
import { myPosition } from './position.ts'
import { Shapes } from './Shapes.tsx'
import type { MapArea, MapLine, MapPoint, Place } from './shapes.ts'
import { parseViewport } from './viewport.ts'
import 'leaflet/dist/leaflet.css'
import './map.css'

export interface MapViewProps {
  /** The name of the map, for screen readers and as the title of the list. */
  label: string
  points?: readonly MapPoint[]
  lines?: readonly MapLine[]
  areas?: readonly MapArea[]
  /** False: points are never clustered (more than 300 are drawn on a canvas). */
  isClustered?: boolean
  selected?: ReadonlySet<string>
  /** Enables the lasso; receives the ids inside the drawn ring. */
  onSelect?: (ids: string[]) => void
  /** Called when a point is chosen on the map or in the list. Without it (or with `popup`) a popup opens. */
  onOpen?: (point: MapPoint) => void
  popup?: (point: MapPoint) => ReactNode
  /** Called on a click on the base map, e.g. to set a position. */
  onGround?: (place: Place) => void
  /** The viewport from the address; without one the map shows all points. */
  viewport?: string
  onViewport?: (text: string) => void
  /** Enables "near me"; receives the device's position. */
  onNear?: (place: Place) => void
  hasList?: boolean
  /** CSS height of the map; the list is beside it, or below on phones. */
  height?: string
  /** Further layers, built with useMap() of react-leaflet. */
  children?: ReactNode
}

const DrawTool = lazy(async () => ({ default: (await import('./draw/DrawTool.tsx')).DrawTool }))
const none: readonly never[] = []
const noSelection: ReadonlySet<string> = new Set()

/** A map with all features of Outpost's maps; see README.md of this folder. */
export function MapView(props: MapViewProps) {
  const {
    label,
    points = none,
    lines = none,
    areas = none,
    isClustered = true,
    selected = noSelection,
    onSelect,
    onOpen,
    popup,
    onGround,
    onNear,
    hasList = true,
    height,
    children,
  } = props
  const [map, setMap] = useState<LeafletMap | null>(null)
  const [opened, setOpened] = useState<readonly MapPoint[]>(none)
  const [drawing, setDrawing] = useState<DrawKind>()
  const [me, setMe] = useState<Place>()
  const [isLocating, setLocating] = useState(false)
  const [start] = useState(() => parseViewport(props.viewport))
  const { fit } = useViewport({ map, points, lines, areas, viewport: props.viewport, onViewport: props.onViewport })
  useResize(map)
  useEffect(() => labelElement(map, label), [map, label])
  const pick = useCallback(
    (point: MapPoint) => {
      if (onOpen && !popup) return onOpen(point)
      setOpened([point])
    },
    [onOpen, popup],
  )
  const pickListed = (point: MapPoint) => {
    map?.panInside([point.lat, point.lng], { padding: [60, 60], animate: false })
    pick(point)
  }
  const near = onNear
    ? async () => {
        setLocating(true)
        const place = await myPosition()
        setLocating(false)
        if (!place) return
        setMe(place)
        map?.setView(place, Math.max(map.getZoom(), 13))
        onNear(place)
      }
    : undefined
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target as HTMLElement).classList.contains('leaflet-container')) return
    if (event.key === 'f') fit()
    else if (event.key === 'r') setDrawing('measure')
    else if (event.key === 'l' && onSelect) setDrawing('lasso')
    else if (event.key === 'n' && near) void near()
  }
  const marks = useMemo(
    () => (me ? [...points, { id: 'me', lat: me.lat, lng: me.lng, label: t('You are here'), tone: 'info' as const }] : points),
    [points, me],
  )
  return (
    <div
      className="map-viewport"
      role="group"
      aria-label={label}
      data-list={hasList}
      style={height ? { blockSize: height } : undefined}
      onKeyDown={press}
    >
      <div className="map-stage">
        <MapContainer
          ref={setMap}
          center={start ? [start.lat, start.lng] : [0, 25]}
          zoom={start?.zoom ?? 4}
          minZoom={2}
          maxZoom={clusterZoom}
          zoomControl={false}
          attributionControl={false}
          worldCopyJump
          className="map-canvas"
        >
          <BaseLayer />
          <ScaleControl imperial={false} />
          <Shapes lines={lines} areas={areas} />
          <PointLayer points={marks} isClustered={isClustered} selected={selected} onPick={pick} onPickStack={setOpened} />
          <PointPopup points={opened} content={popup} onPick={pick} onClose={() => setOpened((now) => (now === opened ? none : now))} />
          {onGround ? <GroundClicks onGround={onGround} /> : null}
          {children}
        </MapContainer>
        {map ? (
          <MapTools
            map={map}
            drawing={drawing}
            onDraw={setDrawing}
            onFit={fit}
            onNear={near ? () => void near() : undefined}
            hasLasso={onSelect !== undefined}
            isLocating={isLocating}
          />
        ) : null}
        {map && drawing ? (
          <Suspense>
            <DrawTool
              key={drawing}
              map={map}
              kind={drawing}
              onEnd={() => {
                setDrawing(undefined)
                map.getContainer().focus()
              }}
              onRing={(corners) => {
                onSelect?.(idsInside(points, corners))
                setDrawing(undefined)
                map.getContainer().focus()
              }}
            />
          </Suspense>
        ) : null}
      </div>
      {map && hasList ? <MapList map={map} title={label} points={points} selected={selected} onPick={pickListed} /> : null}
    </div>
  )
}

/** Leaflet's element receives the keys, so it needs a label and a description. */
function labelElement(map: LeafletMap | null, label: string): void {
  const place = map?.getContainer()
  place?.setAttribute('role', 'application')
  place?.setAttribute('aria-label', `${label}: ${t('arrow keys move, plus and minus zoom')}`)
}
