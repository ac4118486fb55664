import type { ShortcutGroup } from '../../../session/shortcut.ts'

export const listKeys: ShortcutGroup = {
  group: 'Lists and records',
  order: 20,
  shortcuts: [
    { keys: ['↑', '↓'], label: 'Choose a row' },
    { keys: ['Enter'], label: 'Open the row, or change its cell' },
    { keys: ['Space'], label: 'Look at the row in the side panel, or pick the card up' },
    { keys: ['x'], label: 'Select the row or card' },
    { keys: ['F2'], label: 'Change the cell or the first one of the row' },
    { keys: ['m'], label: 'Menu of the card' },
    { keys: ['j'], label: 'Next record in the side panel', isSingleKey: true },
    { keys: ['k'], label: 'Previous record in the side panel', isSingleKey: true },
  ],
}
