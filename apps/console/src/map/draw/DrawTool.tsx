import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { KeyboardEvent, WheelEvent } from 'react'
import { Button, Segmented } from 'antd'
import type { Map as LeafletMap } from 'leaflet'
import { t } from '../../session/labels.ts'
import { distanceText, lengthOf } from '../distance.ts'
import type { DrawKind } from '../MapTools.tsx'
import type { Place } from '../shapes.ts'
import { CornerList } from './CornerList.tsx'
import { mostCorners, openPen, type Pen, type PenMode } from './pen.ts'

interface DrawToolProps {
  map: LeafletMap
  kind: DrawKind
  /** Corners of the drawn ring. */
  onRing: (corners: Place[]) => void
  onEnd: () => void
}

const panPixels = 80

/**
 * Draws a ring or a line on the map. A pointer draws it in one stroke or corner by corner. With keys: arrows move the map under the
 * cross, Space sets a corner, Backspace removes it, Enter closes, Escape cancels. Corners can also be typed as numbers.
 */
export function DrawTool({ map, kind, onRing, onEnd }: DrawToolProps) {
  const sheet = useRef<HTMLDivElement>(null)
  const { corners, length, mode, setMode, change } = usePen({ map, kind, sheet, onRing })
  const [hasNumbers, setHasNumbers] = useState(false)
  useEffect(() => sheet.current?.focus({ preventScroll: true }), [kind])
  const close = () => {
    if (kind === 'lasso' && corners.length >= 3) onRing(corners)
  }
  const press = (event: KeyboardEvent) => {
    const add = () => change([...corners, placeAt(map)])
    const act = keyActs(map, { add, close, back: () => change(corners.slice(0, -1)), end: onEnd })[event.key]
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
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onKeyDown={press}
        onWheel={(event) => zoomAround(map, event)}
      >
        <span className="map-cross" aria-hidden />
      </div>
      <div className="map-draw-bar">
        <span id="map-draw-help" role="status">
          {length === undefined ? t(texts[kind].help) : <strong>{distanceText(length)}</strong>}
        </span>
        {kind === 'lasso' ? (
          <>
            <Segmented
              size="small"
              aria-label={t('How to draw')}
              value={mode}
              options={penModes.map(({ value, label }) => ({ value, label: t(label) }))}
              onChange={setMode}
            />
            <Button size="small" type="primary" disabled={corners.length < 3} onClick={close}>
              {t('Select')}
            </Button>
          </>
        ) : null}
        <Button size="small" aria-expanded={hasNumbers} disabled={corners.length > mostCorners} onClick={() => setHasNumbers(!hasNumbers)}>
          {t('Numbers')}
        </Button>
        <Button size="small" onClick={() => change([])} disabled={corners.length === 0}>
          {t('Clear')}
        </Button>
        <Button size="small" onClick={onEnd}>
          {t('Done')}
        </Button>
        {hasNumbers && corners.length <= mostCorners ? (
          <CornerList corners={corners} middle={() => placeAt(map)} onChange={change} />
        ) : null}
      </div>
    </>
  )
}

const texts: Record<DrawKind, { label: string; help: string }> = {
  lasso: { label: 'Draw around the points to select', help: 'Draw around the points, or set corners. Keys: arrows, Space, Enter.' },
  measure: { label: 'Measure a distance', help: 'Click along the way. Keys: arrows move, Space sets a point.' },
}
const penModes: { value: PenMode; label: string }[] = [
  { value: 'freehand', label: 'Stroke' },
  { value: 'polygon', label: 'Corners' },
]

/** The shape that is drawn: by the pointer through terra-draw, or by corners that `change` sets. Length in metres, of a line only. */
function usePen({
  map,
  kind,
  sheet,
  onRing,
}: Pick<DrawToolProps, 'map' | 'kind' | 'onRing'> & { sheet: React.RefObject<HTMLDivElement | null> }) {
  const [corners, setCorners] = useState<Place[]>([])
  const [path, setPath] = useState<Place[]>([])
  const [mode, setMode] = useState<PenMode>(kind === 'lasso' ? 'freehand' : 'linestring')
  const pen = useRef<Pen>(undefined)
  const draw = (set: Place[], withPointer: Place[]) => {
    setCorners(set)
    setPath(withPointer)
  }
  const finish = useEffectEvent((drawn: Place[]) => {
    if (kind === 'measure') draw(drawn, drawn)
    else if (drawn.length >= 3) onRing(drawn)
  })
  const firstMode = useRef(mode)
  useEffect(() => {
    if (!sheet.current) return undefined
    const own = openPen({ map, sheet: sheet.current, mode: firstMode.current, onDraw: draw, onFinish: (drawn) => finish(drawn) })
    pen.current = own
    return () => own.end()
  }, [map, sheet])
  return {
    corners,
    length: kind === 'measure' && path.length > 1 ? lengthOf(path) : undefined,
    mode,
    setMode: (next: PenMode) => {
      setMode(next)
      draw([], [])
      pen.current?.setMode(next)
    },
    change: (next: Place[]) => {
      draw(next, next)
      pen.current?.show(next)
    },
  }
}

function keyActs(
  map: LeafletMap,
  acts: { add: () => void; close: () => void; back: () => void; end: () => void },
): Record<string, () => void> {
  const pan = (x: number, y: number) => () => void map.panBy([x, y], { animate: false })
  return {
    ArrowLeft: pan(-panPixels, 0),
    ArrowRight: pan(panPixels, 0),
    ArrowUp: pan(0, -panPixels),
    ArrowDown: pan(0, panPixels),
    '+': () => void map.zoomIn(1, { animate: false }),
    '-': () => void map.zoomOut(1, { animate: false }),
    ' ': acts.add,
    Enter: acts.close,
    Backspace: acts.back,
    Escape: acts.end,
  }
}

/** The place under the cross. */
function placeAt(map: LeafletMap): Place {
  const { lat, lng } = map.getCenter()
  return { lat, lng }
}

const zoomAround = (map: LeafletMap, { nativeEvent, deltaY }: WheelEvent): void =>
  void map.setZoomAround(map.mouseEventToContainerPoint(nativeEvent), map.getZoom() - Math.sign(deltaY), { animate: false })
