import type { SettingItem, SettingOrigin, SettingsData } from '@outpost/contract/settings'
import type { Row } from '../../data/records.ts'
import { fillPath } from '../../data/paths.ts'

const company = 2

/** The settings of one tenant: its own records behind them, and only what it may choose. What is not a tenant's own belongs to the company. */
export function settingsAt(data: SettingsData, placeId: string): SettingsData {
  const type = data.places.find(({ Id }) => Id === placeId)?.type ?? company
  const shows = ({ source, level = company }: SettingItem) => type === company || (source === 'values' && type <= level)
  const sections = data.sections
    .map((section) => ({ ...section, items: section.items.filter(shows) }))
    .filter(({ items }) => items.length > 0)
  const shown = new Set(sections.flatMap(({ items }) => items.map(({ source }) => source)))
  const at = <Call extends { path: string }>(call: Call): Call => ({ ...call, path: fillPath(call.path, { id: placeId }) })
  const sources = data.sources
    .filter(({ key }) => shown.has(key))
    .map((source) => (source.isOfPlace ? { ...source, load: at(source.load), ...(source.save ? { save: at(source.save) } : {}) } : source))
  return { ...data, sources, sections }
}

/** Where the value of a setting comes from that tenants inherit. */
export function originOf(record: Row | undefined, key: string): SettingOrigin | undefined {
  return (record?.origins as Record<string, SettingOrigin> | undefined)?.[key]
}
