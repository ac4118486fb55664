export interface TreeTenant {
  Id: string
  parentId: string | null
  name: string
}
export type TenantNode<T extends TreeTenant> = T & { children: TenantNode<T>[] }

/** Builds `tenantsArranged` from the flat `tenants`: a tenant without an Id is ignored, one whose parent is missing is a root. */
export function arrangeTenants<T extends TreeTenant>(tenants: readonly T[]): TenantNode<T>[] {
  const nodes = new Map(tenants.filter((tenant) => tenant.Id).map((tenant) => [tenant.Id, { ...tenant, children: [] as TenantNode<T>[] }]))
  const roots: TenantNode<T>[] = []
  for (const node of nodes.values()) {
    const siblings = (node.parentId ? nodes.get(node.parentId)?.children : undefined) ?? roots
    siblings.push(node)
  }
  const sortDeep = (level: TenantNode<T>[]) => {
    level.sort((a, b) => a.name.localeCompare(b.name))
    for (const node of level) sortDeep(node.children)
  }
  sortDeep(roots)
  return roots
}
