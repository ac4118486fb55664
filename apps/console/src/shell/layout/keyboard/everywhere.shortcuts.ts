import type { ShortcutGroup } from '../../../session/shortcut.ts'

export const everywhere: ShortcutGroup = {
  group: 'Everywhere',
  order: 10,
  shortcuts: [
    { keys: ['Ctrl K'], label: 'Search screens, records and actions' },
    { keys: ['/'], label: 'Search', isSingleKey: true },
    { keys: ['['], label: 'Collapse or open the menu', isSingleKey: true },
    { keys: ['g', 'h'], label: 'Go to the start page', isSingleKey: true },
    { keys: ['?'], label: 'Keyboard shortcuts', isSingleKey: true },
    { keys: ['Esc'], label: 'Close what is open' },
  ],
}
