import { describe, expect, it } from 'vitest'
import { matches, parseQuery } from './query.ts'

describe('the palette', () => {
  it.each([
    ['leads', 'all', 'leads'], ['> dark', 'actions', 'dark'], [' #17', 'ids', '17'], ['@ada  l', 'people', 'ada  l'], ['', 'all', ''], ['a > b', 'all', 'a > b'],
  ] as const)('reads %j', (typed, scope, text) => expect(parseQuery(typed)).toEqual({ scope, text }))

  it('finds words in any order', () => {
    expect(matches('Sales Leads', 'lea sal')).toBe(true)
    expect(matches('Sales Leads', 'lea xyz')).toBe(false)
    expect(matches('Sales Leads', '')).toBe(true)
  })
})
