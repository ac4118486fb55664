import type { ShortcutGroup } from '../session/shortcut.ts'

export const mapKeys: ShortcutGroup = {
  group: 'Maps, while one has the focus',
  order: 40,
  shortcuts: [
    { keys: ['f'], label: 'Show all' },
    { keys: ['n'], label: 'Near me' },
    { keys: ['r'], label: 'Measure a distance' },
    { keys: ['l'], label: 'Select by drawing around' },
    { keys: ['+', '-'], label: 'Zoom in and out' },
  ],
}
