import type { ConsoleTenant } from '@outpost/contract/console'

export interface TenantNode {
  tenant: ConsoleTenant
  children: TenantNode[]
}

/** The flat list as a tree; a tenant whose parent is not in the list is a root, one without an Id is ignored. */
export function arrangeTenants(tenants: readonly ConsoleTenant[]): TenantNode[] {
  const nodes = new Map(tenants.filter((tenant) => tenant.Id).map((tenant) => [tenant.Id, { tenant, children: [] as TenantNode[] }]))
  const roots: TenantNode[] = []
  for (const node of nodes.values()) {
    const parent = node.tenant.parentId ? nodes.get(node.tenant.parentId) : undefined
    if (parent && parent !== node) parent.children.push(node)
    else roots.push(node)
  }
  return roots
}

/** Branches of the tree that match the search by name or short code, with the way to them. */
export function filterTenants(nodes: readonly TenantNode[], search: string): TenantNode[] {
  const words = search.trim().toLowerCase()
  if (!words) return [...nodes]
  return nodes.flatMap((node) => {
    const { name, shortCode } = node.tenant
    if (`${name} ${shortCode}`.toLowerCase().includes(words)) return [node]
    const children = filterTenants(node.children, words)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}

/** What a tenant is, by its type. */
export function tenantKind(type: number): string {
  return ['', 'Group', 'Company', 'Branch', 'Team'][type] ?? ''
}
