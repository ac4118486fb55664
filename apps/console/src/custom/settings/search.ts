import type { SettingsSection } from '@outpost/contract/settings'
import { t } from '../../session/labels.ts'

/** The sections with the settings that have every word of the search in their label, sentence or section; all of them for no word. */
export function findSettings(sections: readonly SettingsSection[], search: string): SettingsSection[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...sections]
  const found = sections.map((section) => ({
    ...section,
    items: section.items.filter(({ label, help, now = '' }) => {
      const text = [section.title, label, help]
        .map((one) => `${one} ${t(one)}`)
        .concat(now)
        .join(' ')
        .toLowerCase()
      return words.every((word) => text.includes(word))
    }),
  }))
  return found.filter(({ items }) => items.length > 0)
}
