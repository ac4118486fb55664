import { GridLayer, Point } from 'leaflet'
import type { Coords, Map as LeafletMap } from 'leaflet'
import { between, lineName, stepAt } from './graticule-lines.ts'

/** Pixels that the longest name takes. */
const nameRoom = 70

/** The background without tiles: named lines of latitude and longitude, drawn on this device. */
export function makeGraticule(map: LeafletMap): GridLayer {
  // Read once: asking for each tile makes the browser work out all styles anew. Another scheme makes another layer.
  const style = getComputedStyle(map.getContainer())
  const ink = { line: style.getPropertyValue('--o-line').trim(), text: style.getPropertyValue('--o-text-soft').trim() }
  const layer = new GridLayer({ zIndex: 0, className: 'map-graticule', keepBuffer: 1, updateWhenZooming: false })
  const createTile = (coords: Coords) => {
    const size = layer.getTileSize().x
    const canvas = document.createElement('canvas')
    const ratio = Math.min(2, devicePixelRatio || 1)
    canvas.width = size * ratio
    canvas.height = size * ratio
    const context = canvas.getContext('2d')
    context?.scale(ratio, ratio)
    if (context) drawTile(context, { map, ink, size }, coords)
    return canvas
  }
  // How leaflet wants a layer's own drawing.
  return Object.assign(layer, { createTile })
}

interface Tile { map: LeafletMap, ink: { line: string, text: string }, size: number }

function drawTile(context: CanvasRenderingContext2D, { map, ink, size }: Tile, { x, y, z }: Coords): void {
  const origin = new Point(x * size, y * size)
  // With room for the names, which reach over from the tiles beside.
  const northWest = map.unproject(origin.subtract([nameRoom, 20]), z)
  const southEast = map.unproject(origin.add([size, size + 20]), z)
  const step = stepAt(z)
  context.strokeStyle = ink.line
  context.fillStyle = ink.text
  context.font = '10px sans-serif'
  const meridians = between(northWest.lng, southEast.lng, step)
  const parallels = between(southEast.lat, northWest.lat, step).filter((lat) => Math.abs(lat) <= 85)
  for (const lng of meridians) line(context, map.project([0, lng], z).x - origin.x, 'down', size)
  for (const lat of parallels) line(context, map.project([lat, 0], z).y - origin.y, 'across', size)
  for (const lat of parallels) {
    for (const lng of meridians) {
      const at = map.project([lat, lng], z).subtract(origin)
      context.fillText(lineName(lat, step, 'lat'), at.x + 4, at.y - 4)
      context.fillText(lineName(lng, step, 'lng'), at.x + 4, at.y + 12)
    }
  }
}

function line(context: CanvasRenderingContext2D, at: number, way: 'down' | 'across', size: number): void {
  context.beginPath()
  context.moveTo(way === 'down' ? at : 0, way === 'down' ? 0 : at)
  context.lineTo(way === 'down' ? at : size, way === 'down' ? size : at)
  context.stroke()
}
