import type { WidgetView } from '@outpost/contract/views'

/** The place of a widget on the grid: 24 columns, rows of one height; kept for the user as it is. */
export interface Place {
  id: string
  x: number
  y: number
  w: number
  h: number
}

export const columns = 24
/** Pixels of a row and of the gap between two. */
export const rowHeight = 40
export const gap = 16

/** Smallest size of a widget; figures need little, drawings their axes. */
export const leastOf = ({ draw }: Pick<WidgetView, 'draw'>) => (draw === 'number' ? { w: 4, h: 2 } : { w: 6, h: 4 })
/** Rows at first; drawings have 5. */
const heights: Partial<Record<WidgetView['draw'], number>> = { number: 2, map: 6, funnel: 7 }
const firstHeight = ({ draw }: Pick<WidgetView, 'draw'>) => heights[draw] ?? 5

const overlap = (a: Place, b: Place) => a.id !== b.id && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/** Widgets one after the other, row by row, each in its own width. */
export function flow(widgets: readonly WidgetView[]): Place[] {
  let [x, y, tallest] = [0, 0, 0]
  return widgets.map((widget) => {
    const [w, h] = [widget.span, firstHeight(widget)]
    if (x + w > columns) [x, y, tallest] = [0, y + tallest, 0]
    const place = { id: widget.id, x, y, w, h }
    x += w
    tallest = Math.max(tallest, h)
    return place
  })
}

/** Every widget as far up as it goes, none over another, read from the top; `first` goes before others of its row. */
export function settle(places: readonly Place[], first?: string): Place[] {
  const sorted = places.toSorted((a, b) => a.y - b.y || Number(b.id === first) - Number(a.id === first) || a.x - b.x)
  const settled: Place[] = []
  for (const place of sorted) {
    const next = { ...place }
    const meets = () => settled.find((other) => overlap(next, other))
    for (let under = meets(); under; under = meets()) next.y = under.y + under.h
    // Up until it meets something: it never jumps over what lies between.
    do next.y -= 1
    while (next.y >= 0 && !meets())
    next.y += 1
    settled.push(next)
  }
  return settled
}

export type Step = 'left' | 'right' | 'up' | 'down' | 'wider' | 'narrower' | 'taller' | 'shorter'

/** One step of a widget by key or button; what it meets makes room. The same list when there is no room for the step. */
export function nudge(places: readonly Place[], id: string, step: Step, least: { w: number; h: number }): Place[] {
  const place = places.find((one) => one.id === id)
  if (!place) return [...places]
  const next = stepped(place, places, step)
  const fits = next.x >= 0 && next.x + next.w <= columns && next.w >= least.w && next.h >= least.h && next.h <= 20
  return fits
    ? settle(
        places.map((one) => (one.id === id ? next : one)),
        id,
      )
    : [...places]
}

function stepped(place: Place, places: readonly Place[], step: Step): Place {
  switch (step) {
    case 'left':
      return { ...place, x: place.x - 2 }
    case 'right':
      return { ...place, x: place.x + 2 }
    case 'wider':
      return place.x + place.w + 2 > columns ? { ...place, x: place.x - 2, w: place.w + 2 } : { ...place, w: place.w + 2 }
    case 'narrower':
      return { ...place, w: place.w - 2 }
    case 'taller':
      return { ...place, h: place.h + 1 }
    case 'shorter':
      return { ...place, h: place.h - 1 }
    case 'up':
      return { ...place, y: neighbour(places, place, 'up')?.y ?? place.y }
    case 'down': {
      const below = neighbour(places, place, 'down')
      return below ? { ...place, y: below.y + below.h } : place
    }
  }
}

/** The nearest widget over or under that shares a column. */
function neighbour(places: readonly Place[], place: Place, side: 'up' | 'down'): Place | undefined {
  const sharing = places.filter((other) => other.id !== place.id && other.x < place.x + place.w && place.x < other.x + other.w)
  return side === 'up'
    ? sharing.filter(({ y }) => y < place.y).toSorted((a, b) => b.y - a.y)[0]
    : sharing.filter(({ y }) => y > place.y).toSorted((a, b) => a.y - b.y)[0]
}

/** Widgets of a kept layout that there still are, settled; unknown places are dropped. */
export function known(places: readonly Place[], permitted: readonly WidgetView[]): Place[] {
  const ids = new Set(permitted.map(({ id }) => id))
  return settle(places.filter(({ id, x, w }) => ids.has(id) && x >= 0 && w > 0 && x + w <= columns))
}

/** A widget more, at the end. */
export function withWidget(places: readonly Place[], widget: WidgetView): Place[] {
  const end = Math.max(0, ...places.map(({ y, h }) => y + h))
  return settle([...places, { id: widget.id, x: 0, y: end, w: widget.span, h: firstHeight(widget) }])
}
