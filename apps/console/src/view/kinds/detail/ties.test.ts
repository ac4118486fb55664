import { expect, it } from 'vitest'
import { tiesLayout } from './ties.ts'

const tied = [
  { id: 'a', ties: ['same phone'] },
  { id: 'b', ties: ['same guarantor (Mary)'] },
  { id: 'c', ties: ['same phone', 'same address'] },
  { id: 'd', ties: ['same guarantor (Mary)'] },
  { id: 'e', ties: ['same guarantor (Mary)'] },
]

it('draws each node and each tie once, with a line for every tie, none nearer than a touch', () => {
  const { height, centre, nodes, ties, edges } = tiesLayout(tied)
  expect(nodes.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(ties.map(({ words }) => words).toSorted()).toEqual(['same address', 'same guarantor (Mary)', 'same phone'])
  expect(edges).toHaveLength(6)
  for (const column of [nodes, ties]) {
    const ys = column.map(({ y }) => y).toSorted((one, other) => one - other)
    for (const [index, y] of ys.slice(1).entries()) expect(y - (ys[index] ?? 0)).toBeGreaterThanOrEqual(44)
    expect(Math.min(...ys)).toBeGreaterThan(0)
    expect(Math.max(...ys)).toBeLessThan(height)
  }
  expect(centre).toBe(height / 2)
})

it('keeps those with the same tie together', () => {
  const { nodes } = tiesLayout(tied)
  const order = nodes.toSorted((one, other) => one.y - other.y).map(({ id }) => id)
  expect(order.join('')).toBe('bdeac')
})
