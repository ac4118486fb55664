import type { Row } from '../../../../data/records.ts'

export type TreeRow = Row & { children?: TreeRow[] }

/** Marks a row that is no record but the heading of those below it. */
const headingKey = '_heading'
export const isHeading = (row: Row): boolean => row[headingKey] === true

/** Between the parts of the text that rows are grouped by. */
const separator = ' › '

/** Rows under the parts of a text of theirs, in the order they come; those without it at the end. Headings are named by `idKey` and `titleKey`. */
export function growGroups(
  rows: readonly Row[],
  { idKey, titleKey, groupBy }: { idKey: string; titleKey: string; groupBy: string },
): TreeRow[] {
  const [roots, others]: [TreeRow[], TreeRow[]] = [[], []]
  const headings = new Map<string, TreeRow[]>()
  const under = (parts: readonly string[]): TreeRow[] => {
    if (parts.length === 0) return roots
    const path = parts.join(separator)
    const known = headings.get(path)
    if (known) return known
    const children: TreeRow[] = []
    under(parts.slice(0, -1)).push({ [idKey]: `heading ${path}`, [titleKey]: parts.at(-1), [headingKey]: true, children })
    headings.set(path, children)
    return children
  }
  for (const row of rows) {
    const path = row[groupBy]
    if (typeof path === 'string' && path !== '') under(path.split(separator)).push({ ...row })
    else others.push({ ...row })
  }
  return [...roots, ...others]
}

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
