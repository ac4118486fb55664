import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { Button } from 'antd'
import type { Map as LeafletMap } from 'leaflet'
import { t } from '../session/labels.ts'
import { distanceText, lengthOf } from './distance.ts'
import type { DrawKind } from './MapTools.tsx'
import type { Place } from './shapes.ts'

interface DrawToolProps {
  map: LeafletMap
  kind: DrawKind
  /** Corners of the drawn ring. */
  onRing: (corners: Place[]) => void
  onEnd: () => void
}

const nearPixels = 5
const panPixels = 80

/**
 * Draws a ring on the map. With a pointer: press and drag, or click corner after corner. With keys: arrows move the map under the cross,
 * Space sets a corner, Backspace removes it, Enter closes, Escape cancels.
 */
export function DrawTool({ map, kind, onRing, onEnd }: DrawToolProps) {
  const [corners, setCorners] = useState<Place[]>([])
  const sheet = useRef<HTMLDivElement>(null)
  const stroke = useRef<{ x: number; y: number; hasMoved: boolean } | null>(null)
  useRedraw(map)
  useEffect(() => sheet.current?.focus({ preventScroll: true }), [kind])
  const close = (ring: Place[]) => {
    if (kind === 'lasso' && ring.length >= 3) onRing(ring)
  }
  const add = (place: Place) => setCorners((before) => [...before, place])
  const pointer = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      stroke.current = { ...pixelOf(event), hasMoved: false }
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      const at = pixelOf(event)
      const last = stroke.current
      if (!last || kind === 'measure' || Math.hypot(at.x - last.x, at.y - last.y) < nearPixels) return
      if (!last.hasMoved) add(placeAt(map, last))
      stroke.current = { ...at, hasMoved: true }
      add(placeAt(map, at))
    },
    onPointerUp: (event: PointerEvent<HTMLDivElement>) => {
      const last = stroke.current
      stroke.current = null
      if (last?.hasMoved) close(corners)
      else if (last) add(placeAt(map, pixelOf(event)))
    },
    onDoubleClick: () => close(corners),
  }
  const press = (event: KeyboardEvent) => {
    const act = keyActs(map, { add, close: () => close(corners), back: () => setCorners((before) => before.slice(0, -1)), end: onEnd })[
      event.key
    ]
    if (!act || event.target !== event.currentTarget) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    <>
      <div
        ref={sheet}
        className="map-sheet"
        tabIndex={0}
        role="application"
        aria-label={t(texts[kind].label)}
        aria-describedby="map-draw-help"
        {...pointer}
        onKeyDown={press}
        onWheel={(event) =>
          map.setZoomAround(map.mouseEventToContainerPoint(event.nativeEvent), map.getZoom() - Math.sign(event.deltaY), { animate: false })
        }
      >
        <Drawing map={map} corners={corners} isRing={kind === 'lasso'} />
        <span className="map-cross" aria-hidden />
      </div>
      <div className="map-draw-bar" role="status">
        <span id="map-draw-help">
          {kind === 'measure' && corners.length > 1 ? <strong>{distanceText(lengthOf(corners))}</strong> : t(texts[kind].help)}
        </span>
        {kind === 'lasso' ? (
          <Button size="small" type="primary" disabled={corners.length < 3} onClick={() => close(corners)}>
            {t('Select')}
          </Button>
        ) : null}
        <Button size="small" onClick={() => setCorners([])} disabled={corners.length === 0}>
          {t('Clear')}
        </Button>
        <Button size="small" onClick={onEnd}>
          {t('Done')}
        </Button>
      </div>
    </>
  )
}

const texts: Record<DrawKind, { label: string; help: string }> = {
  lasso: { label: 'Draw around the points to select', help: 'Draw around the points, or click corners. Keys: arrows, Space, Enter.' },
  measure: { label: 'Measure a distance', help: 'Click along the way. Keys: arrows move, Space sets a point.' },
}

function keyActs(
  map: LeafletMap,
  acts: { add: (place: Place) => void; close: () => void; back: () => void; end: () => void },
): Record<string, () => void> {
  const pan = (x: number, y: number) => () => void map.panBy([x, y], { animate: false })
  return {
    ArrowLeft: pan(-panPixels, 0),
    ArrowRight: pan(panPixels, 0),
    ArrowUp: pan(0, -panPixels),
    ArrowDown: pan(0, panPixels),
    '+': () => void map.zoomIn(1, { animate: false }),
    '-': () => void map.zoomOut(1, { animate: false }),
    ' ': () => acts.add(map.getCenter()),
    Enter: acts.close,
    Backspace: acts.back,
    Escape: acts.end,
  }
}

const pixelOf = ({ nativeEvent }: PointerEvent) => ({ x: nativeEvent.offsetX, y: nativeEvent.offsetY })

function placeAt(map: LeafletMap, { x, y }: { x: number; y: number }): Place {
  const { lat, lng } = map.containerPointToLatLng([x, y])
  return { lat, lng }
}

function Drawing({ map, corners, isRing }: { map: LeafletMap; corners: readonly Place[]; isRing: boolean }) {
  const pixels = corners.map((corner) => map.latLngToContainerPoint(corner))
  const path = pixels.map(({ x, y }) => `${x},${y}`).join(' ')
  return (
    <svg className="map-drawing" aria-hidden>
      {isRing ? <polygon points={path} /> : <polyline points={path} />}
      {pixels.length <= 40 ? pixels.map(({ x, y }, index) => <circle key={index} cx={x} cy={y} r={4} />) : null}
    </svg>
  )
}

/** Redraws while the map moves. */
function useRedraw(map: LeafletMap): void {
  const [, setTick] = useState(0)
  useEffect(() => {
    const redraw = () => setTick((tick) => tick + 1)
    map.on('move zoom', redraw)
    return () => void map.off('move zoom', redraw)
  }, [map])
}
