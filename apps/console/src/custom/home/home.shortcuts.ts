import type { ShortcutGroup } from '../../session/shortcut.ts'

export const boardKeys: ShortcutGroup = {
  group: 'Arranging the dashboard',
  order: 70,
  shortcuts: [
    { keys: ['←', '→', '↑', '↓'], label: 'Move the tile' },
    { keys: ['Shift ←', 'Shift →', 'Shift ↑', 'Shift ↓'], label: 'Size the tile' },
    { keys: ['Delete'], label: 'Remove the tile' },
  ],
}
