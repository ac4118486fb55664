import { DivIcon, LayerGroup, Marker } from 'leaflet'
import { shortCount } from './clusters.ts'
import type { Mark } from './clusters.ts'
import type { MapPoint } from './shapes.ts'
import { pictureOf, pictureSize } from '../theme/pictures.ts'
import { numberFormat } from '../session/language.ts'

export interface Look {
  isLabelled: (key: string) => boolean
  isSelected: (id: string) => boolean
}
interface Shown {
  marker: Marker
  mark: Mark
  look: string
}

export interface MarkerPool {
  group: LayerGroup
  show: (marks: readonly Mark[], look: Look) => void
}

/**
 * Draws marks as HTML markers and reuses their elements: unchanged marks are not touched, removed ones pass their element to new ones.
 * Creating elements is the expensive part of a zoom.
 */
export function makeMarkerPool(onPick: (mark: Mark) => void): MarkerPool {
  const group = new LayerGroup()
  const shown = new Map<string, Shown>()
  const place = (mark: Mark, look: Look, lent: readonly [string, Shown] | undefined) => {
    const one = lent?.[1] ?? makeMarker(mark, look, group, onPick)
    if (lent) shown.delete(lent[0])
    shown.set(mark.key, one)
    update(one, mark, look)
  }
  const show = (marks: readonly Mark[], look: Look) => {
    const wanted = new Set(marks.map(({ key }) => key))
    const free = [...shown].filter(([key]) => !wanted.has(key))
    for (const mark of marks) {
      const own = shown.get(mark.key)
      if (own) update(own, mark, look)
      else place(mark, look, free.pop())
    }
    for (const [key, { marker }] of free) {
      group.removeLayer(marker)
      shown.delete(key)
    }
  }
  return { group, show }
}

function makeMarker(mark: Mark, look: Look, group: LayerGroup, onPick: (mark: Mark) => void): Shown {
  const marker = new Marker([mark.lat, mark.lng], { icon: iconOf(mark, look), keyboard: false, riseOnHover: true })
  const shown = { marker, mark, look: lookOf(mark, look) }
  marker.on('click', () => onPick(shown.mark))
  marker.bindTooltip(() => tooltipOf(shown.mark), { direction: 'top', offset: [0, -14], opacity: 1 })
  group.addLayer(marker)
  return shown
}

function update(shown: Shown, mark: Mark, look: Look): void {
  const next = lookOf(mark, look)
  shown.mark = mark
  const at = shown.marker.getLatLng()
  if (at.lat !== mark.lat || at.lng !== mark.lng) shown.marker.setLatLng([mark.lat, mark.lng])
  if (shown.look !== next) shown.marker.setIcon(iconOf(mark, look))
  shown.look = next
}

/** Everything that an icon shows, as one text: equal texts need no new icon. */
function lookOf(mark: Mark, { isLabelled, isSelected }: Look): string {
  if (mark.kind === 'cluster') return `${mark.tone} ${mark.count}`
  const { tone, number, label, id, heading, picture = '' } = mark.point
  return `${tone} ${number ?? ''} ${picture} ${heading === undefined ? '' : roundHeading(heading)} ${isSelected(id)} ${isLabelled(id) ? label : ''}`
}

function iconOf(mark: Mark, look: Look): DivIcon {
  if (mark.kind === 'cluster') {
    const size = mark.count < 10 ? 32 : mark.count < 100 ? 38 : mark.count < 1000 ? 44 : 52
    return new DivIcon({ className: `map-cluster map-tone-${mark.tone}`, html: shortCount(mark.count), iconSize: [size, size] })
  }
  const { tone = 'quiet', number, label, id } = mark.point
  const selected = look.isSelected(id) ? ' map-selected' : ''
  const path = number === undefined ? pictureOf(mark.point.picture) : undefined
  const edge = number !== undefined ? 28 : path === undefined ? 18 : 26
  return new DivIcon({
    className: `${number === undefined ? 'map-dot' : 'map-stop'} map-tone-${tone}${selected}`,
    html: contentOf(mark.point, path, look.isLabelled(id) ? label : undefined),
    iconSize: [edge, edge],
  })
}

/** In steps of ten degrees: a marker is not drawn anew for each small turn. */
export const roundHeading = (heading: number) => Math.round(heading / 10) * 10

/** Inserted as text, never as HTML: labels come from people. */
function contentOf({ number, heading }: MapPoint, path: string | undefined, label: string | undefined): HTMLElement | false {
  if (number === undefined && heading === undefined && path === undefined && label === undefined) return false
  const box = document.createElement('span')
  if (number !== undefined) box.textContent = String(number)
  else if (heading !== undefined) box.append(arrowOf(heading))
  if (path !== undefined) box.append(pictureElement(path))
  if (label === undefined) return box
  const words = document.createElement('span')
  words.className = 'map-label'
  words.textContent = label
  box.append(words)
  return box
}

function arrowOf(heading: number): HTMLElement {
  const arrow = document.createElement('i')
  arrow.className = 'map-arrow'
  arrow.style.rotate = `${roundHeading(heading)}deg`
  return arrow
}

const svg = 'http://www.w3.org/2000/svg'
function pictureElement(path: string): SVGElement {
  const [box, shape] = [document.createElementNS(svg, 'svg'), document.createElementNS(svg, 'path')]
  for (const [name, value] of Object.entries({ class: 'map-picture', viewBox: `0 0 ${pictureSize} ${pictureSize}`, 'aria-hidden': 'true' }))
    box.setAttribute(name, value)
  shape.setAttribute('d', path)
  box.append(shape)
  return box
}

export function tooltipOf(mark: Mark): HTMLElement {
  const box = document.createElement('span')
  if (mark.kind === 'cluster') {
    box.textContent = `${numberFormat().format(mark.count)} points`
    return box
  }
  const title = document.createElement('strong')
  title.textContent = mark.point.label
  box.append(title)
  if (mark.point.note) box.append(document.createElement('br'), mark.point.note)
  return box
}
