import type { AnySetting, Setting, TextSetting, ValueOf } from './define.ts'
import type { ChosenValues, SettingValues } from './store.ts'

/** The value that holds for a tenant, and which tenant chose it: itself, the nearest above it, its group; null is nobody. */
export interface Effective<Value> {
  value: Value
  from: string | null
}

/** The value of a setting for the tenant at the end of the path, out of what was chosen. */
export function effectiveOf(chosen: ChosenValues, setting: Setting, path: readonly string[]): Effective<number>
export function effectiveOf(chosen: ChosenValues, setting: TextSetting, path: readonly string[]): Effective<string>
export function effectiveOf(chosen: ChosenValues, setting: AnySetting, path: readonly string[]): Effective<ValueOf<AnySetting>>
export function effectiveOf(
  { groupId, byName }: ChosenValues,
  setting: AnySetting,
  path: readonly string[],
): Effective<ValueOf<AnySetting>> {
  const chosen = byName.get(setting.name)
  const from = [...path.toReversed(), groupId].find((id) => id !== null && chosen?.has(id))
  const value = from ? chosen?.get(from) : undefined
  const good = value === undefined ? undefined : withinBounds(setting, value)
  return from && good !== undefined ? { value: good, from } : { value: setting.standard, from: null }
}

/** Bounds may have become narrower since it was chosen, and words may have gone. */
function withinBounds(setting: AnySetting, value: number | string): number | string | undefined {
  if ('min' in setting) return typeof value === 'number' ? Math.min(Math.max(value, setting.min), setting.max) : undefined
  return typeof value === 'string' && setting.refuse(value) === undefined ? value : undefined
}

/** The value of a setting for a whole company, where no ctx is yet: at sign-in. */
export async function settingIn({ settings }: { settings: SettingValues }, setting: Setting, companyId: string): Promise<number> {
  return effectiveOf(await settings.of(companyId), setting, [companyId]).value
}
