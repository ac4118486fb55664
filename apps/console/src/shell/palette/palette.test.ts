import { describe, expect, it } from 'vitest'
import { fixtureLayout } from '../../../../../tests/console/support/fixture.ts'
import { createEntries, navigateEntries } from './entries.ts'
import { fitOf, fitting, matches, parseQuery } from './query.ts'

describe('the palette', () => {
  it.each([
    ['leads', 'all', 'leads'],
    ['> dark', 'actions', 'dark'],
    [' #17', 'ids', '17'],
    ['@ada  l', 'people', 'ada  l'],
    ['', 'all', ''],
    ['a > b', 'all', 'a > b'],
  ] as const)('reads %j', (typed, scope, text) => expect(parseQuery(typed)).toEqual({ scope, text }))

  it('finds words in any order', () => {
    expect(matches('Sales Leads', 'lea sal')).toBe(true)
    expect(matches('Sales Leads', 'lea xyz')).toBe(false)
    expect(matches('Sales Leads', '')).toBe(true)
  })

  it('puts what begins with the search first, then words that do, then the rest', () => {
    expect([
      fitOf({ label: 'New lead' }, 'new'),
      fitOf({ label: 'New lead' }, 'LEAD'),
      fitOf({ label: 'Users', place: 'Administration' }, 'adm us'),
      fitOf({ label: 'Users' }, 'lead'),
    ]).toEqual([3, 2, 1, 0])
    expect(fitting([{ label: 'Renew' }, { label: 'Old and new' }, { label: 'New lead' }], 'new', 2).map(({ label }) => label)).toEqual([
      'New lead',
      'Old and new',
    ])
  })

  it('offers a new lead before all other new things, and says kind and place of each row', () => {
    const plain = fixtureLayout()
    const layout = { ...plain, screens: [{ ...plain.screens[0]!, path: '/admin/users/add', title: 'New user' }, ...plain.screens] }
    expect(createEntries(layout, true)).toMatchObject([
      { label: 'New lead', kind: 'New', place: 'Sales' },
      { label: 'New user', kind: 'New', place: 'Administration' },
    ])
    expect(navigateEntries(layout, true)).toContainEqual(expect.objectContaining({ label: 'Leads', kind: 'Screen', place: 'Sales' }))
  })
})
