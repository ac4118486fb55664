import { CircleMarker } from 'leaflet'
import type { CircleMarkerOptions, LatLngExpression, Point } from 'leaflet'
import { pictureOf, pictureSize } from '../theme/pictures.ts'

/** What lies on a dot: the picture in its middle and the arrow at its edge, degrees from north. */
export interface DotMark {
  picture: string | undefined
  heading: number | undefined
  /** The colour of the picture. */
  on: string
}

/** The parts of Leaflet's canvas that draws a marker; its types keep them to itself. */
interface Drawn {
  _renderer: { _drawing?: boolean; _ctx: CanvasRenderingContext2D }
  _point: Point
  _empty: () => boolean
}

const pictureEdge = 14

/** A dot on canvas with a picture and an arrow: each picture is painted once and then copied, so thousands cost little. */
export class PictureDot extends CircleMarker {
  private mark: DotMark

  constructor(place: LatLngExpression, options: CircleMarkerOptions, mark: DotMark) {
    super(place, options)
    this.mark = mark
  }

  /** True when it shows something else now. */
  setMark(mark: DotMark): boolean {
    const isNew = mark.picture !== this.mark.picture || mark.heading !== this.mark.heading || mark.on !== this.mark.on
    this.mark = mark
    return isNew
  }

  /** Leaflet's own name for how a marker draws itself. */
  _updatePath(): void {
    const drawn = this as unknown as Drawn & { _renderer: { _updateCircle: (dot: CircleMarker) => void } }
    drawn._renderer._updateCircle(this)
    if (drawn._renderer._drawing && !drawn._empty()) this.drawOn(drawn._renderer._ctx, drawn._point)
  }

  private drawOn(context: CanvasRenderingContext2D, { x, y }: Point): void {
    const { picture, heading, on } = this.mark
    if (heading !== undefined) drawArrow(context, { x, y, heading, radius: this.getRadius(), colour: String(this.options.fillColor) })
    const bitmap = bitmapOf(picture, on)
    if (bitmap) context.drawImage(bitmap, Math.round(x) - pictureEdge / 2, Math.round(y) - pictureEdge / 2, pictureEdge, pictureEdge)
  }
}

interface Arrow {
  x: number
  y: number
  heading: number
  radius: number
  colour: string
}

function drawArrow(context: CanvasRenderingContext2D, { x, y, heading, radius, colour }: Arrow): void {
  context.save()
  context.translate(x, y)
  context.rotate((heading * Math.PI) / 180)
  context.beginPath()
  context.moveTo(-4, 0.5 - radius)
  context.lineTo(0, -5.5 - radius)
  context.lineTo(4, 0.5 - radius)
  context.fillStyle = colour
  context.fill()
  context.restore()
}

const bitmaps = new Map<string, HTMLCanvasElement>()

/** The picture in one colour, painted once for the pixels of this screen; undefined for a name without picture. */
function bitmapOf(picture: string | undefined, colour: string): HTMLCanvasElement | undefined {
  const path = pictureOf(picture)
  if (path === undefined) return undefined
  const key = `${picture} ${colour} ${devicePixelRatio}`
  const known = bitmaps.get(key)
  if (known) return known
  const bitmap = document.createElement('canvas')
  const edge = Math.ceil(pictureEdge * devicePixelRatio)
  Object.assign(bitmap, { width: edge, height: edge })
  const context = bitmap.getContext('2d')
  context?.scale(edge / pictureSize, edge / pictureSize)
  if (context) context.fillStyle = colour
  context?.fill(new Path2D(path), 'evenodd')
  bitmaps.set(key, bitmap)
  return bitmap
}
