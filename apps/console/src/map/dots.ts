import { Canvas, LayerGroup, Tooltip } from 'leaflet'
import type { Map as LeafletMap } from 'leaflet'
import type { Tone } from '../theme/tones.ts'
import type { Mark } from './clusters.ts'
import { roundHeading, tooltipOf } from './markers.ts'
import type { Look } from './markers.ts'
import { PictureDot } from './picture-dot.ts'
import type { DotMark } from './picture-dot.ts'

type PointMark = Extract<Mark, { kind: 'point' }>
interface Dot {
  circle: PictureDot
  mark: PointMark
}

/** Colours of the theme for a canvas: resolved values, not CSS variables. */
function colours(place: HTMLElement): Record<Tone | 'surface' | 'selected' | 'on', string> {
  const style = getComputedStyle(place)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    good: read('--o-success'),
    bad: read('--o-error'),
    warn: read('--o-warning'),
    info: read('--o-link'),
    odd: read('--hue-purple'),
    quiet: read('--o-text-soft'),
    surface: read('--o-surface'),
    selected: read('--o-text'),
    on: read('--o-on-solid'),
  }
}

export interface DotCanvas {
  group: LayerGroup
  show: (marks: readonly PointMark[], look: Look) => void
}

/** Draws many points on one canvas: thousands of them move with the map at no cost. */
export function makeDotCanvas(map: LeafletMap, onPick: (mark: Mark) => void): DotCanvas {
  const group = new LayerGroup()
  const dots = new Map<string, Dot>()
  const renderer = new Canvas({ padding: 0.5, tolerance: 6 })
  const tooltip = new Tooltip({ direction: 'top', offset: [0, -8], opacity: 1 })
  const add = (mark: PointMark, style: DotStyle, drawn: DotMark) => {
    const circle = new PictureDot([mark.lat, mark.lng], { ...style, fillOpacity: 0.95, renderer, bubblingMouseEvents: false }, drawn)
    const dot = { circle, mark }
    circle.on('click', () => onPick(dot.mark))
    circle.on('mouseover', () => tooltip.setLatLng(circle.getLatLng()).setContent(tooltipOf(dot.mark)).addTo(map))
    circle.on('mouseout', () => tooltip.remove())
    dots.set(mark.key, dot)
    group.addLayer(circle)
  }
  const show = (marks: readonly PointMark[], { isSelected }: Look) => {
    if (marks.length === 0 && dots.size === 0) return
    const palette = colours(map.getContainer())
    const wanted = new Set(marks.map(({ key }) => key))
    for (const [key, { circle }] of dots) {
      if (wanted.has(key)) continue
      group.removeLayer(circle)
      dots.delete(key)
    }
    for (const mark of marks) {
      const style = styleOf(palette, mark, isSelected(mark.point.id))
      const drawn = drawnOf(palette.on, mark)
      const own = dots.get(mark.key)
      if (own) renew(own, { mark, style, drawn })
      else add(mark, style, drawn)
    }
  }
  return { group, show }
}

interface DotStyle {
  fillColor: string
  color: string
  weight: number
  radius: number
}

const styleOf = (palette: ReturnType<typeof colours>, { point }: PointMark, isSelected: boolean): DotStyle => ({
  fillColor: palette[point.tone ?? 'quiet'],
  color: isSelected ? palette.selected : palette.surface,
  weight: isSelected ? 3 : 1.5,
  radius: (isSelected ? 8 : 6) + (point.picture === undefined ? 0 : 4),
})

const drawnOf = (on: string, { point: { picture, heading } }: PointMark): DotMark => ({
  on,
  picture,
  heading: heading === undefined ? undefined : roundHeading(heading),
})

interface Renewed {
  mark: PointMark
  style: DotStyle
  drawn: DotMark
}

function renew(dot: Dot, { mark, style, drawn }: Renewed): void {
  dot.mark = mark
  const at = dot.circle.getLatLng()
  const isOther = dot.circle.setMark(drawn)
  const { fillColor, color } = dot.circle.options
  if (fillColor !== style.fillColor || color !== style.color) dot.circle.setStyle(style).setRadius(style.radius)
  if (at.lat !== mark.lat || at.lng !== mark.lng) dot.circle.setLatLng([mark.lat, mark.lng])
  else if (isOther) dot.circle.redraw()
}
