import type { Map as LeafletMap } from 'leaflet'
import { TerraDraw, TerraDrawLineStringMode, TerraDrawModeUndoRedo, TerraDrawPolygonMode, TerraDrawSelectMode } from 'terra-draw'
import type { SnapToCustom } from 'terra-draw'
import type { Place } from '../shapes.ts'
import { adapterOn, cornersOf, inkOf, isShape, penKeys, positionsOf, type Feature } from './pen.ts'
import { snapped, type SnapLine } from './snap.ts'

export type ShapeKind = 'polygon' | 'linestring'

export interface ShapePen {
  /** Sets a corner where a click at this place of the page would. */
  click: (clientX: number, clientY: number) => void
  /** Takes the last corner of the shape in hand back, or sets it again; false when there is none. */
  undo: () => boolean
  redo: () => boolean
  canUndo: () => boolean
  canRedo: () => boolean
  /** Shows these instead of those that are moved. */
  show: (rings: readonly (readonly Place[])[]) => void
  end: () => void
}
interface ShapePenOptions {
  map: LeafletMap
  /** The element over the map that receives the pointer. */
  sheet: HTMLElement
  kind: ShapeKind
  /** What attracts corners; asked anew at each move. */
  snapTo: () => readonly SnapLine[]
  /** Corners of the ring in hand: those that are set, and with them the one that the pointer would add. */
  onDraw: (set: Place[], withPointer: Place[]) => void
  onFinish: (corners: Place[]) => void
}

/** Draws one ring or line corner by corner; corners snap to what is near, and can be taken back one by one. */
export function openDrawing({ map, sheet, kind, snapTo, onDraw, onFinish }: ShapePenOptions): ShapePen {
  const { area, line, ink, paper } = inkOf(sheet)
  const snapping = snappingTo(snapTo)
  const snapDot = { snappingPointColor: ink, snappingPointOutlineColor: paper, snappingPointOutlineWidth: 2, snappingPointWidth: 7 }
  const mode =
    kind === 'polygon'
      ? new TerraDrawPolygonMode({ keyEvents: penKeys, snapping, styles: { ...area, ...snapDot } })
      : new TerraDrawLineStringMode({ keyEvents: penKeys, snapping, styles: { ...line, ...snapDot } })
  const draw = new TerraDraw({ adapter: adapterOn(map, sheet), modes: [mode], undoRedo: { modeLevel: new TerraDrawModeUndoRedo() } })
  draw.start()
  draw.setMode(kind)
  draw.on('change', () => {
    const shape = draw.getSnapshot().find((one) => isShape(one))
    onDraw(shape ? cornersOf(shape, true) : [], shape ? cornersOf(shape, false) : [])
  })
  draw.on('finish', (id) => {
    const shape = draw.getSnapshotFeature(id)
    if (shape) onFinish(cornersOf(shape, false))
  })
  return { ...shared(draw, sheet), show: () => undefined }
}

interface MovingOptions extends Omit<ShapePenOptions, 'onDraw' | 'onFinish'> {
  rings: readonly (readonly Place[])[]
  /** While a corner is dragged. */
  onMove: (rings: Place[][]) => void
  /** A corner was moved, added at the middle of an edge, or removed by a right click. */
  onMoved: (rings: Place[][]) => void
}

/** Moves, adds and removes corners of rings that are there: each ring is chosen by a click on it. */
export function openMoving({ map, sheet, kind, snapTo, rings, onMove, onMoved }: MovingOptions): ShapePen {
  const { area, line, ink, paper } = inkOf(sheet)
  const coordinates = { draggable: true, midpoints: { draggable: true }, deletable: true, snappable: snappingTo(snapTo) }
  const draw = new TerraDraw({
    adapter: adapterOn(map, sheet),
    modes: [
      new TerraDrawPolygonMode({ keyEvents: penKeys, styles: area }),
      new TerraDrawLineStringMode({ keyEvents: penKeys, styles: line }),
      new TerraDrawSelectMode({
        keyEvents: null,
        allowManualDeselection: false,
        flags: { polygon: { feature: { coordinates } }, linestring: { feature: { coordinates } } },
        styles: selectedStyles(ink, paper),
      }),
    ],
  })
  draw.start()
  let ids: NonNullable<Feature['id']>[] = []
  const now = () => ids.flatMap((id) => draw.getSnapshotFeature(id) ?? []).map((shape) => cornersOf(shape, false))
  const show = (next: readonly (readonly Place[])[]) => {
    draw.setMode('select')
    if (ids.length > 0) {
      draw.setMode(kind)
      draw.clear()
      draw.setMode('select')
    }
    ids = draw.addFeatures(next.map((ring) => featureOf(ring, kind))).flatMap(({ id }) => id ?? [])
    const [first] = ids
    if (first !== undefined) draw.selectFeature(first)
  }
  show(rings)
  draw.on('change', (_, type, context) => {
    if (type === 'update' && !(context && 'origin' in context)) onMove(now())
  })
  draw.on('finish', () => onMoved(now()))
  return { ...shared(draw, sheet), show }
}

const featureOf = (ring: readonly Place[], kind: ShapeKind): Feature => {
  const positions = positionsOf(ring)
  const geometry: Feature['geometry'] =
    kind === 'polygon'
      ? { type: 'Polygon', coordinates: [[...positions, positions[0] ?? [0, 0]]] }
      : { type: 'LineString', coordinates: positions }
  return { type: 'Feature', geometry, properties: { mode: kind } }
}

const snappingTo = (snapTo: () => readonly SnapLine[]): { toCustom: SnapToCustom } => ({
  toCustom: (event, { project, unproject }) => {
    const place = snapped(snapTo(), event, { project, unproject })
    return place && positionsOf([place])[0]
  },
})

const selectedStyles = (ink: `#${string}`, paper: `#${string}`) => ({
  selectedPolygonColor: ink,
  selectedPolygonFillOpacity: 0.18,
  selectedPolygonOutlineColor: ink,
  selectedPolygonOutlineWidth: 3,
  selectedLineStringColor: ink,
  selectedLineStringWidth: 3,
  selectionPointColor: paper,
  selectionPointOutlineColor: ink,
  selectionPointOutlineWidth: 2,
  selectionPointWidth: 6,
  midPointColor: ink,
  midPointOutlineColor: paper,
  midPointOutlineWidth: 1,
  midPointWidth: 4,
})

const shared = (draw: TerraDraw, sheet: HTMLElement): Omit<ShapePen, 'show'> => ({
  click: (clientX, clientY) => {
    for (const type of ['pointermove', 'pointerdown', 'pointerup'])
      sheet.dispatchEvent(new PointerEvent(type, { clientX, clientY, button: 0, isPrimary: true, bubbles: true }))
  },
  undo: () => draw.canUndo() && draw.undo(),
  redo: () => draw.canRedo() && draw.redo(),
  canUndo: () => draw.canUndo(),
  canRedo: () => draw.canRedo(),
  end: () => draw.stop(),
})
