import type { Access } from '@outpost/contract/permissions'

/** Normalises permission paths and role names, which are compared without case and surrounding spaces. */
export function normaliseName(name: string): string {
  return name.trim().toUpperCase()
}

export interface Holder {
  permissions: ReadonlySet<string>
  isGlobalAdministrator: boolean
}

/**
 * True when the holder has at least one of the paths. A path is exact: `SALES` does not imply `SALES/LEADS`. `ALL` and `ANY` require a
 * session only; a global administrator passes every permission check.
 */
export function mayAny(holder: Holder, anyOf: readonly string[]): boolean {
  if (holder.isGlobalAdministrator) return true
  return anyOf.some((path) => {
    const wanted = normaliseName(path)
    return wanted === 'ALL' || wanted === 'ANY' || holder.permissions.has(wanted)
  })
}

/** The same check for a route's or screen's declared access. */
export function mayAccess(holder: Holder, access: Access): boolean {
  if (access.kind !== 'permission') return true
  return [access.anyOf, access.alsoAnyOf, access.andAnyOf].every((wanted) => wanted === undefined || mayAny(holder, wanted))
}
