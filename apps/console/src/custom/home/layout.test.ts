import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WidgetView } from '@outpost/contract/views'
import { columns, flow, known, nudge, settle, withWidget, type Place, type Step } from './layout.ts'

const widget = (id: string, span: WidgetView['span'] = 6, draw: WidgetView['draw'] = 'number'): WidgetView => ({
  id,
  title: id,
  draw,
  span,
  source: { method: 'GET', path: '/' },
  value: '',
})
const widgets = [
  widget('a'),
  widget('b'),
  widget('c'),
  widget('d'),
  widget('e', 12, 'donut'),
  widget('f', 12, 'bars'),
  widget('g', 24, 'line'),
]
const at = (places: readonly Place[], id: string) => {
  const { x, y, w, h } = places.find((one) => one.id === id) as Place
  return [x, y, w, h]
}
const least = { w: 4, h: 2 }

const isSound = (places: readonly Place[]) => {
  for (const a of places) {
    expect(a.x >= 0 && a.x + a.w <= columns && a.y >= 0).toBe(true)
    for (const b of places) if (a.id < b.id) expect(a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h).toBe(false)
  }
}

describe('a dashboard', () => {
  it('begins row by row', () => {
    const places = flow(widgets)
    expect([at(places, 'd'), at(places, 'e'), at(places, 'f'), at(places, 'g')]).toEqual([
      [18, 0, 6, 2],
      [0, 2, 12, 5],
      [12, 2, 12, 5],
      [0, 7, 24, 5],
    ])
    isSound(places)
  })

  it('moves and sizes in steps, and what is in the way makes room', () => {
    const places = flow(widgets)
    expect(at(nudge(places, 'e', 'up', least), 'e')).toEqual([0, 0, 12, 5])
    expect(at(nudge(places, 'a', 'down', least), 'a')).toEqual([0, 7, 6, 2])
    expect(at(nudge(places, 'd', 'wider', least), 'd')).toEqual([16, 0, 8, 2])
    expect(at(nudge(places, 'a', 'taller', least), 'e')).toEqual([0, 3, 12, 5])
    expect(nudge(places, 'a', 'left', least)).toEqual(places)
    expect(nudge(places, 'a', 'shorter', least)).toEqual(places)
    expect(nudge(places, 'nobody', 'left', least)).toEqual(places)
  })

  it('never lays one widget over another, whatever is done to it', () => {
    const steps = fc.constantFrom<Step>('left', 'right', 'up', 'down', 'wider', 'narrower', 'taller', 'shorter')
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...widgets.map(({ id }) => id)), steps), { maxLength: 40 }), (moves) => {
        const end = moves.reduce<Place[]>((places, [id, step]) => nudge(places, id, step, least), flow(widgets))
        isSound(end)
        expect(end).toHaveLength(widgets.length)
        expect(settle(end).toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(end.toSorted((a, b) => a.id.localeCompare(b.id)))
      }),
    )
  })

  it('forgets widgets that are gone, and takes a new one in at the end', () => {
    const kept = known([...flow(widgets), { id: 'gone', x: 0, y: 99, w: 6, h: 2 }, { id: 'b', x: 30, y: 0, w: 6, h: 2 }].slice(2), widgets)
    expect(kept.map(({ id }) => id)).not.toContain('gone')
    isSound(kept)
    expect(at(withWidget(flow(widgets), widget('new')), 'new')).toEqual([0, 12, 6, 2])
  })
})
