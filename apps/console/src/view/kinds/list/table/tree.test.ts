import { describe, expect, it } from 'vitest'
import { branchIds, growGroups, growTree, isHeading } from './tree.ts'

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

describe('rows under headings', () => {
  it('come under each part of their text, in their order, those without one at the end', () => {
    const row = (Id: string, category: string | null) => ({ Id, title: Id, category })
    const tree = growGroups(
      [row('x', null), row('a', 'Money › Arrears'), row('b', 'Sales'), row('c', 'Money › Arrears'), row('d', 'Money')],
      {
        idKey: 'Id',
        titleKey: 'title',
        groupBy: 'category',
      },
    )
    const titles = (rows: typeof tree): unknown => rows.map((one) => (one.children ? [one.title, titles(one.children)] : one.title))
    expect(titles(tree)).toEqual([['Money', [['Arrears', ['a', 'c']], 'd']], ['Sales', ['b']], 'x'])
    expect(tree.map(isHeading)).toEqual([true, true, false])
    expect(branchIds(tree, idOf)).toEqual(['heading Money', 'heading Money › Arrears', 'heading Sales'])
  })
})
