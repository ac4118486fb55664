import { circleMarker, geoJSON } from 'leaflet'
import type { Map as LeafletMap } from 'leaflet'
import { TerraDraw, TerraDrawFreehandMode, TerraDrawLineStringMode, TerraDrawPointMode, TerraDrawPolygonMode } from 'terra-draw'
import type { GeoJSONStoreFeatures, GeoJSONStoreGeometries } from 'terra-draw'
import { TerraDrawLeafletAdapter } from 'terra-draw-leaflet-adapter'
import type { Place } from '../shapes.ts'

/** How a pointer draws: an area in one stroke or corner by corner, or a line point by point. */
export type PenMode = 'freehand' | 'polygon' | 'linestring'

export interface Pen {
  setMode: (mode: PenMode) => void
  /** Shows these corners instead of what was drawn. */
  show: (corners: readonly Place[]) => void
  end: () => void
}
interface PenOptions {
  map: LeafletMap
  /** The element over the map that receives the pointer, so that nothing below it is clicked. */
  sheet: HTMLElement
  mode: PenMode
  /** Corners while a pointer draws: those that are set, and with them the one that the pointer would add. */
  onDraw: (set: Place[], withPointer: Place[]) => void
  onFinish: (corners: Place[]) => void
}
type Leaflet = ConstructorParameters<typeof TerraDrawLeafletAdapter>[0]['lib']
export type Feature = GeoJSONStoreFeatures<GeoJSONStoreGeometries>

/** Decimals of a degree that shapes are stored with: a centimetre. */
const decimals = 7
/** More corners than these are a stroke: no dot for each. */
export const mostCorners = 40

/** Joins terra-draw to the map; the sheet over it receives the pointer. */
export function adapterOn(map: LeafletMap, sheet: HTMLElement): TerraDrawLeafletAdapter {
  // The adapter calls these two functions of leaflet only; all of leaflet would be twice the download.
  const lib = { geoJSON, circleMarker } as unknown as Leaflet
  const adapter = new TerraDrawLeafletAdapter({ lib, map, coordinatePrecision: decimals })
  adapter.getMapEventElement = () => sheet
  return adapter
}

/** Draws areas and lines on the map with terra-draw, by pointer or by corners that are given. */
export function openPen({ map, sheet, mode: first, onDraw, onFinish }: PenOptions): Pen {
  let mode = first
  const adapter = adapterOn(map, sheet)
  const draw = new TerraDraw({ adapter, modes: modesFor(sheet) })
  draw.start()
  draw.setMode(mode)
  const begin = (next: PenMode) => {
    mode = next
    draw.setMode(next)
    draw.clear()
  }
  draw.on('change', (ids, type, context) => {
    if (type === 'delete' || (context && 'origin' in context && context.origin === 'api')) return
    const drawn = draw.getSnapshot().filter(isShape)
    const current = drawn.find(({ id }) => id !== undefined && ids.includes(id))
    if (!current) return
    const former = drawn.filter((one) => one !== current).flatMap(({ id }) => id ?? [])
    if (former.length > 0) draw.removeFeatures(former)
    onDraw(cornersOf(current, true), cornersOf(current, false))
  })
  draw.on('finish', (id) => {
    const feature = draw.getSnapshotFeature(id)
    if (feature) onFinish(cornersOf(feature, false))
  })
  return {
    setMode: begin,
    show: (corners) => {
      begin(mode)
      draw.addFeatures(featuresOf(corners, mode))
    },
    end: () => draw.stop(),
  }
}

export const isShape = ({ geometry }: Feature) => geometry.type === 'Polygon' || geometry.type === 'LineString'

/** The corners of a shape, each once; `isSet` leaves out the one that the pointer would add. */
export function cornersOf({ geometry, properties }: Feature, isSet: boolean): Place[] {
  const positions =
    geometry.type === 'Polygon' ? geometry.coordinates[0]!.slice(0, -1) : geometry.type === 'LineString' ? geometry.coordinates : []
  const committed = isSet ? properties['committedCoordinateCount'] : undefined
  return positions.slice(0, typeof committed === 'number' ? committed : undefined).map(([lng = 0, lat = 0]) => ({ lat, lng }))
}

const round = (degrees: number) => Number(degrees.toFixed(decimals))
/** As terra-draw takes them. */
export const positionsOf = (corners: readonly Place[]): [number, number][] => corners.map(({ lat, lng }) => [round(lng), round(lat)])

function featuresOf(corners: readonly Place[], mode: PenMode): Feature[] {
  const positions = positionsOf(corners)
  const feature = (geometry: GeoJSONStoreGeometries, of: string): Feature => ({ type: 'Feature', geometry, properties: { mode: of } })
  const isArea = mode !== 'linestring' && positions.length > 2
  const dots = positions.length > mostCorners ? [] : positions.map((position) => feature({ type: 'Point', coordinates: position }, 'point'))
  if (isArea) return [feature({ type: 'Polygon', coordinates: [[...positions, positions[0]!]] }, 'polygon'), ...dots]
  return positions.length > 1 ? [feature({ type: 'LineString', coordinates: positions }, 'linestring'), ...dots] : dots
}

/** The colours that terra-draw draws with: those of the theme. */
export function inkOf(sheet: HTMLElement) {
  const style = getComputedStyle(sheet)
  const colour = (name: string) => style.getPropertyValue(name).trim() as `#${string}`
  const [ink, paper] = [colour('--o-link'), colour('--o-surface')]
  const dot = { closingPointColor: paper, closingPointOutlineColor: ink, closingPointOutlineWidth: 2, closingPointWidth: 5 }
  const area = { ...dot, fillColor: ink, fillOpacity: 0.18, outlineColor: ink, outlineWidth: 3 }
  return { ink, paper, area, line: { ...dot, lineStringColor: ink, lineStringWidth: 3 } }
}

/** Enter ends a shape; Escape ends the tool, which is the sheet's own key. */
export const penKeys = { finish: 'Enter', cancel: null }

function modesFor(sheet: HTMLElement) {
  const { ink, paper, area, line } = inkOf(sheet)
  return [
    new TerraDrawFreehandMode({ drawInteraction: 'click-move-or-drag', minDistance: 5, keyEvents: penKeys, styles: area }),
    new TerraDrawPolygonMode({ keyEvents: penKeys, styles: area }),
    new TerraDrawLineStringMode({ keyEvents: penKeys, styles: line }),
    new TerraDrawPointMode({ styles: { pointColor: paper, pointOutlineColor: ink, pointOutlineWidth: 2, pointWidth: 4 } }),
  ]
}
