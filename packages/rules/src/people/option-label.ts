export interface TenantOption {
  Id: string
  name: string
  tenantId: string
}

/** Options of tenant-defined lists, sorted by label: the short code is added in brackets when the row belongs to another tenant. */
export function toTenantOptions<T extends TenantOption>(
  rows: readonly T[],
  currentTenantId: string,
  shortCodes: ReadonlyMap<string, string>,
) {
  return rows
    .map((row) => {
      const code = row.tenantId === currentTenantId ? undefined : shortCodes.get(row.tenantId)
      const label = code ? `${row.name} (${code})` : row.name
      return { ...row, value: row.Id, label, text: label }
    })
    .toSorted((a, b) => a.label.localeCompare(b.label))
}
