import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { Button } from 'antd'
import type { Map as LeafletMap } from 'leaflet'
import { t } from '../../session/labels.ts'
import type { Place } from '../shapes.ts'
import { CornerList } from './CornerList.tsx'
import { openPen, type Pen } from './pen.ts'

interface ShapeToolProps {
  map: LeafletMap
  kind: 'polygon' | 'linestring'
  onDone: (corners: Place[]) => void
  onEnd: () => void
}
const panPixels = 80
const least = { polygon: 3, linestring: 2 }

/** Draws one area or line: click its corners, or move the map under the cross with the arrows and set them with Space; Enter ends it. */
export function ShapeTool({ map, kind, onDone, onEnd }: ShapeToolProps) {
  const sheet = useRef<HTMLDivElement>(null)
  const pen = useRef<Pen>(undefined)
  const [corners, setCorners] = useState<Place[]>([])
  const [hasNumbers, setHasNumbers] = useState(false)
  const finish = useEffectEvent((drawn: Place[]) => {
    if (drawn.length >= least[kind]) onDone(drawn)
  })
  useEffect(() => {
    if (!sheet.current) return undefined
    sheet.current.focus({ preventScroll: true })
    const own = openPen({ map, sheet: sheet.current, mode: kind, onDraw: (set) => setCorners(set), onFinish: (drawn) => finish(drawn) })
    pen.current = own
    return () => own.end()
  }, [map, kind])
  const change = (next: Place[]) => {
    setCorners(next)
    pen.current?.show(next)
  }
  const here = (): Place => {
    const { lat, lng } = map.getCenter()
    return { lat, lng }
  }
  const pan = (x: number, y: number) => void map.panBy([x, y], { animate: false })
  const acts: Record<string, () => void> = {
    ArrowLeft: () => pan(-panPixels, 0),
    ArrowRight: () => pan(panPixels, 0),
    ArrowUp: () => pan(0, -panPixels),
    ArrowDown: () => pan(0, panPixels),
    '+': () => void map.zoomIn(1, { animate: false }),
    '-': () => void map.zoomOut(1, { animate: false }),
    ' ': () => change([...corners, here()]),
    Backspace: () => change(corners.slice(0, -1)),
    Enter: () => {
      if (corners.length >= least[kind]) onDone(corners)
    },
    Escape: onEnd,
  }
  const press = (event: KeyboardEvent) => {
    const act = acts[event.key]
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
        aria-label={t(kind === 'polygon' ? 'Draw the area' : 'Draw the line')}
        aria-describedby="map-shape-help"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onKeyDown={press}
      >
        <span className="map-cross" aria-hidden />
      </div>
      <div className="map-draw-bar">
        <span id="map-shape-help" role="status">
          {t('Click each corner. Keys: arrows, Space sets a corner, Enter ends.')}
        </span>
        <Button size="small" type="primary" disabled={corners.length < least[kind]} onClick={() => onDone(corners)}>
          {t('Use this shape')}
        </Button>
        <Button size="small" aria-expanded={hasNumbers} onClick={() => setHasNumbers(!hasNumbers)}>
          {t('Numbers')}
        </Button>
        <Button size="small" disabled={corners.length === 0} onClick={() => change([])}>
          {t('Clear')}
        </Button>
        <Button size="small" onClick={onEnd}>
          {t('Cancel')}
        </Button>
        {hasNumbers ? <CornerList corners={corners} middle={here} onChange={change} /> : null}
      </div>
    </>
  )
}
