import { expect, test } from 'vitest'
import { portionsOf } from './portions.ts'

test('a list is split in order, and nothing of it is lost', () => {
  expect(portionsOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(portionsOf([1, 2], 2)).toEqual([[1, 2]])
  expect(portionsOf([], 2)).toEqual([])
})
