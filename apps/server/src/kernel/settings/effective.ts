import type { Setting } from './define.ts'
import type { ChosenValues, SettingValues } from './store.ts'

/** The value that holds for a tenant, and which tenant chose it: itself, the nearest above it, its group; null is nobody. */
export interface Effective {
  value: number
  from: string | null
}

/** The value of a setting for the tenant at the end of the path, out of what was chosen. */
export function effectiveOf({ groupId, byName }: ChosenValues, { name, standard, min, max }: Setting, path: readonly string[]): Effective {
  const chosen = byName.get(name)
  const from = [...path.toReversed(), groupId].find((id) => id !== null && chosen?.has(id))
  const value = from ? chosen?.get(from) : undefined
  if (!from || value === undefined) return { value: standard, from: null }
  // Bounds may have become narrower since it was chosen.
  return { value: Math.min(Math.max(value, min), max), from }
}

/** The value of a setting for a whole company, where no ctx is yet: at sign-in. */
export async function settingIn({ settings }: { settings: SettingValues }, setting: Setting, companyId: string): Promise<number> {
  return effectiveOf(await settings.of(companyId), setting, [companyId]).value
}
