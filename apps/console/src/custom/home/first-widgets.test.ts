import { expect, it } from 'vitest'
import type { WidgetView } from '@outpost/contract/widget-view'
import { firstWidgets } from './first-widgets.ts'

const widget = (id: string, draw: WidgetView['draw'] = 'number') => ({ id, draw }) as WidgetView
const idsOf = (widgets: WidgetView[], first: string[]) => firstWidgets({ widgets, first }).map(({ id }) => id)
const figures = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((id) => widget(id))
const drawings = [widget('x', 'donut'), widget('y', 'line')]

it('begins with whole rows of figures, then the drawings', () => {
  expect(idsOf([...figures, ...drawings], ['x', 'b', 'a', 'c', 'y', 'd', 'e', 'f', 'g', 'h', 'i'])).toEqual([
    ...['b', 'a', 'c', 'd', 'e', 'f', 'g', 'h'],
    ...['x', 'y'],
  ])
  expect(idsOf([...figures, ...drawings], ['a', 'x', 'b'])).toEqual(['a', 'b', 'x'])
})

it('leaves out what is not offered', () => {
  expect(idsOf(drawings, ['a', 'y', 'x'])).toEqual(['y', 'x'])
})
