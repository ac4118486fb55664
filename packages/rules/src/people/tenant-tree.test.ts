import { expect, it } from 'vitest'
import { arrangeTenants } from './tenant-tree.ts'

it('arranges a flat list into sorted trees and drops what has no Id', () => {
  const arranged = arrangeTenants([
    { Id: 'b', parentId: 'a', name: 'Westlands' },
    { Id: 'a', parentId: null, name: 'Sunrise' },
    { Id: 'c', parentId: 'a', name: 'Eldoret' },
    { Id: '', parentId: 'a', name: 'ghost' },
    { Id: 'd', parentId: 'elsewhere', name: 'Orphan' },
  ])
  expect(arranged.map((root) => root.name)).toEqual(['Orphan', 'Sunrise'])
  expect(arranged[1]?.children.map((child) => child.name)).toEqual(['Eldoret', 'Westlands'])
})
