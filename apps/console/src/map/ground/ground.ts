import { GridLayer } from 'leaflet'
import type { Coords, Map as LeafletMap } from 'leaflet'
import type GeoJSONVT from 'geojson-vt'
import { between, stepAt } from './graticule-lines.ts'
import type { GroundShapes } from './ground-data.ts'

interface Ink {
  land: string
  water: string
  border: string
  line: string
}
interface Tile {
  context: CanvasRenderingContext2D
  size: number
  coords: Coords
}

/** Units of geojson-vt per tile. */
const extent = 4096

/**
 * The bundled base map: land, borders and lakes of the world, with thin lines of latitude and longitude. Without shapes (not fetched
 * yet, or no network at the first visit) only the lines.
 */
export function makeGround(map: LeafletMap, shapes: GroundShapes | undefined): GridLayer {
  // Read once: reading it per tile makes the browser recompute all styles. Another colour scheme creates another layer.
  const style = getComputedStyle(map.getContainer())
  const read = (name: string) => style.getPropertyValue(`--map-${name}`).trim()
  const ink: Ink = { land: read('land'), water: read('water'), border: read('border'), line: read('line') }
  const layer = new GridLayer({ zIndex: 0, className: 'map-ground', keepBuffer: 1, updateWhenZooming: false })
  const createTile = (coords: Coords) => {
    const size = layer.getTileSize().x
    const canvas = document.createElement('canvas')
    const ratio = Math.min(2, devicePixelRatio || 1)
    canvas.width = size * ratio
    canvas.height = size * ratio
    const context = canvas.getContext('2d')
    context?.scale(ratio, ratio)
    if (context) {
      if (shapes) drawShapes({ context, size, coords }, shapes, ink)
      drawLines({ context, size, coords }, map, ink)
    }
    return canvas
  }
  // Leaflet's interface for a custom layer.
  return Object.assign(layer, { createTile })
}

function drawShapes(tile: Tile, { land, lakes }: GroundShapes, ink: Ink): void {
  const { context, size } = tile
  context.fillStyle = ink.water
  context.fillRect(0, 0, size, size)
  trace(tile, land)
  context.fillStyle = ink.land
  context.strokeStyle = ink.border
  context.fill('evenodd')
  context.stroke()
  trace(tile, lakes)
  context.fillStyle = ink.water
  context.fill('evenodd')
}

/** Builds one path of all rings of a layer in the tile. */
function trace({ context, size, coords: { x, y, z } }: Tile, layer: GeoJSONVT): void {
  const around = 2 ** z
  const found = layer.getTile(z, ((x % around) + around) % around, y)
  const scale = size / extent
  context.beginPath()
  for (const { type, geometry } of found?.features ?? []) {
    if (type !== 3) continue
    for (const ring of geometry) {
      ring.forEach(([px, py], index) => (index === 0 ? context.moveTo(px * scale, py * scale) : context.lineTo(px * scale, py * scale)))
      context.closePath()
    }
  }
}

function drawLines({ context, size, coords: { x, y, z } }: Tile, map: LeafletMap, ink: Ink): void {
  const northWest = map.unproject([x * size, y * size], z)
  const southEast = map.unproject([(x + 1) * size, (y + 1) * size], z)
  const step = stepAt(z)
  context.strokeStyle = ink.line
  context.beginPath()
  for (const lng of between(northWest.lng, southEast.lng, step)) {
    const at = map.project([0, lng], z).x - x * size
    context.moveTo(at, 0)
    context.lineTo(at, size)
  }
  for (const lat of between(southEast.lat, northWest.lat, step)) {
    if (Math.abs(lat) > 85) continue
    const at = map.project([lat, 0], z).y - y * size
    context.moveTo(0, at)
    context.lineTo(size, at)
  }
  context.stroke()
}
