import type { Row } from '../../../../data/records.ts'

export type TreeRow = Row & { children?: TreeRow[] }

/**
 * Rows as a tree by their parent's id. A row whose parent is not among them is at the top; a circle is cut at its
 * first row, so that every row appears exactly once.
 */
export function growTree(rows: readonly Row[], idOf: (row: Row) => string, parentKey: string): TreeRow[] {
  const nodes = new Map(rows.map((row): [string, TreeRow] => [idOf(row), { ...row }]))
  const roots: TreeRow[] = []
  for (const [id, node] of nodes) {
    const parent = nodes.get(String(node[parentKey] ?? ''))
    if (!parent || isAbove(nodes, parentKey, id, parent)) roots.push(node)
    else parent.children = [...(parent.children ?? []), node]
  }
  return roots
}

/** True when the row is its own ancestor and the first of its circle. */
function isAbove(nodes: ReadonlyMap<string, TreeRow>, parentKey: string, id: string, from: TreeRow): boolean {
  const circle: string[] = []
  let node: TreeRow | undefined = from
  const seen = new Set<TreeRow>()
  while (node && !seen.has(node)) {
    seen.add(node)
    const parentId = String(node[parentKey] ?? '')
    circle.push(parentId)
    node = nodes.get(parentId)
  }
  const isInCircle = circle.includes(id)
  return isInCircle && [...nodes.keys()].find((key) => circle.includes(key)) === id
}

/** Ids of all rows that have children. */
export function branchIds(tree: readonly TreeRow[], idOf: (row: Row) => string): string[] {
  return tree.flatMap((node) => (node.children ? [idOf(node), ...branchIds(node.children, idOf)] : []))
}
