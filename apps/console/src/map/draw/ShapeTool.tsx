import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { KeyboardEvent, WheelEvent } from 'react'
import { Button, Switch } from 'antd'
import { RedoOutlined, UndoOutlined } from '@ant-design/icons'
import type { Map as LeafletMap } from 'leaflet'
import { t } from '../../session/labels.ts'
import type { Place } from '../shapes.ts'
import { CornerList } from './CornerList.tsx'
import { openDrawing, openMoving, type ShapeKind, type ShapePen } from './shape-pen.ts'
import type { SnapLine } from './snap.ts'

/** What is done to a shape: a new ring or line is drawn, or the corners of those that are there are moved. */
export type ShapeTask = 'draw' | 'corners'
type Rings = readonly (readonly Place[])[]

export interface ShapeToolProps {
  map: LeafletMap
  kind: ShapeKind
  task: ShapeTask
  /** What the sheet is called: "Draw the area". */
  label: string
  /** Rings that are there; `corners` moves them. */
  rings: Rings
  /** What attracts corners. */
  snapTo: readonly SnapLine[]
  /** The size in words of what would be there with these rings in hand. */
  sizeText: (rings: Rings) => string
  /** Steps before those of the ring in hand. */
  history: { undo: () => void; redo: () => void; canUndo: boolean; canRedo: boolean }
  /** Corners of the ring or line that was drawn. */
  onDone: (corners: Place[]) => void
  /** Rings of which a corner was moved. */
  onChange: (rings: Place[][]) => void
  onEnd: () => void
}
const panPixels = 80
const least = { polygon: 3, linestring: 2 }

/**
 * Draws one area, hole or line, or moves its corners. Click the corners, or move the map under the cross with the arrows and set them with
 * Space; Backspace and Ctrl+Z take back, Ctrl+Y sets again, Enter ends.
 */
export function ShapeTool(props: ShapeToolProps) {
  const { map, kind, task, label, rings, sizeText, history, onDone, onChange, onEnd } = props
  const sheet = useRef<HTMLDivElement>(null)
  const [hasNumbers, setHasNumbers] = useState(false)
  const [snaps, setSnaps] = useState(true)
  const { pen, corners, inHand, steps } = useShapePen(props, sheet, snaps)
  const isReady = corners.length >= least[kind]
  const undo = () => {
    if (!pen.current?.undo()) history.undo()
  }
  const redo = () => {
    if (!pen.current?.redo()) history.redo()
  }
  const setHere = () => {
    const box = sheet.current?.getBoundingClientRect()
    if (box && task === 'draw') pen.current?.click(box.left + box.width / 2, box.top + box.height / 2)
  }
  const pan = (x: number, y: number) => void map.panBy([x, y], { animate: false })
  const acts: Record<string, () => void> = {
    ArrowLeft: () => pan(-panPixels, 0),
    ArrowRight: () => pan(panPixels, 0),
    ArrowUp: () => pan(0, -panPixels),
    ArrowDown: () => pan(0, panPixels),
    '+': () => void map.zoomIn(1, { animate: false }),
    '-': () => void map.zoomOut(1, { animate: false }),
    ' ': setHere,
    Backspace: undo,
    'Ctrl+z': undo,
    'Ctrl+Z': redo,
    'Ctrl+y': redo,
    Enter: () => (task === 'corners' ? onEnd() : isReady && onDone(corners)),
    Escape: onEnd,
  }
  const press = (event: KeyboardEvent) => {
    const act = acts[`${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.key}`]
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
        aria-label={label}
        aria-describedby="map-shape-help"
        // A click of the keys is no pointer that could be captured.
        onPointerDown={(event) => event.isTrusted && event.currentTarget.setPointerCapture(event.pointerId)}
        onWheel={(event) => zoomAround(map, event)}
        onKeyDown={press}
      >
        <span className="map-cross" aria-hidden />
      </div>
      <div className="map-draw-bar">
        <span id="map-shape-help">
          {task === 'corners'
            ? t('Drag a corner, or the dot on an edge for a new one; a right click removes one.')
            : t('Click each corner. Keys: arrows, Space sets a corner, Enter ends.')}
        </span>
        <strong role="status">{inHand.some((ring) => ring.length >= least[kind]) ? sizeText(inHand) : ''}</strong>
        {task === 'draw' ? (
          <Button size="small" type="primary" disabled={!isReady} onClick={() => onDone(corners)}>
            {t('Use this shape')}
          </Button>
        ) : null}
        <Button
          size="small"
          icon={<UndoOutlined aria-hidden />}
          aria-label={t('Undo')}
          disabled={!steps.canUndo && !history.canUndo}
          onClick={undo}
        />
        <Button
          size="small"
          icon={<RedoOutlined aria-hidden />}
          aria-label={t('Redo')}
          disabled={!steps.canRedo && !history.canRedo}
          onClick={redo}
        />
        <label className="map-snap">
          <Switch size="small" checked={snaps} onChange={setSnaps} /> {t('Snap')}
        </label>
        {task === 'corners' ? (
          <Button size="small" aria-expanded={hasNumbers} onClick={() => setHasNumbers(!hasNumbers)}>
            {t('Numbers')}
          </Button>
        ) : null}
        <Button size="small" onClick={onEnd}>
          {task === 'corners' ? t('Done') : t('Cancel')}
        </Button>
        {hasNumbers ? <RingNumbers map={map} kind={kind} rings={rings} onChange={onChange} /> : null}
      </div>
    </>
  )
}

/** Keeps the pen of the task in hand, and what it has drawn so far. */
function useShapePen(
  { map, kind, task, rings, snapTo, onDone, onChange }: ShapeToolProps,
  sheet: React.RefObject<HTMLDivElement | null>,
  snaps: boolean,
) {
  const pen = useRef<ShapePen>(undefined)
  const [corners, setCorners] = useState<Place[]>([])
  const [inHand, setInHand] = useState<Rings>(task === 'corners' ? rings : [])
  const [steps, setSteps] = useState({ canUndo: false, canRedo: false })
  const lines = useRef<readonly SnapLine[]>([])
  useEffect(() => void (lines.current = snaps ? snapTo : []), [snaps, snapTo])
  const drawn = useRef<Rings>(rings)
  const moved = useEffectEvent((next: Place[][]) => {
    drawn.current = next
    onChange(next)
  })
  const done = useEffectEvent((ring: Place[]) => {
    if (ring.length >= least[kind]) onDone(ring)
  })
  const start = useEffectEvent((on: HTMLDivElement): ShapePen => {
    const common = { map, sheet: on, kind, snapTo: () => lines.current }
    if (task === 'corners') return openMoving({ ...common, rings, onMove: setInHand, onMoved: (next) => moved(next) })
    return openDrawing({
      ...common,
      onDraw: (set, withPointer) => {
        setCorners(set)
        setInHand([withPointer])
        setSteps({ canUndo: pen.current?.canUndo() ?? false, canRedo: pen.current?.canRedo() ?? false })
      },
      onFinish: (ring) => done(ring),
    })
  })
  useEffect(() => {
    if (!sheet.current) return undefined
    sheet.current.focus({ preventScroll: true })
    const own = start(sheet.current)
    pen.current = own
    return () => own.end()
  }, [map, kind, task, sheet])
  useEffect(() => {
    // Rings that came from elsewhere: by undo, redo or numbers.
    if (task !== 'corners' || rings === drawn.current) return
    drawn.current = rings
    setInHand(rings)
    pen.current?.show(rings)
  }, [task, rings])
  return { pen, corners, inHand, steps }
}

function RingNumbers({ map, kind, rings, onChange }: Pick<ShapeToolProps, 'map' | 'kind' | 'rings' | 'onChange'>) {
  const [shown, setShown] = useState(0)
  const at = Math.min(shown, rings.length - 1)
  const middle = (): Place => {
    const { lat, lng } = map.getCenter()
    return { lat, lng }
  }
  const change = (next: Place[]) => {
    if (next.length >= least[kind]) onChange(rings.map((ring, index) => (index === at ? next : [...ring])))
  }
  return (
    <>
      {rings.length > 1
        ? rings.map((_, index) => (
            <Button key={index} size="small" aria-pressed={index === at} onClick={() => setShown(index)}>
              {index === 0 ? t('Outline') : `${t('Hole')} ${index}`}
            </Button>
          ))
        : null}
      <CornerList corners={rings[at] ?? []} middle={middle} onChange={change} />
    </>
  )
}

const zoomAround = (map: LeafletMap, { nativeEvent, deltaY }: WheelEvent): void =>
  void map.setZoomAround(map.mouseEventToContainerPoint(nativeEvent), map.getZoom() - Math.sign(deltaY), { animate: false })
