import { describe, expect, it } from 'vitest'
import { branchIds, growTree } from './tree.ts'

const idOf = (row: Record<string, unknown>) => String(row.Id)
const names = (tree: ReturnType<typeof growTree>): unknown =>
  tree.map((node) => (node.children ? [node.Id, names(node.children)] : node.Id))

describe('a tree of rows', () => {
  it('hangs rows under their parents; a row without its parent is at the top', () => {
    const tree = growTree(
      [
        { Id: 'b', parentId: 'a' },
        { Id: 'a', parentId: null },
        { Id: 'c', parentId: 'b' },
        { Id: 'x', parentId: 'gone' },
      ],
      idOf,
      'parentId',
    )
    expect(names(tree)).toEqual([['a', [['b', ['c']]]], 'x'])
    expect(branchIds(tree, idOf)).toEqual(['a', 'b'])
  })

  it('shows every row of a circle once', () => {
    expect(
      names(
        growTree(
          [
            { Id: 'a', parentId: 'b' },
            { Id: 'b', parentId: 'a' },
          ],
          idOf,
          'parentId',
        ),
      ),
    ).toEqual([['a', ['b']]])
    expect(names(growTree([{ Id: 'a', parentId: 'a' }], idOf, 'parentId'))).toEqual(['a'])
  })
})
