import { expect, it } from 'vitest'
import { pauseAfter } from './sync-timing.ts'

it('pauses as specified and respects Retry-After within limits', () => {
  expect(pauseAfter('success')).toBe(360_000)
  expect(pauseAfter('error')).toBe(60_000)
  expect(pauseAfter('offline')).toBe(240_000)
  expect(pauseAfter('error', 5_000)).toBe(5_000)
  expect(pauseAfter('error', 0)).toBe(1_000)
  expect(pauseAfter('error', 10 ** 9)).toBe(900_000)
  expect(pauseAfter('success', 5_000)).toBe(360_000)
})
