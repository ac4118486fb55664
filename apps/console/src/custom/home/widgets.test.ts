import { expect, it } from 'vitest'
import { arrange, moved, permittedWidgets } from './widgets.ts'

const frame = (...paths: string[]) => ({ screens: paths.map((path) => ({ path, permitted: true })) }) as never

it('offers only widgets whose screen is open to the user', () => {
  expect(permittedWidgets(frame())).toEqual([])
  expect(permittedWidgets(frame('/sales/activities')).every((widget) => widget.id.startsWith('activities'))).toBe(true)
  expect(permittedWidgets({ screens: [{ path: '/sales/leads', permitted: false }] } as never)).toEqual([])
})

it('keeps the chosen order and forgets widgets that are gone', () => {
  const permitted = permittedWidgets(frame('/sales/leads'))
  expect(arrange(permitted, ['my-leads', 'no-such', 'leads-today']).map((widget) => widget.id)).toEqual(['my-leads', 'leads-today'])
  expect(arrange(permitted, []).length).toBe(0)
  expect(arrange(permitted, null).length).toBeGreaterThan(3)
})

it('moves one place and stops at the ends', () => {
  expect(moved(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b'], 'x', 1)).toEqual(['a', 'b'])
})
