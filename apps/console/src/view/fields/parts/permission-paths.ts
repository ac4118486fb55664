export interface PermissionNode {
  key: string
  title: string
  children: PermissionNode[]
  isPermission: boolean
}

/** Hierarchies of a value that holds paths or rows with `hierarchy`; upper case, each once, sorted. */
export function hierarchiesOf(value: unknown): string[] {
  const items = Array.isArray(value) ? value : []
  const paths = items.map((item) =>
    typeof item === 'object' && item !== null && 'hierarchy' in item ? String(item.hierarchy) : String(item),
  )
  return [...new Set(paths.map((path) => path.trim().toUpperCase()).filter(Boolean))].sort()
}

/** The paths as a tree; a part that is no permission itself only groups those below it. */
export function permissionForest(paths: readonly string[]): PermissionNode[] {
  const known = new Set(paths)
  const nodes = new Map<string, PermissionNode>()
  const roots: PermissionNode[] = []
  const nodeOf = (key: string): PermissionNode => {
    const found = nodes.get(key)
    if (found) return found
    const parts = key.split('/')
    const node: PermissionNode = { key, title: titleOf(parts.at(-1) ?? key), children: [], isPermission: known.has(key) }
    nodes.set(key, node)
    if (parts.length === 1) roots.push(node)
    else nodeOf(parts.slice(0, -1).join('/')).children.push(node)
    return node
  }
  for (const path of [...paths].sort()) nodeOf(path)
  return roots
}

const titleOf = (part: string) => part.charAt(0) + part.slice(1).toLowerCase().replaceAll('_', ' ')

/** All permissions at and below a node. */
export function pathsBelow(node: PermissionNode): string[] {
  return [...(node.isPermission ? [node.key] : []), ...node.children.flatMap(pathsBelow)]
}

/** The branches that hold the words somewhere, with their parents. */
export function matching(forest: readonly PermissionNode[], words: string): PermissionNode[] {
  const wanted = words.trim().toUpperCase()
  if (!wanted) return [...forest]
  return forest.flatMap((node) => {
    const children = matching(node.children, wanted)
    const isHit = node.key.includes(wanted) || node.title.toUpperCase().includes(wanted)
    if (!isHit && children.length === 0) return []
    return [{ ...node, children: isHit && children.length === 0 ? node.children : children }]
  })
}
