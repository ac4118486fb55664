import { describe, expect, it } from 'vitest'
import { hierarchiesOf, matching, pathsBelow, permissionForest } from './permission-paths.ts'

describe('permissions as a tree', () => {
  const forest = permissionForest(['SALES', 'SALES/LEADS', 'SALES/LEADS/CREATE', 'ADMIN/USERS'])

  it('groups by hierarchy; a part that is no permission only groups', () => {
    expect(forest.map(({ key, isPermission }) => [key, isPermission])).toEqual([
      ['ADMIN', false],
      ['SALES', true],
    ])
    expect(pathsBelow(forest[0]!)).toEqual(['ADMIN/USERS'])
    expect(pathsBelow(forest[1]!)).toEqual(['SALES', 'SALES/LEADS', 'SALES/LEADS/CREATE'])
  })

  it('finds by words and keeps the way there', () => {
    expect(matching(forest, 'users').map((node) => [node.key, node.children.map((child) => child.key)])).toEqual([
      ['ADMIN', ['ADMIN/USERS']],
    ])
    expect(matching(forest, 'nothing')).toEqual([])
  })

  it('reads paths and rows, each once, in capitals', () => {
    expect(hierarchiesOf([{ hierarchy: 'sales/leads' }, 'SALES/LEADS', ' admin ', ''])).toEqual(['ADMIN', 'SALES/LEADS'])
  })
})
